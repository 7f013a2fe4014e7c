import { createHash } from 'node:crypto';
import { and, asc, eq, gte, isNull, lt, lte, max, sql } from 'drizzle-orm';
import type { Network } from '../../core/networks.ts';
import type { Operation } from '../../core/payments/operations.ts';
import { chooseAmount, extraMax, RESERVED_AFTER_MS, TASK_LIFE_MS, type Held } from '../../core/tasks.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';
import type { RefundAddress } from '../tables/tasks.ts';
import { expireWithin } from './load.ts';

export type TaskRow = Tables['tasks']['$inferSelect'];
export type OfferRow = Tables['taskOffers']['$inferSelect'];

export type NewTask = {
  /** `task_` and 128 random bits in hex. */
  id: string;
  /** As the catalog calls it, prefix included. */
  skill: string;
  operation: Operation;
  platform: string;
  /** As received, without what names the task or its payment: read again when the money is there. */
  params: unknown;
  requestHash: string;
  /** The caller whose limit it counts against; null for none, as for our bot. */
  caller: string | null;
  /** How many open tasks such a caller may have. */
  unpaidMax: number;
  agentKnown: boolean;
  sumMicroUsdc: bigint;
  feeMicroUsdc: bigint;
  /** Checked by the caller to be addresses that may be paid, one a network. */
  refundAddresses: readonly RefundAddress[];
  claimTtlMs: number;
  /** Where it can be paid: the task address, and the newest block of the chain right now. */
  networks: readonly { network: Network; address: string; headBlock: number }[];
  nowMs: number;
};

export type OpenTaskResult =
  | { kind: 'opened'; task: TaskRow; offers: OfferRow[] }
  /** `freeAtMs`: when the first of what is in the way expires. */
  | { kind: 'too-many-open'; freeAtMs: number }
  | { kind: 'no-amount-free'; network: Network; freeAtMs: number };

/** Ends the transaction with nothing kept, and carries the answer out of it. */
class NotOpened extends Error {
  readonly result: OpenTaskResult;
  constructor(result: OpenTaskResult) {
    super(result.kind);
    this.result = result;
  }
}

/**
 * Opens a task and reserves an amount for it on each network. `pick` answers a random number from 0 to below its
 * argument.
 */
export async function openTask(store: Store, task: NewTask, pick: (below: number) => number): Promise<OpenTaskResult> {
  try {
    return await store.tx((db) => openWithin(db, store.tables, task, pick));
  } catch (error) {
    if (error instanceof NotOpened) return error.result;
    throw error;
  }
}

async function openWithin(db: Db, tables: Tables, task: NewTask, pick: (below: number) => number) {
  await countUnpaid(db, tables, task);
  const { networks, unpaidMax: _max, refundAddresses, nowMs, ...terms } = task;
  const [row] = await db
    .insert(tables.tasks)
    .values({
      ...terms,
      memo: taskMemo(task.id),
      status: 'open',
      refundAddresses: [...refundAddresses],
      createdAtMs: nowMs,
      expiresAtMs: nowMs + TASK_LIFE_MS,
      reservedUntilMs: nowMs + TASK_LIFE_MS + RESERVED_AFTER_MS,
    })
    .returning();
  if (row === undefined) throw new Error(`task ${task.id} was inserted and is not there`);
  const priceMicroUsdc = task.sumMicroUsdc + task.feeMicroUsdc;
  const offers: OfferRow[] = [];
  for (const { network, address, headBlock } of networks) {
    const wanted = { price: priceMicroUsdc, nowMs, pick };
    const reserved = await reserveAmount(db, tables, { network, headBlock }, wanted);
    const offer = { taskId: task.id, network, address, priceMicroUsdc, untilBlock: null, ...reserved };
    await db.insert(tables.taskOffers).values(offer);
    offers.push(offer);
  }
  return { kind: 'opened' as const, task: row, offers };
}

/** The memo by which a transfer on Solana names its task. The task's id cannot be derived from it. */
export function taskMemo(taskId: string): string {
  return createHash('sha256').update(taskId).digest('hex');
}

