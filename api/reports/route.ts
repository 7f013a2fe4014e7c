import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { html } from 'hono/html';
import { z } from 'zod';
import { AppError } from '../../core/errors.ts';
import type { Ids } from '../../core/ids.ts';
import type { Language } from '../../core/languages.ts';
import { REPORT_CHARACTERS_MAX, REPORT_REASONS, reportShareOf } from '../../core/reports/reports.ts';
import { storeReport, type NewReport } from '../../db/reports/reports.ts';
import type { Store } from '../../db/store/store.ts';
import { RECEIPT_PAGES } from '../../texts/receipt-page/languages.ts';
import { answerPage } from '../../web/answer.ts';
import { dollars } from '../../web/components/money.ts';
import { person } from '../../web/components/person.ts';
import { sentence } from '../../web/components/sentence.ts';
import { setPageHeaders } from '../../web/headers.ts';
import { readerOf } from '../../web/language.ts';
import type { Site } from '../../web/page.ts';
import { assertOwnOrigin } from '../http/own-origin.ts';
import { callerAddress } from '../http/caller.ts';
import type { ApiEnv } from '../http/env.ts';
import type { ProxyTrust } from '../http/proxies.ts';
import type { ShownReceipt } from '../receipts/read.ts';
import { toShownText } from '../receipts/strangers-text.ts';
import { reportedPage, reportPage, type ReportProblem, type Reporting } from './page.ts';

export type ReportRoute = {
  store: Store;
  ids: Ids;
  now: () => number;
  site: Site;
  isTrustedProxy: ProxyTrust;
};

/** What a report is about; the sum decides which part of the day's reports it takes. */
export type ReportSubject = Pick<NewReport, 'kind' | 'subject'> & { amountMicroUsdc: bigint };

/** More than the longest words, in any alphabet. */
const FORM_BYTES_MAX = 8 * 1024;

export const smallReport = bodyLimit({
  maxSize: FORM_BYTES_MAX,
  onError: () => {
    throw new AppError('body_too_large', { detail: 'A form may have at most 8 KiB.' });
  },
});

const form = z.object({
  reason: z.enum(REPORT_REASONS).nullable().catch(null),
  // Browsers count a new line once and send it as two.
  words: z
    .string()
    .catch('')
    .transform((text) => text.replaceAll('\r\n', '\n')),
});

/** The report of a payment, from the page of its receipt. */
export function receiptReporting({ view, slug }: ShownReceipt, { operator }: Site, language: Language): Reporting {
  const { forWhom } = RECEIPT_PAGES[language];
  const about = html`<strong>${dollars(view.amount)}</strong> ${sentence((put) => forWhom(put(person(view.to, language))))}`;
  return { kind: 'payment', path: `/receipts/${slug}`, about, operator };
}

export function receiptSubject({ view }: ShownReceipt): ReportSubject {
  return { kind: 'payment', subject: String(view.txnId), amountMicroUsdc: view.amount };
}

type Describe = (language: Language) => Reporting;

export function answerReportForm(c: Context<ApiEnv>, { site }: ReportRoute, describe: Describe): Promise<Response> {
  setPageHeaders(c, { isIndexed: false, formTargets: ["'self'"] });
  const reader = readerOf(c);
  return answerPage(c, { site, reader }, reportPage(describe(reader.language), reader.language));
}

/** `POST`, from our own page alone. Anyone who knows the address of a thing may report it; nobody proves anything for that. */
export async function answerReport(
  c: Context<ApiEnv>,
  route: ReportRoute,
  subject: ReportSubject,
  describe: Describe,
): Promise<Response> {
  assertOwnOrigin(c, route.site);
  setPageHeaders(c, { isIndexed: false, formTargets: ["'self'"] });
  const reader = readerOf(c, null, new URL(c.req.url).pathname);
  const { language } = reader;
  const reporting = describe(language);
  const typed = form.parse(Object.fromEntries(new URLSearchParams(await c.req.text())));
  const refuse = (problem: ReportProblem, status: 400 | 429) =>
    answerPage(c, { site: route.site, reader }, reportPage(reporting, language, { problem, typed }), status);
  if (typed.reason === null) return refuse('choose_one', 400);
  if (Array.from(typed.words).length > REPORT_CHARACTERS_MAX) return refuse('too_long', 400);
  const nowMs = route.now();
  const { amountMicroUsdc, ...about } = subject;
  const report = {
    ...about,
    id: route.ids.reportId(),
    reason: typed.reason,
    words: toShownText(typed.words, REPORT_CHARACTERS_MAX),
    reporter: opaque(callerAddress(c, route.isTrustedProxy)),
    share: reportShareOf(amountMicroUsdc),
  };
  const result = await storeReport(route.store, report, nowMs);
  if (result.kind !== 'refused') return answerPage(c, { site: route.site, reader }, reportedPage(reporting, language));
  c.header('Retry-After', String(Math.ceil((result.againAtMs - nowMs) / 1000)));
  return refuse(result.limit, 429);
}

/** Reports are kept longer than addresses may be. */
function opaque(address: string): string {
  return createHash('sha256').update(`pennypost/report/${address}`).digest('hex').slice(0, 24);
}
