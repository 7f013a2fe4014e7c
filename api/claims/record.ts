import type { ClaimRow } from '../../db/claims/find.ts';
import { markVerified } from '../../db/claims/verify.ts';
import type { Proven } from '../../identity/proofs/port.ts';
import type { ClaimsDependencies } from './dependencies.ts';
import { recipientOf } from './recipient.ts';

/** Stores the proven identity. False: it is not the recipient, and the claim is over. */
export async function recordProven(
  { store, ids, now, announce }: ClaimsDependencies,
  claim: ClaimRow,
  { stableId, handle, sinceMs }: Proven,
): Promise<boolean> {
  const { platform } = recipientOf(claim);
  // The spelling of the claim, unless another name was proven.
  const display = handle === claim.key ? claim.display : handle;
  const person = { platform, stableId, key: handle, display, ...(sinceMs === undefined ? {} : { sinceMs }) };
  const result = await markVerified(store, { claimId: claim.id, person, nowMs: now() }, ids.identityId());
  // `not_open`: another request was faster, and the row has the outcome.
  if (result !== 'not_open') announce(claim.id);
  return result !== 'wrong_account';
}
