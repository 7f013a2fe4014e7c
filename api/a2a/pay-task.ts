import type { Task } from '@a2a-js/sdk';
import { extendMessageTask, keepPaymentOf, noteRefusal, type MessageTaskRow } from '../../db/tasks/messages.ts';
import type { ApiDependencies } from '../environment/dependencies.ts';
import { readProof } from '../payments/proof.ts';
import { generationOf } from '../../core/payments/x402.ts';
import { settlementOf } from '../payments/terms.ts';
import { acceptForTask } from './pay.ts';
import { requireSkill, toPaidRequest } from './skills.ts';
import { OPEN_MS, type TaskContext } from './task-context.ts';
import { toTask } from './task-view.ts';
import { toPaymentRequired } from './terms.ts';

/**
 * Takes a signed payment for a task. A caller that does not want to wait is answered like one that hung up: the payment
 * goes on, and the task shows its progress.
 */
export async function payTask(
  { dependencies, skills, caller }: TaskContext,
  task: MessageTaskRow,
  proof: string,
  isImpatient: boolean,
): Promise<Task> {
  const { store, now } = dependencies;
  const request = toPaidRequest(dependencies, requireSkill(skills, task.skillId, caller), task.params, caller);
  await extendMessageTask(store, task.id, now() + OPEN_MS);
  const accepted = await acceptForTask(dependencies, { ...request, isImpatient }, task.id, proof);
  const shown = { ...task, sinceMs: now() };
  switch (accepted.kind) {
    case 'challenge': {
      const { reason } = accepted;
      const network = networkOf(dependencies, proof);
      const refusals = await noteRefusal(store, task.id, {
        success: false,
        errorReason: reason,
        network,
        transaction: '',
      });
      const required = toPaymentRequired(dependencies, accepted, caller.isFirstGeneration);
      return toTask({ ...shown, refusals }, { kind: 'payment-failed', reason, required });
    }
    case 'pending':
      await keepPaymentOf(store, task.id, {
        paymentId: accepted.payment.id,
        generation: generationOf(proof),
        nowMs: now(),
      });
      return toTask(shown, { kind: 'settling' });
    case 'settled': {
      const { payment } = accepted;
      const generation = generationOf(proof);
      await keepPaymentOf(store, task.id, { paymentId: payment.id, generation, nowMs: now() });
      caller.handsOver(payment.id);
      const settlement = settlementOf(dependencies, payment, generation);
      const sinceMs = payment.settledAtMs ?? shown.sinceMs;
      return toTask({ ...shown, sinceMs }, { kind: 'completed', answer: payment.answer ?? {}, settlement });
    }
  }
}

function networkOf({ networks }: Pick<ApiDependencies, 'networks'>, proof: string): string {
  const reading = readProof(proof, networks);
  if (reading.kind !== 'proof') return 'unknown';
  const { v1Name, caip2 } = reading.proof.network.terms;
  return generationOf(proof) === 1 ? v1Name : caip2;
}
