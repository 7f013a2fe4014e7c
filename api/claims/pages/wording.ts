import type { Language } from '../../../core/languages.ts';
import { claimMethodOf, platformRow, type Platform } from '../../../core/platforms/platforms.ts';
import type { Recipient } from '../../../core/platforms/recipient.ts';
import { CLAIM_PAGES } from '../../../texts/claim-pages/languages.ts';
import { personName } from '../../../texts/names/person.ts';
import type { ClaimView } from '../claims.ts';
import { isRefusalReason } from '../refuse.ts';

/** The proven name; before the proof, the requested one. */
export function ownerOf({ provenName, recipient }: ClaimView, language: Language): string {
  const { platform } = recipient;
  const named = provenName === null ? recipient : { platform, key: provenName.slice(platform.length + 1) };
  return personName(named, language);
}

/** The page where collecting begins, for this name. */
export function startPath(
  { platform, key }: Pick<Recipient, 'platform' | 'key'>,
  receiptSlug: string | null,
  readerToken: string | null = null,
): string {
  const query = new URLSearchParams();
  if (receiptSlug !== null) query.set('receipt', receiptSlug);
  if (readerToken !== null) query.set('reader', readerToken);
  const path = `/claim/${platform}/${encodeURIComponent(key)}`;
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

/** Where a claim is opened, with the link in the address, which is looked at before a form is read. */
export function openPath(receiptSlug: string | null, readerToken: string | null = null): string {
  if (receiptSlug !== null) return `/claims?${new URLSearchParams({ receipt: receiptSlug }).toString()}`;
  return readerToken === null ? '/claims' : `/claims?${new URLSearchParams({ reader: readerToken }).toString()}`;
}

/**
 * The page of a claim. Only the browser that opened it sees it; the name in its query lets any other one, such as an
 * app's own browser, begin again for that name.
 */
export function claimPath({ claimId, recipient, receiptSlug }: ClaimView): string {
  const { platform, key } = recipient;
  const query = new URLSearchParams({ platform, handle: key });
  if (receiptSlug !== null) query.set('receipt', receiptSlug);
  return `/claims/${claimId}?${query.toString()}`;
}

/** Where a person sees what is kept here for them. */
export const PURSE_PATH = '/purse';

/** Signing in begins where the name is asked for. */
export function signInPath(platform: Platform): string {
  return `/claim/${platform}?for=purse`;
}

/** What the person does on our pages, in order. `name`: types the name, which no link of such a platform carries. */
type StepName = 'name' | 'choose' | 'prove' | 'confirm';

type Way = {
  recipient: Pick<Recipient, 'platform'>;
  receiptSlug: string | null;
  /** A link in a mail has proven the address: that step is done, and the others follow it. */
  isProven?: boolean;
};

/** `Step 2 of 3`: of those that this person goes through. The last one is to confirm. */
export function stepWords(
  step: StepName,
  { recipient, receiptSlug, isProven = false }: Way,
  language: Language,
): string {
  const { platform } = recipient;
  const words = CLAIM_PAGES[language];
  if (claimMethodOf(platform) === 'chat') return words.collect;
  const isAsked = receiptSlug !== null && platformRow(platform).mask !== undefined;
  const between: StepName[] = isProven ? ['prove', 'choose'] : ['choose', 'prove'];
  const names: StepName[] = [...(isAsked ? ['name' as const] : []), ...between, 'confirm'];
  return words.step(names.indexOf(step) + 1, names.length);
}

/** Why a proof was refused, with what to do about it. */
export function whyRejected(reason: string | null, name: string, language: Language): string {
  const { refusals, signInAsThen, noAnswer, notProven } = CLAIM_PAGES[language];
  if (reason === 'wrong_account') return `${refusals.wrong_account} ${signInAsThen(name)}`;
  if (reason === 'unavailable') return noAnswer;
  return isRefusalReason(reason) ? refusals[reason] : notProven;
}