async function countUnpaid(db: Db, tables: Tables, { caller, unpaidMax, nowMs }: NewTask): Promise<void> {
  if (caller === null) return;
  if (await addUnpaid(db, tables, caller, unpaidMax)) return;
  const { tasks } = tables;
  const theirs = and(eq(tasks.caller, caller), eq(tasks.status, 'open'));
  // What has expired counts for nothing, whether or not a worker has looked at it since.
  await expireWithin(db, tables, theirs, nowMs);
  if (await addUnpaid(db, tables, caller, unpaidMax)) return;
  const [first] = await db
    .select({ expiresAtMs: tasks.expiresAtMs })
    .from(tasks)
    .where(theirs)
    .orderBy(asc(tasks.expiresAtMs))
    .limit(1);
  throw new NotOpened({ kind: 'too-many-open', freeAtMs: first?.expiresAtMs ?? nowMs });
}

async function addUnpaid(db: Db, { taskLoads }: Tables, caller: string, max: number): Promise<boolean> {
  await db.insert(taskLoads).values({ caller, unpaid: 0 }).onConflictDoNothing();
  const counted = await db
    .update(taskLoads)
    .set({ unpaid: sql`${taskLoads.unpaid} + 1` })
    .where(and(eq(taskLoads.caller, caller), lt(taskLoads.unpaid, max)))
    .returning({ caller: taskLoads.caller });
  return counted.length > 0;
}

type Place = { network: Network; headBlock: number };

/** The amount, and the block from which on it is this task's. */
async function reserveAmount(
  db: Db,
  tables: Tables,
  { network, headBlock }: Place,
  { price, nowMs, pick }: { price: bigint; nowMs: number; pick: (below: number) => number },
): Promise<Pick<OfferRow, 'amountMicroUsdc' | 'headBlock' | 'reused'>> {
  const held = await heldNear(db, tables, network, price);
  const chosen = chooseAmount(price, held, nowMs, pick);
  if (chosen.kind === 'none') throw new NotOpened({ kind: 'no-amount-free', network, freeAtMs: chosen.freeAtMs });
  // An expired task had this price for its amount: who pays the plain price by mistake pays nothing of that task's.
  if (held.amounts.some(({ micro }) => micro === price)) await endOffers(db, tables, { network, headBlock }, price);
  const { amount, isReused } = chosen;
  const from = isReused ? await endOffers(db, tables, { network, headBlock }, amount) : headBlock;
  return { amountMicroUsdc: amount, headBlock: from, reused: isReused };
}

async function heldNear(db: Db, { taskOffers, tasks }: Tables, network: Network, price: bigint) {
  const find = async (column: typeof taskOffers.amountMicroUsdc | typeof taskOffers.priceMicroUsdc) =>
    db
      .select({ micro: column, expiresAtMs: max(tasks.expiresAtMs) })
      .from(taskOffers)
      .innerJoin(tasks, eq(tasks.id, taskOffers.taskId))
      .where(and(eq(taskOffers.network, network), gte(column, price), lte(column, price + extraMax(price))))
      .groupBy(column);
  const toHeld = (rows: Awaited<ReturnType<typeof find>>): Held[] =>
    rows.map(({ micro, expiresAtMs }) => ({ micro, expiresAtMs: Number(expiresAtMs) }));
  return {
    amounts: toHeld(await find(taskOffers.amountMicroUsdc)),
    prices: toHeld(await find(taskOffers.priceMicroUsdc)),
  };
}

/** Ends what earlier tasks had of this amount. Answers the block from which on it is free, so that no two overlap. */
async function endOffers(
  db: Db,
  { taskOffers }: Tables,
  { network, headBlock }: Place,
  amount: bigint,
): Promise<number> {
  const same = and(eq(taskOffers.network, network), eq(taskOffers.amountMicroUsdc, amount));
  const earlier = await db.select().from(taskOffers).where(same);
  // A node may lag behind the one that was asked before.
  const from = Math.max(headBlock, ...earlier.map((offer) => Math.max(offer.headBlock, offer.untilBlock ?? 0)));
  await db
    .update(taskOffers)
    .set({ untilBlock: from })
    .where(and(same, isNull(taskOffers.untilBlock)));
  return from;
}
