import { AppError } from '../../core/errors.ts';
import { taskOrderId } from '../../core/tasks.ts';
import { findProof } from '../../db/payments/records/find.ts';
import { paymentOfOrder } from '../../db/tasks/messages.ts';
import { accept, type Accepted } from '../payments/accept.ts';
import type { PaidRequest } from '../payments/request.ts';
import type { ApiDependencies } from '../environment/dependencies.ts';
import { readProof } from '../payments/proof.ts';

/** Takes a signed payment for a task and for nothing else. */
export async function acceptForTask(
  dependencies: ApiDependencies,
  request: PaidRequest,
  taskId: string,
  proof: string,
): Promise<Accepted> {
  await refuseProofOfAnother(dependencies, taskId, proof);
  const accepted = await accept(dependencies, { ...request, proofHeader: proof, orderId: taskOrderId(taskId) });
  // Two tasks may be shown it at the same moment, when it is new to both: only one of them gets it.
  if (accepted.kind !== 'challenge') await refuseProofOfAnother(dependencies, taskId, proof);
  return accepted;
}

/**
 * Anyone can copy a settled payment from the chain and open a task with the same arguments, so a payment for another
 * task shows no receipt. A proof that joined an earlier payment never landed, so only its payer has it.
 */
async function refuseProofOfAnother(
  dependencies: Pick<ApiDependencies, 'store' | 'networks'>,
  taskId: string,
  proof: string,
): Promise<void> {
  const { store, networks } = dependencies;
  const reading = readProof(proof, networks);
  if (reading.kind !== 'proof') return;
  const { network, authorization, payloadHash } = reading.proof;
  const row = await findProof(store, network.terms.network, authorization.from, authorization.nonce);
  if (row === null || row.alias || row.payloadHash !== payloadHash) return;
  if (row.paymentId === (await paymentOfOrder(store, taskId))) return;
  throw new AppError('payment_already_used', { field: 'payment' });
}
