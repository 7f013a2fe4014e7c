import type { SendMessageRequest, Task } from '@a2a-js/sdk';
import type { Skill } from '../../../core/catalog/skills.ts';
import type { PushProtocol } from '../../../core/events/push.ts';
import { AppError } from '../../../core/errors.ts';
import { REFUSAL_TEXTS, type ProofRefusal } from '../../../core/payments/refusals.ts';
import { requestHash } from '../../../core/request-hash.ts';
import type { PaymentRow } from '../../../db/payments/records/find.ts';
import {
  cancelMessageTask,
  findMessageTask,
  openMessageTask,
  restateMessageTask,
  type MessageTaskRow,
  type NewMessageTask,
} from '../../../db/tasks/messages.ts';
import { describePrice, settlementOf } from '../../payments/terms.ts';
import { readMessage, type ReadMessage } from '../message.ts';
import { ASKING, questionOf, readText, toReading } from '../sentences/reading.ts';
import { addTarget, askConsent, readTarget, toEndpoint } from '../push/configs.ts';
import type { WantedTarget } from '../push/target.ts';
import { payTask } from '../pay-task.ts';
import { Refusal } from '../refusal.ts';
import { findSkill, priceOf, requireSkill, toPaidRequest } from '../skills.ts';
import { OPEN_MS, TASK_ID, type TaskContext } from '../task-context.ts';
import { toTask, type Standing } from '../task-view.ts';
import { toPaymentRequired } from '../terms.ts';

/** Unpaid tasks of one address at a time; local mode and our bot may have any number. */
const OPEN_MAX = 1_000;

export type Found = { task: MessageTaskRow; payment: PaymentRow | null };

/** `SendMessage` and `message/send`: opens a task with its price, or goes on with one. */
export async function sendMessage(
  context: TaskContext,
  request: SendMessageRequest,
  protocol: PushProtocol,
): Promise<Task> {
  const message = readMessage(request);
  const wanted = request.configuration?.taskPushNotificationConfig;
  const target = wanted === undefined ? null : readTarget(context, wanted, protocol);
  if (message.taskId === null) return openTask(context, message, target);
  const found = await requireTask(context, message.taskId);
  assertSame(context, found.task, message);
  if (target !== null) await addBeside(context, found, message, target);
  if (message.isRejection) return cancelTask(context, found.task.id);
  if (found.task.skillId === ASKING && !isCanceled(found)) return goOnAsking(context, found, message);
  if (message.proof !== null) {
    if (isCanceled(found)) throw new Refusal('unsupported_operation', { detail: 'This task was called off.' });
    return payTask(context, found.task, message.proof, message.isImpatient);
  }
  if (isOver(found)) throw new Refusal('unsupported_operation', { detail: 'This task is over; GetTask shows it.' });
  return showTask(context, found);
}

/**
 * A payment is neither refused for who is to be told of it nor waits for that address: its answer may take seconds, and a
 * stranger may use up what may be asked of it. Who answers when the payment is over already is told its end.
 */
async function addBeside(
  context: TaskContext,
  { task }: Found,
  { proof }: ReadMessage,
  target: WantedTarget,
): Promise<void> {
  if (proof === null) return void (await addTarget(context, task, target));
  addTarget(context, task, target, 'told its end').catch((error: unknown) =>
    context.dependencies.log.info({ taskId: task.id, err: error }, 'a paid task tells no receiver'),
  );
}

/** `GetTask` and `tasks/get`. */
export async function getTask(context: TaskContext, id: string): Promise<Task> {
  return showTask(context, await requireTask(context, id));
}

/** `CancelTask` and `tasks/cancel`; a payment request that the caller refuses ends here too. */
export async function cancelTask(context: TaskContext, id: string): Promise<Task> {
  const { store, now } = context.dependencies;
  const found = await requireTask(context, id);
  if (isCanceled(found)) return showTask(context, found);
  if (!(await cancelMessageTask(store, id, now()))) throw new Refusal('task_not_cancelable');
  return showTask(context, await requireTask(context, id));
}

