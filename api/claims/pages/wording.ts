import { claimMethodOf, platformRow, type Platform } from '../../../core/platforms/platforms.ts';
import { personName } from '../../../core/platforms/person-name.ts';
import type { Recipient } from '../../../core/platforms/recipient.ts';
import { PROOF_REFUSALS } from '../../../identity/proofs/port.ts';
import type { ClaimView } from '../claims.ts';
import { isRefusalReason } from '../refuse.ts';

/** The proven name; before the proof, the requested one. */
export function ownerOf({ provenName, recipient }: ClaimView): string {
  const { platform } = recipient;
  return personName(provenName === null ? recipient : { platform, key: provenName.slice(platform.length + 1) });
}

/** The page where collecting begins, for this name. */
export function startPath({ platform, key }: Pick<Recipient, 'platform' | 'key'>, receiptSlug: string | null): string {
  const path = `/claim/${platform}/${encodeURIComponent(key)}`;
  return receiptSlug === null ? path : `${path}?${new URLSearchParams({ receipt: receiptSlug }).toString()}`;
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

/** How the name is proven, as the step that follows. */
export function howToProve(platform: Platform, name: string): string {
  const { title } = platformRow(platform);
  switch (claimMethodOf(platform)) {
    case 'oauth':
      return `Next you sign in with ${title}, so that nobody else can take it.`;
    case 'siwf':
      return 'Next you say yes in your Farcaster app, so that nobody else can take it.';
    case 'email':
      return `Next we send a code to ${name}, so that nobody else can take it.`;
    case 'domain':
      return `Next you publish one line on ${name}, so that nobody else can take it.`;
    case 'chat':
      return `This is collected in ${title} itself, where our bot sees that it is you.`;
  }
}

/** Why a proof was refused, with what to do about it. */
export function whyRejected(reason: string | null, name: string): string {
  if (reason === 'wrong_account') return `${PROOF_REFUSALS.wrong_account} Sign in as ${name}, then it works.`;
  if (reason === 'unavailable') return 'The other side did not answer. Try again in a moment.';
  return isRefusalReason(reason) ? PROOF_REFUSALS[reason] : 'This could not be proven. Nothing was moved.';
}

/** In fours, as people compare long numbers. */
export function groupsOf(address: string): string[] {
  return address.match(/.{1,4}/g) ?? [];
}

/** `0x1234…abcd`. */
export function shorten(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
}
