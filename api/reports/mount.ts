import type { Context, Hono } from 'hono';
import { AppError } from '../../core/errors.ts';
import type { ApiEnv } from '../http/env.ts';
import type { ShownReceipt } from '../receipts/read.ts';
import {
  answerReport,
  answerReportForm,
  receiptReporting,
  receiptSubject,
  smallReport,
  type ReportRoute,
} from './route.ts';

/** `/receipts/{slug}/report`: one form, for who was sent the money and for anyone else who has the receipt's address. */
export function mountReports(
  app: Hono<ApiEnv>,
  route: ReportRoute,
  receiptOf: (c: Context<ApiEnv>) => Promise<ShownReceipt>,
): void {
  app.get('/receipts/:slug/report', async (c) => {
    const shown = await receiptOf(c);
    return answerReportForm(c, route, (language) => receiptReporting(shown, route.site, language));
  });
  app.post('/receipts/:slug/report', smallReport, async (c) => {
    const shown = await receiptOf(c);
    return answerReport(c, route, receiptSubject(shown), (language) => receiptReporting(shown, route.site, language));
  });
  app.all('/receipts/:slug/report', (c) => {
    c.header('Allow', 'GET, HEAD, POST');
    throw new AppError('method_not_allowed', { detail: 'This address takes GET and POST.' });
  });
}
