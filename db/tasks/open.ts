import { createHash } from 'node:crypto';
import { and, eq, gt, gte, lt, lte, sql } from 'drizzle-orm';
import type { Network } from '../../core/networks.ts';
import type { Operation } from '../../core/payments/operations.ts';
import { EXTRA_MAX, freeAmounts, RESERVED_AFTER_MS, TASK_LIFE_MS } from '../../core/tasks.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';
import type { RefundAddress } from '../tables/tasks.ts';

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
  /** The caller whose limit it counts against; null for our bot, which has none. */
  caller: string | null;
  /** How many unpaid tasks such a caller may have. */
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
  | { kind: 'too-many-open' }
  | { kind: 'no-amount-free'; network: Network };

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
 * argument: which free amount a task gets must be unpredictable, so that no attacker can prepare for it.
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
    const amountMicroUsdc = await chooseAmount(db, tables, network, priceMicroUsdc, pick);
    if (amountMicroUsdc === null) throw new NotOpened({ kind: 'no-amount-free', network });
    const offer = { taskId: task.id, network, address, priceMicroUsdc, amountMicroUsdc, headBlock };
    await db.insert(tables.taskOffers).values(offer);
    offers.push(offer);
  }
  return { kind: 'opened' as const, task: row, offers };
}

/** The memo by which a transfer on Solana names its task. The task's id cannot be derived from it. */
export function taskMemo(taskId: string): string {
  return createHash('sha256').update(taskId).digest('hex');
}

async function countUnpaid(db: Db, { taskLoads }: Tables, { caller, unpaidMax }: NewTask): Promise<void> {
  if (caller === null) return;
  await db.insert(taskLoads).values({ caller, unpaid: 0 }).onConflictDoNothing();
  const counted = await db
    .update(taskLoads)
    .set({ unpaid: sql`${taskLoads.unpaid} + 1` })
    .where(and(eq(taskLoads.caller, caller), lt(taskLoads.unpaid, unpaidMax)))
    .returning({ caller: taskLoads.caller });
  if (counted.length === 0) throw new NotOpened({ kind: 'too-many-open' });
}

/**
 * Null when no amount is free. A plain price never pays for anything: an amount must not be another task's plain price,
 * and this price must not be an amount that another task was given.
 */
async function chooseAmount(
  db: Db,
  { taskOffers }: Tables,
  network: Network,
  price: bigint,
  pick: (below: number) => number,
): Promise<bigint | null> {
  const here = eq(taskOffers.network, network);
  const amounts = await db
    .select({ amount: taskOffers.amountMicroUsdc })
    .from(taskOffers)
    .where(and(here, gte(taskOffers.amountMicroUsdc, price), lte(taskOffers.amountMicroUsdc, price + EXTRA_MAX)));
  const prices = await db
    .selectDistinct({ amount: taskOffers.priceMicroUsdc })
    .from(taskOffers)
    .where(and(here, gt(taskOffers.priceMicroUsdc, price), lte(taskOffers.priceMicroUsdc, price + EXTRA_MAX)));
  const taken = new Set([...amounts, ...prices].map(({ amount }) => amount));
  if (taken.has(price)) return null;
  const free = freeAmounts(price, taken);
  return free.length === 0 ? null : (free[pick(free.length)] ?? null);
}
