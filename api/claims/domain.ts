import { createHash } from 'node:crypto';
import type { ClaimRow } from '../../db/claims/find.ts';
import { toPayoutQuery } from '../../identity/proofs/payout.ts';
import type { Proven } from '../../identity/proofs/port.ts';
import type { WebInstructions } from '../../identity/proofs/web.ts';
import { stepLimit } from './begin.ts';
import type { ClaimsDependencies } from './dependencies.ts';
import { failureOf } from './refuse.ts';

type Asked = Pick<ClaimRow, 'id' | 'key' | 'payout'>;

export function domainInstructions({ proofs }: Pick<ClaimsDependencies, 'proofs'>, claim: Asked): WebInstructions {
  return proofs.web.instructions({ host: claim.key, token: tokenOf(claim) });
}

/** Checks whether the claim's line is published now. Throws AppError where it is not. */
export async function checkDomain({ proofs }: Pick<ClaimsDependencies, 'proofs'>, claim: Asked): Promise<Proven> {
  const outcome = await proofs.web.check({ host: claim.key, token: tokenOf(claim), signal: stepLimit() });
  if (outcome.kind === 'proven') return outcome;
  throw failureOf(outcome);
}

/**
 * Derived from the claim's random id, so it is just as random and can be checked again before the claim is confirmed.
 * It names where the money goes, so that an owner who is tricked into publishing another person's line can see it.
 */
function tokenOf({ id, payout }: Asked): string {
  const random = createHash('sha256').update(`pennypost/domain/${id}`).digest('base64url').slice(0, 22);
  return random + [...toPayoutQuery(payout)].map(([name, value]) => `:${name}=${value}`).join('');
}
