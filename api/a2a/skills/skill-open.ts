import { servedNetworks } from '../../payments/serving.ts';
import type { Skill } from '../../../core/catalog/skills.ts';
import { AppError } from '../../../core/errors.ts';
import type { RandomBytes } from '../../../core/ids.ts';
import { networkTitle } from '../../../core/networks.ts';
import { openTask, type NewTask, type OpenTaskResult } from '../../../db/tasks/open.ts';
import type { ApiDependencies } from '../../environment/dependencies.ts';
import { Refusal } from '../refusal.ts';
import { checkRefundAddresses } from './refund-address.ts';
import { answerRequired, type SkillAnswer } from './skill-answer.ts';
import { priceOf, toPaidRequest } from '../skills.ts';
import type { TaskContext } from '../task-context.ts';

/** The first call: opens a task with an address, amount and time of its own. */
export async function openSkillTask(
  context: TaskContext,
  skill: Skill,
  body: Record<string, unknown>,
  refundAddresses: readonly string[],
): Promise<SkillAnswer> {
  const { dependencies, caller } = context;
  const { now, settings, collecting } = dependencies;
  const request = toPaidRequest(dependencies, skill, body, caller);
  const challenge = await priceOf(dependencies, request);
  const refunds = await checkRefundAddresses(dependencies, refundAddresses);
  const task: NewTask = {
    id: newSkillTaskId(collecting.random),
    skill: skill.id,
    operation: request.operation,
    platform: skill.platform,
    params: body,
    requestHash: challenge.requestHash,
    caller: caller.isBot || settings.reservationsMax === null ? null : caller.address,
    unpaidMax: settings.reservationsMax ?? 0,
    agentKnown: caller.isBot,
    sumMicroUsdc: challenge.total - challenge.fee,
    feeMicroUsdc: challenge.fee,
    refundAddresses: refunds,
    claimTtlMs: settings.claimTtlMs,
    networks: await networksNow(dependencies),
    nowMs: now(),
  };
  const opened = await openWhereFree(dependencies, task);
  return answerRequired(context, opened, challenge);
}

/** 128 random bits: anyone who knows the id may pay, and see the receipt. */
function newSkillTaskId(random: RandomBytes): string {
  return `task_${Buffer.from(random(16)).toString('hex')}`;
}

/** Other texts never reach the database, because some databases refuse them. */
export function isSkillTaskId(text: string): boolean {
  return /^task_[0-9a-f]{32}$/.test(text);
}

/** Where a transfer can pay right now. */
async function networksNow(dependencies: ApiDependencies): Promise<NewTask['networks']> {
  const readers = servedNetworks(dependencies).flatMap(({ terms, transfers }) =>
    transfers ? [{ network: terms.network, transfers }] : [],
  );
  if (readers.length === 0) {
    const detail = 'Nothing can be paid by a plain transfer here; send a message and sign the payment.';
    throw new Refusal('unsupported_operation', { detail });
  }
  const heads = await Promise.all(
    readers.map(async ({ network, transfers }) => ({
      network,
      address: transfers.address,
      headBlock: await transfers.head(),
    })),
  );
  // A payment must come after the current head: without a head an old transfer could not be told from a new one.
  const known = heads.flatMap(({ headBlock, ...rest }) => (headBlock === null ? [] : [{ ...rest, headBlock }]));
  if (known.length === 0) throw new AppError('upstream_unavailable', { retryAfterSeconds: 5 });
  return known;
}

/** Leaves out a network where every amount near the price is taken, as long as there is another. */
async function openWhereFree(
  dependencies: Pick<ApiDependencies, 'store' | 'collecting'>,
  task: NewTask,
): Promise<Extract<OpenTaskResult, { kind: 'opened' }>> {
  const { store, collecting } = dependencies;
  const result = await openTask(store, task, (below) => pickBelow(below, collecting.random));
  switch (result.kind) {
    case 'opened':
      return result;
    case 'too-many-open': {
      const detail = `At most ${task.unpaidMax} tasks may wait for their payment; pay some, or sign the payment instead.`;
      throw new AppError('rate_limited', { detail, retryAfterSeconds: secondsUntil(result.freeAtMs, task.nowMs) });
    }
    case 'no-amount-free': {
      const others = task.networks.filter(({ network }) => network !== result.network);
      if (others.length > 0) return openWhereFree(dependencies, { ...task, networks: others });
      const title = networkTitle(result.network, null);
      const detail = `Every amount near this price is taken on ${title} for now; sign the payment, or try again later.`;
      throw new AppError('rate_limited', { detail, retryAfterSeconds: secondsUntil(result.freeAtMs, task.nowMs) });
    }
  }
}

const secondsUntil = (atMs: number, nowMs: number): number => Math.max(1, Math.ceil((atMs - nowMs) / 1_000));

/** Out of 2^48, so that for all our purposes each number is equally likely. */
function pickBelow(below: number, random: RandomBytes): number {
  return Buffer.from(random(6)).readUIntBE(0, 6) % below;
}
