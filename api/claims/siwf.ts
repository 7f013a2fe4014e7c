import { AppError } from '../../core/errors.ts';
import { findClaim, type ClaimRow } from '../../db/claims/find.ts';
import { keepProof } from '../../db/claims/proof.ts';
import type { FarcasterProof } from '../../identity/proofs/farcaster.ts';
import type { Proven } from '../../identity/proofs/port.ts';
import { beginProof, stepLimit } from './begin.ts';
import type { ClaimsDependencies } from './dependencies.ts';
import { recipientOf } from './recipient.ts';
import { failureOf } from './refuse.ts';
import { readProofOf, type StoredProof } from './stored-proof.ts';

type Kept = Extract<StoredProof, { method: 'siwf' }>;

/**
 * Asks the relay whether the person has signed, and judges what was signed. Null: not yet. An expired sign-in is
 * replaced before that is reported, so that the page can show the new link.
 */
export async function pollFarcaster(dependencies: ClaimsDependencies, claim: ClaimRow): Promise<Proven | null> {
  const farcaster = farcasterOf(dependencies);
  const kept = readProofOf(claim, 'siwf');
  const signed = kept === null ? null : await collect(dependencies, farcaster, claim, kept);
  if (signed === null) return null;
  const outcome = await farcaster.finish({ ...signed, signal: stepLimit() });
  if (outcome.kind === 'proven') return outcome;
  // With no answer it may still be right, so it is judged again the next time.
  if (outcome.kind === 'refused') await startAgain(dependencies, claim);
  throw failureOf(outcome);
}

type Signed = { channel: Kept['channel']; signed: NonNullable<Kept['signed']> };

async function collect(
  dependencies: ClaimsDependencies,
  farcaster: FarcasterProof,
  claim: ClaimRow,
  { channel, signed }: Kept,
): Promise<Signed | null> {
  if (signed !== null) return { channel, signed };
  const answer = await farcaster.poll({ channel, signal: stepLimit() });
  switch (answer.kind) {
    case 'pending':
      return null;
    case 'signed':
      // Stored at once: the relay has forgotten it by now.
      await keepProof(dependencies.store, claim.id, { method: 'siwf', channel, signed: answer.signed } satisfies Kept);
      return { channel, signed: answer.signed };
    case 'refused': {
      // Two requests asked at the same moment, and the other one got the answer.
      if (await hasMoved(dependencies, claim, channel)) return null;
      await startAgain(dependencies, claim);
      throw failureOf(answer);
    }
    case 'unavailable':
      throw failureOf(answer);
  }
}

async function hasMoved({ store }: ClaimsDependencies, claim: ClaimRow, channel: Kept['channel']): Promise<boolean> {
  const row = await findClaim(store, claim.id);
  if (row?.status !== 'open') return true;
  const kept = readProofOf(row, 'siwf');
  return kept === null || kept.signed !== null || kept.channel.channelToken !== channel.channelToken;
}

async function startAgain(dependencies: ClaimsDependencies, claim: ClaimRow): Promise<void> {
  const wish = { recipient: recipientOf(claim), payout: claim.payout };
  await keepProof(dependencies.store, claim.id, await beginProof(dependencies, wish));
}

function farcasterOf({ proofs }: ClaimsDependencies): FarcasterProof {
  if (proofs.farcaster === null) throw new AppError('platform_unavailable');
  return proofs.farcaster;
}
