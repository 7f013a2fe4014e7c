import { AppError } from '../../core/errors.ts';
import { findForbidden, type ProofRefusal, type TransferRefusal } from '../../core/payments/refusals.ts';
import type { Proof } from './proof.ts';
import { refusalWhilePaused } from './serving.ts';

/** Throws AppError for what the issuer forbids: a 402 would ask to sign again. Any other reason is given back. */
export async function refuseForbidden(
  reason: TransferRefusal,
  proof: Pick<Proof, 'network' | 'authorization'>,
): Promise<ProofRefusal> {
  const forbidden = findForbidden(reason);
  if (forbidden === 'payer_barred') throw new AppError('payer_barred');
  if (forbidden === 'token_paused') throw await refusalWhilePaused(proof);
  return reason as ProofRefusal;
}
