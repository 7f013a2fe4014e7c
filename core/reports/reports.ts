/** What a report says, and how many of them anyone can cause. Pure. */

/** What can be reported: a payment with its note, or the text of a page that a person has made. */
export const REPORTED_KINDS = ['payment', 'page'] as const;
export type ReportedKind = (typeof REPORTED_KINDS)[number];

export const REPORT_REASONS = ['trick', 'pretends', 'insults', 'not_meant', 'other'] as const;
export type ReportReason = (typeof REPORT_REASONS)[number];

export const REPORT_CHARACTERS_MAX = 500;

/** More reports of the same thing tell the operator nothing. */
export const REPORTS_PER_SUBJECT_MAX = 5;
export const REPORTS_PER_HOUR_MAX = 5;
/** Of all callers together. */
export const REPORTS_PER_DAY_MAX = 200;
/** Anyone can make payments of a cent to report, so those leave half of the day's reports to the others. */
export const SMALL_REPORTS_PER_DAY_MAX = 100;
const SMALL_BELOW_MICRO_USDC = 500_000n;

export const REPORT_SHARES = ['small', 'large'] as const;
export type ReportShare = (typeof REPORT_SHARES)[number];

/** Which part of the day's reports one takes, by the money that it is about. */
export function reportShareOf(amountMicroUsdc: bigint): ReportShare {
  return amountMicroUsdc < SMALL_BELOW_MICRO_USDC ? 'small' : 'large';
}

/** `today`: what was stored since the day began. */
export function hasRoomFor(share: ReportShare, today: Readonly<Record<ReportShare, number>>): boolean {
  if (today.small + today.large >= REPORTS_PER_DAY_MAX) return false;
  return share === 'large' || today.small < SMALL_REPORTS_PER_DAY_MAX;
}