async function openTask(
  { dependencies, skills, caller }: TaskContext,
  message: ReadMessage,
  target: WantedTarget | null,
): Promise<Task> {
  const { store, ids, now, settings } = dependencies;
  if (message.proof !== null || message.isRejection) throw new Refusal('payment_without_task', { field: 'taskId' });
  const stated = await state({ dependencies, skills, caller }, message);
  const consentAtMs = target === null ? null : await askConsent({ dependencies, caller }, target.url);
  const nowMs = now();
  const task: NewMessageTask = {
    id: ids.slug(),
    contextId: message.contextId ?? ids.slug(),
    isOurContext: message.contextId === null,
    skillId: stated.skillId,
    params: stated.params,
    openedBy: caller.address,
    createdAtMs: nowMs,
    expiresAtMs: nowMs + OPEN_MS,
  };
  const openMax = caller.isBot || settings.localMode ? null : OPEN_MAX;
  const endpoint =
    target === null || consentAtMs === null ? null : { ...toEndpoint(ids, task, target), consentAtMs, nowMs };
  const opened = await openMessageTask(store, task, openMax, endpoint);
  if (opened.kind === 'too-many-open') {
    const detail = `At most ${OPEN_MAX} tasks may be open and unpaid; pay, cancel, or wait until one expires.`;
    const retryAfterSeconds = Math.max(1, Math.ceil((opened.freeAtMs - nowMs) / 1_000));
    throw new AppError('rate_limited', { detail, retryAfterSeconds });
  }
  return toTask({ ...task, refusals: [], sinceMs: nowMs }, stated.standing);
}

type Stated = Pick<MessageTaskRow, 'skillId' | 'params'> & { standing: Standing };

/** What a message asks for: a call with its price, or words that we have to ask about. */
async function state({ dependencies, skills, caller }: TaskContext, message: ReadMessage): Promise<Stated> {
  const { call, text } = message;
  const reading = call === null && text !== null ? readText(offeredBy({ dependencies, skills }), text) : null;
  if (reading?.kind === 'question') {
    return { skillId: ASKING, params: reading.params, standing: { kind: 'question', text: reading.question } };
  }
  const named = call ?? reading;
  if (named === null) {
    const detail =
      'The message calls no skill: send a data part {"skill": "pennypost.pay.x", "params": {…}}, or a text.';
    throw new Refusal('invalid_params', { field: 'message.parts', detail });
  }
  const skill = requireSkill(skills, named.skillId, caller);
  const standing = await standingPriced({ dependencies, skills, caller }, skill, named.params);
  return { skillId: skill.id, params: named.params, standing };
}

const offeredBy = ({ dependencies, skills }: Pick<TaskContext, 'dependencies' | 'skills'>) => ({
  skills,
  networks: dependencies.networks.map(({ terms }) => terms.network),
});

/** A task that asks takes another message for its answer; only once it is priced can it be paid. */
async function goOnAsking(context: TaskContext, found: Found, message: ReadMessage): Promise<Task> {
  const { store, now } = context.dependencies;
  if (message.proof !== null) {
    const detail = 'The task still asks what is to be paid, so nothing can be paid for it.';
    throw new Refusal('unsupported_operation', { detail });
  }
  if (message.call === null && message.text === null) return showTask(context, found);
  const { standing, ...stated } = await state(context, message);
  const nowMs = now();
  const isRestated = await restateMessageTask(store, found.task, { ...stated, expiresAtMs: nowMs + OPEN_MS });
  if (!isRestated) return getTask(context, found.task.id);
  return toTask({ ...found.task, sinceMs: sinceOf(found) }, standing);
}

/** The payment of a task, once it has one. */
export async function paymentOf(context: TaskContext, id: string): Promise<string | null> {
  return (await requireTask(context, id)).payment?.id ?? null;
}

