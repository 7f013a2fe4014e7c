import { sql } from 'drizzle-orm';
import { NETWORKS, type Network } from '../../core/networks.ts';
import { TASK_STATES } from '../../core/states.ts';
import type { Kit } from '../dialects/kit-sqlite.ts';

export type RefundAddress = { network: Network; address: string };

export const defineTaskTables = (k: Kit) => ({
  /**
   * Requests of agents that may be paid by a plain transfer. Their terms are fixed at the opening, because the payer
   * knows no others.
   */
  tasks: k.table(
    'tasks',
    {
      /** `task_` and 128 random bits in hex. */
      id: k.text('id').primaryKey(),
      skill: k.text('skill').notNull(),
      operation: k.text('operation').notNull(),
      platform: k.text('platform').notNull(),
      /** As received: read again when the money is there. */
      params: k.json<unknown>('params').notNull(),
      requestHash: k.text('request_hash').notNull(),
      /** SHA-256 of the id in hex: a transfer on Solana with this memo is meant for the task. */
      memo: k.text('memo').notNull(),
      /** The caller whose limit it counts against. Null for none, and once paid or expired: it is a personal address. */
      caller: k.text('caller'),
      agentKnown: k.bool('agent_known').notNull(),
      status: k.oneOf('status', TASK_STATES).notNull(),
      sumMicroUsdc: k.bigint('sum_micro_usdc').notNull(),
      feeMicroUsdc: k.bigint('fee_micro_usdc').notNull(),
      /** Where uncollected money goes, at most one address a network; none where the caller gave none. */
      refundAddresses: k.json<RefundAddress[]>('refund_addresses').notNull(),
      /** How long its receivers have to collect, from the payment on. */
      claimTtlMs: k.int('claim_ttl_ms').notNull(),
      createdAtMs: k.int('created_at_ms').notNull(),
      expiresAtMs: k.int('expires_at_ms').notNull(),
      /** Until then a transfer of its amount still pays it, unless that was given out again. */
      reservedUntilMs: k.int('reserved_until_ms').notNull(),
      paymentId: k.text('payment_id'),
    },
    (t) => [
      k.uniqueIndex('tasks_memo_uq').on(t.memo),
      k.index('tasks_status_idx').on(t.status, t.expiresAtMs),
      k.index('tasks_reserved_idx').on(t.reservedUntilMs),
      k.index('tasks_caller_idx').on(t.caller, t.expiresAtMs),
      k.uniqueIndex('tasks_payment_uq').on(t.paymentId),
    ],
  ),

  /** What a task costs on one network. No other task has its amount after `headBlock`, up to `untilBlock`. */
  taskOffers: k.table(
    'task_offers',
    {
      taskId: k.text('task_id').notNull(),
      network: k.oneOf('network', NETWORKS).notNull(),
      /** The task address at the opening. */
      address: k.text('address').notNull(),
      /** Sum and fee. It pays for the task only together with the memo. */
      priceMicroUsdc: k.bigint('price_micro_usdc').notNull(),
      amountMicroUsdc: k.bigint('amount_micro_usdc').notNull(),
      /** The newest block (or slot) at the opening: what stands in it or below was sent for something else. */
      headBlock: k.int('head_block').notNull(),
      /** What stands above it is not meant for this task: its amount was given out again. Null while that has not happened. */
      untilBlock: k.int('until_block'),
      /** An earlier task had the amount: a late transfer of it may be meant for either, so it pays for none. */
      reused: k.bool('reused').notNull(),
    },
    (t) => [
      k.primaryKey({ columns: [t.taskId, t.network] }),
      k
        .uniqueIndex('task_offers_amount_uq')
        .on(t.network, t.amountMicroUsdc)
        .where(sql`${t.untilBlock} is null`),
      k.index('task_offers_amount_idx').on(t.network, t.amountMicroUsdc),
      k.index('task_offers_reused_idx').on(t.reused, t.untilBlock),
      k.index('task_offers_price_idx').on(t.network, t.priceMicroUsdc),
      k.check('task_offers_extra_positive', sql`${t.amountMicroUsdc} > ${t.priceMicroUsdc}`),
    ],
  ),

  /** How many open tasks a caller has: a counter row, because counting rows races on PostgreSQL. */
  taskLoads: k.table('task_loads', { caller: k.text('caller').primaryKey(), unpaid: k.int('unpaid').notNull() }),
});
