import type { Language } from '../../../core/languages.ts';
import { GOING_BACK } from '../../../texts/going-back/languages.ts';
import { RECEIPT_PAGES } from '../../../texts/receipt-page/languages.ts';
import { time } from '../../../web/components/time.ts';
import type { Html } from '../../../web/html.ts';

/** In which language a page is read, and when. */
export type Reading = { language: Language; nowMs: number };

/** Nearer than this a day alone says too little: money that goes back at nine in the morning does not wait all day. */
const MINUTE_FROM_MS = 48 * 3_600_000;

/** When money goes back that waits, in the reader's own zone: the day, and at the end the minute too. */
export function deadline(at: Date, { language, nowMs }: Reading): Html {
  return at.getTime() - nowMs > MINUTE_FROM_MS
    ? time(at, GOING_BACK[language].day(at), 'day')
    : time(at, RECEIPT_PAGES[language].minute(at));
}