async function requireTask({ dependencies }: TaskContext, id: string): Promise<Found> {
  const found = TASK_ID.test(id) ? await findMessageTask(dependencies.store, id) : null;
  if (found === null) throw new Refusal('task_not_found', { field: 'taskId' });
  return found;
}

/** The payment is bound to the request that opened the task, which never changes. */
function assertSame({ skills, caller }: TaskContext, task: MessageTaskRow, { contextId, call }: ReadMessage): void {
  if (contextId !== null && contextId !== task.contextId) {
    throw new Refusal('invalid_params', { field: 'message.contextId', detail: 'The task belongs to another context.' });
  }
  if (call === null || task.skillId === ASKING) return;
  const skillId = findSkill(skills, call.skillId, caller)?.id ?? call.skillId;
  const given = requestHash(skillId, {}, call.params);
  if (given !== requestHash(task.skillId, {}, task.params)) throw new Refusal('task_arguments_changed');
}

/** What the state of a task follows from. */
type Moves = {
  task: Pick<MessageTaskRow, 'canceledAtMs' | 'createdAtMs'>;
  payment: Pick<PaymentRow, 'status' | 'settledAtMs' | 'createdAtMs'> | null;
};

export function isCanceled({ task, payment }: Moves): boolean {
  return task.canceledAtMs !== null && (payment === null || payment.status === 'rejected');
}

function isOver(found: Found): boolean {
  return isCanceled(found) || (found.payment !== null && found.payment.answer !== null);
}

/** The task as its payment's row has it. A caller that sees it completed has received the answer. */
export async function showTask(context: TaskContext, found: Found): Promise<Task> {
  const { task, payment } = found;
  const { dependencies, caller } = context;
  const sinceMs = sinceOf(found);
  if (payment !== null && payment.answer !== null) {
    caller.handsOver(payment.id);
    const settlement = settlementOf(dependencies, payment, task.generation ?? (caller.isFirstGeneration ? 1 : 2));
    return toTask({ ...task, sinceMs }, { kind: 'completed', answer: payment.answer, settlement });
  }
  if (payment !== null && payment.status !== 'rejected') return toTask({ ...task, sinceMs }, { kind: 'settling' });
  if (isCanceled(found)) return toTask({ ...task, sinceMs }, { kind: 'canceled' });
  return toTask({ ...task, sinceMs }, await standingUnpaid(context, found));
}

/** When the task came into its state. */
export function sinceOf({ task, payment }: Moves): number {
  return payment?.settledAtMs ?? payment?.createdAtMs ?? task.canceledAtMs ?? task.createdAtMs;
}

async function standingUnpaid(context: TaskContext, { task, payment }: Found): Promise<Standing> {
  const { skills, caller } = context;
  if (task.skillId === ASKING) return { kind: 'question', text: questionOf(offeredBy(context), task.params) };
  const priced = await standingPriced(context, requireSkill(skills, task.skillId, caller), task.params);
  const reason = payment?.rejectReason;
  if (reason !== undefined && reason !== null && isRefusal(reason)) {
    return { kind: 'payment-failed', reason, required: priced.required };
  }
  return priced;
}

async function standingPriced(
  { dependencies, caller }: TaskContext,
  skill: Skill,
  params: Record<string, unknown>,
): Promise<Extract<Standing, { kind: 'payment-required' }>> {
  const challenge = await priceOf(dependencies, toPaidRequest(dependencies, skill, params, caller));
  const required = toPaymentRequired(dependencies, challenge, caller.isFirstGeneration);
  const reading = toReading(skill, params);
  const read = reading === null ? '' : ` This pays ${reading.sentence}.`;
  return {
    kind: 'payment-required',
    text: `Payment is required. ${describePrice(challenge)}.${read}`,
    required,
    reading,
  };
}

function isRefusal(reason: string): reason is ProofRefusal {
  return Object.hasOwn(REFUSAL_TEXTS, reason);
}
