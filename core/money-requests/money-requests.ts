/** One member of a group asks another for money. */
const DAY_MS = 24 * 3_600_000;

/** After that it can no longer be paid. */
export const REQUEST_DAYS = 7;
export const REQUEST_MS = REQUEST_DAYS * DAY_MS;
/** How many of one person wait at once. */
export const REQUESTS_OPEN_MAX = 3;
/** A bill asks so many at once, in one message; it counts as one. */
export const BILL_PEOPLE_MAX = 10;
/** Within a day: by one person, and to one person from all others. */
export const REQUESTS_SENT_DAY_MAX = 10;
export const REQUESTS_GOT_DAY_MAX = 5;
export const REQUESTS_DAY_MS = DAY_MS;
/** An ended request is forgotten after that. */
export const REQUEST_KEPT_MS = 30 * DAY_MS;

/** Why a request reaches nobody. */
export type RequestProblem =
  | 'elsewhere'
  | 'too_many_people'
  | 'exact_amount'
  | 'not_here'
  | 'self'
  | 'bot'
  /** The person has not turned requests on and has never paid the asker, or does not want the asker. */
  | 'closed'
  | 'plain_reason'
  | 'too_many_open'
  | 'asked_often'
  | 'asks_often';

/** Such as a joiner between two emojis: it shows nothing, and would hide a name from who looks for one. */
const UNSEEN = /\p{Cf}/gu;

/**
 * A reason that leads nowhere: no link, no name of a page, no number to call or to pay. Names of pages may end in a mark, as
 * words in Hindi and Thai do.
 */
export function isPlainReason(reason: string): boolean {
  const seen = reason.normalize('NFKC').replaceAll(UNSEEN, '');
  return !/\p{N}|[@#]|:\/\/|[\p{L}\p{M}]\.[\p{L}\p{M}]{2,}/u.test(seen);
}
