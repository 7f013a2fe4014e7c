import { ERRORS, type AppError, type ErrorCode } from '../../core/errors.ts';
import type { Language } from '../../core/languages.ts';
import { findPlatform, platformRow } from '../../core/platforms/platforms.ts';
import { CLAIM_PAGES } from '../claim-pages/languages.ts';
import { problemsDe } from './de.ts';
import { problemsEn, type ProblemTexts } from './en.ts';
import { problemsEs } from './es.ts';
import { problemsJa } from './ja.ts';
import { problemsPt } from './pt.ts';

export const PROBLEMS: Readonly<Record<Language, ProblemTexts>> = {
  en: problemsEn,
  es: problemsEs,
  de: problemsDe,
  pt: problemsPt,
  ja: problemsJa,
};

/** For what an error does not tell apart itself. */
const BY_CODE: Partial<Record<ErrorCode, PlainProblem>> = {
  validation_failed: 'notThisForm',
  invalid_payout_address: 'noAddress',
  claim_refused: 'doneAlready',
  claim_expired: 'claimOver',
  upstream_unavailable: 'noAnswer',
  rate_limited: 'tooFast',
  too_many_claims: 'tooFast',
  claim_not_found: 'missing',
  not_found: 'missing',
  internal_error: 'ourSide',
  service_paused: 'ourSide',
  service_closing: 'closing',
  declined: 'declined',
};

type PlainProblem = { [Key in keyof ProblemTexts]: ProblemTexts[Key] extends string ? Key : never }[keyof ProblemTexts];

/**
 * What went wrong, for a person. The words of an error itself are English and often more exact, so English readers get
 * those, but for names; others get the sentence of its case (`reason`), else of its code. `platform`: where a name was looked for.
 */
export function problemText(error: AppError, language: Language, platform: string | null = null): string {
  const { detail, reason } = error.context;
  const known = findPlatform(platform ?? '');
  // Of a name the error tells a program which character is wrong; a person is helped more by a right one.
  if (error.code === 'invalid_receiver' && known !== null) return PROBLEMS[language].noName(platformRow(known).example);
  if (language === 'en') return detail ?? ERRORS[error.code].detail;
  const words = PROBLEMS[language];
  const { refusals } = CLAIM_PAGES[language];
  if (has(refusals, reason)) return refusals[reason];
  if (has(words.addresses, reason)) return words.addresses[reason];
  if (reason === 'mails_used_up') return words.mailsUsedUp(minutesOf(error));
  if (has(BY_REASON, reason)) return words[BY_REASON[reason]];
  if (has(refusals, error.code)) return refusals[error.code];
  return words[BY_CODE[error.code] ?? 'other'];
}

const BY_REASON = {
  no_address: 'noAddress',
  other_network: 'otherNetwork',
  not_kept: 'notKept',
  mail_not_sent: 'mailNotSent',
} as const satisfies Record<string, PlainProblem>;

function has<Table extends object>(table: Table, key: string | undefined): key is keyof Table & string {
  return key !== undefined && Object.hasOwn(table, key);
}

function minutesOf({ context: { retryAfterSeconds = 60 } }: AppError): number {
  return Math.max(1, Math.ceil(retryAfterSeconds / 60));
}
