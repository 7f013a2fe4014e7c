import type { Context } from 'hono';
import { AppError } from '../../core/errors.ts';
import { findReceipt, type ReceiptRow } from '../../db/payments/find.ts';
import type { Store } from '../../db/store.ts';
import { toReceiptAnswer, versionOf } from '../receipts/answer.ts';
import type { ReceiptStreams } from '../receipts/stream.ts';
import { toReceiptView, type ReceiptPlace, type ReceiptView } from '../receipts/view.ts';
import type { ApiEnv } from '../rest/env.ts';
import { preferredType } from './accept-header.ts';
import { setPageHeaders } from './headers.ts';
import { renderPage, type Site } from './page.ts';
import { receiptPage } from './receipt-page.ts';

type ReceiptRoute = { store: Store; site: Site; place: ReceiptPlace; streams: ReceiptStreams };

/** 128 bits in base64url. */
const SLUG = /^[A-Za-z0-9_-]{22}$/;
const NO_RECEIPT = 'No receipt is known at this address.';

/** `GET /receipts/{slug}`: a page, JSON, or a live stream, as the Accept header asks. */
export async function answerReceipt(c: Context<ApiEnv>, route: ReceiptRoute): Promise<Response> {
  setPageHeaders(c, { isIndexed: false });
  const slug = c.req.param('slug') ?? '';
  const row = SLUG.test(slug) ? await findReceipt(route.store, slug) : null;
  const view = row && toReceiptView(row, route.place);
  if (row === null || view === null) throw new AppError('not_found', { detail: NO_RECEIPT });
  const type = preferredType(c.req.header('Accept'), ['text/html', 'application/json', 'text/event-stream']);
  switch (type) {
    case 'application/json':
      return c.json(toReceiptAnswer(view));
    case 'text/event-stream':
      return answerStream(c, route, row, view);
    case 'text/html':
    case null:
      return c.html(renderPage(route.site, receiptPage(view)));
  }
}

function answerStream(c: Context<ApiEnv>, { streams }: ReceiptRoute, row: ReceiptRow, view: ReceiptView): Response {
  const seen = c.req.header('Last-Event-ID') ?? null;
  // Tells an EventSource, which otherwise connects again for ever, that the last word is spoken.
  if (view.isFinished && seen === versionOf(view)) return c.body(null, 204);
  if (streams.isFull()) {
    const detail = 'Too many receipts are watched right now; ask for JSON now and then instead.';
    throw new AppError('rate_limited', { detail, retryAfterSeconds: 30 });
  }
  c.header('Content-Type', 'text/event-stream; charset=utf-8');
  // Some proxies would otherwise collect events before they pass them on.
  c.header('X-Accel-Buffering', 'no');
  return c.body(streams.events({ slug: row.line.slug, paymentId: row.payment.id, seen }));
}
