import { z } from 'zod';
import type { Skill } from '../../../core/catalog/skills.ts';
import { AppError } from '../../../core/errors.ts';
import { NETWORKS } from '../../../core/networks.ts';
import { requestHash } from '../../../core/request-hash.ts';
import { paymentPayloadSchema, toHeader } from '../../../core/payments/x402.ts';
import { findTask, type FoundTask } from '../../../db/tasks/find.ts';
import { Refusal } from '../refusal.ts';
import { bareAddress } from './refund-address.ts';
import { answerConfirmed, answerRequired, type SkillAnswer } from './skill-answer.ts';
import { confirmTransfer } from './skill-confirm.ts';
import { isSkillTaskId, openSkillTask } from './skill-open.ts';
import { paySigned } from './skill-signed.ts';
import { priceOf, toPaidRequest } from '../skills.ts';
import { paymentTaking } from './taken.ts';
import type { TaskContext } from '../task-context.ts';

const TEXT_MAX = 200;

const text = z.string().min(1).max(TEXT_MAX);
const transfer = z.object({ network: text, transactionHash: text });
const object = z.record(z.string(), z.unknown());
/** Also a signed x402 payment, which some clients send under the same key. */
const call = z.object({
  taskId: text.nullish(),
  payment: object.nullish(),
  refund_address: z.union([text.transform((one) => [one]), z.array(text).min(1).max(NETWORKS.length)]).nullish(),
});

/** The keys of a call that are not the skill's own. */
const OF_THE_CALL = ['taskId', 'payment', 'refund_address'];

/** A skill-named call: the first opens a task with its price, the second proves the payment. */
export async function callSkill(
  context: TaskContext,
  skill: Skill,
  params: Record<string, unknown>,
): Promise<SkillAnswer> {
  const read = call.safeParse(params);
  if (!read.success) {
    const field = String(read.error.issues[0]?.path[0] ?? 'params');
    throw new Refusal('invalid_params', {
      field,
      detail: WANTED[field] ?? `"${field}" does not have the form wanted.`,
    });
  }
  const { taskId = null, payment = null, refund_address: refundAddresses = null } = read.data;
  const body = Object.fromEntries(Object.entries(params).filter(([key]) => !OF_THE_CALL.includes(key)));
  if (taskId === null) {
    if (payment !== null) throw new Refusal('payment_without_task', { field: 'taskId' });
    return openSkillTask(context, skill, body, refundAddresses ?? []);
  }
  const found = await requireSame(context, skill, { taskId, body, refundAddresses });
  if (payment === null) return answerStanding(context, skill, found);
  const signed = paymentPayloadSchema.safeParse(payment);
  if (signed.success) return paySigned(context, skill, found.task, toHeader(signed.data));
  const moved = transfer.safeParse(payment);
  if (!moved.success) throw new Refusal('invalid_params', { field: 'payment', detail: WANTED['payment'] });
  return confirmTransfer(context, found, moved.data);
}

const WANTED: Readonly<Record<string, string>> = {
  taskId: '"taskId" must be the text that the first answer gave.',
  payment: '"payment" must be {"network": "…", "transactionHash": "…"}.',
  refund_address: '"refund_address" must be an address as text, or a list with one for each network.',
};

/**
 * With a taskId the arguments may be left out, because the task has them. A caller that repeats them must repeat them
 * all unchanged, or it would believe it paid for something else.
 */
async function requireSame(
  { dependencies }: TaskContext,
  skill: Skill,
  {
    taskId,
    body,
    refundAddresses,
  }: { taskId: string; body: Record<string, unknown>; refundAddresses: string[] | null },
): Promise<FoundTask> {
  const found = isSkillTaskId(taskId) ? await findTask(dependencies.store, taskId) : null;
  if (found === null) throw new Refusal('unknown_task', { field: 'taskId' });
  const { task } = found;
  if (task.skill !== skill.id) throw new Refusal('task_arguments_changed', { field: 'method' });
  const isRepeated = Object.keys(body).length > 0;
  const hash = requestHash(task.operation, { platform: task.platform }, body);
  if (isRepeated && hash !== task.requestHash) throw new Refusal('task_arguments_changed', { field: 'params' });
  const known = task.refundAddresses.map(({ address }) => address);
  if (refundAddresses !== null && namesOf(refundAddresses) !== namesOf(known)) {
    throw new Refusal('task_arguments_changed', { field: 'refund_address' });
  }
  return found;
}

function namesOf(addresses: readonly string[]): string {
  return addresses
    .map((one) => bareAddress(one).toLowerCase())
    .toSorted()
    .join(' ');
}

/** A call without a payment gets the state of the task. */
async function answerStanding(context: TaskContext, skill: Skill, found: FoundTask): Promise<SkillAnswer> {
  const { task } = found;
  const payment = await paymentTaking(context.dependencies.store, found);
  if (payment !== null && payment.answer !== null) return answerConfirmed(context, task.id, payment, payment.answer);
  // A caller that got the price now would pay twice.
  if (payment !== null) {
    throw new AppError('settlement_pending', { settlementAttemptId: payment.id, retryAfterSeconds: 5 });
  }
  const params = object.parse(task.params);
  const challenge = await priceOf(
    context.dependencies,
    toPaidRequest(context.dependencies, skill, params, context.caller),
  );
  return answerRequired(context, found, challenge);
}
