import { z } from 'zod';
import type { Skill } from '../../../core/catalog/skills.ts';
import { AppError } from '../../../core/errors.ts';
import { REFUSAL_TEXTS } from '../../../core/payments/refusals.ts';
import type { TaskRow } from '../../../db/tasks/open.ts';
import { acceptForTask } from '../pay.ts';
import { Refusal } from '../refusal.ts';
import { answerConfirmed, type SkillAnswer } from './skill-answer.ts';
import { toPaidRequest } from '../skills.ts';
import type { TaskContext } from '../task-context.ts';

/** A task that asks for a transfer may be paid by a signature as well: whichever comes first takes it. */
export async function paySigned(
  { dependencies, caller }: TaskContext,
  skill: Skill,
  task: TaskRow,
  proof: string,
): Promise<SkillAnswer> {
  const params = z.record(z.string(), z.unknown()).parse(task.params);
  const request = toPaidRequest(dependencies, skill, params, caller);
  const accepted = await acceptForTask(dependencies, request, task.id, proof);
  switch (accepted.kind) {
    case 'challenge': {
      const { reason } = accepted;
      throw new Refusal('payment_not_accepted', { field: 'payment', reason, detail: REFUSAL_TEXTS[reason] });
    }
    case 'pending':
      throw new AppError('settlement_pending', { settlementAttemptId: accepted.payment.id, retryAfterSeconds: 5 });
    case 'settled':
      return answerConfirmed({ caller }, task.id, accepted.payment, accepted.payment.answer ?? {});
  }
}
