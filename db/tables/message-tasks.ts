import type { Kit } from '../dialects/kit-sqlite.ts';

/** What a task's history of refused payments is kept in: x402's own settlement shape, oldest first. */
export type RefusedPayment = { success: false; errorReason: string; network: string; transaction: string };

export const defineMessageTaskTables = (k: Kit) => ({
  /**
   * A task that a message of A2A opened, to be paid by a signed authorization. How far it is stands nowhere here: its
   * payment says so, so that what is told about it is true after any crash.
   */
  messageTasks: k.table(
    'message_tasks',
    {
      /** 128 random bits: whoever knows it may see and pay for the task. */
      id: k.text('id').primaryKey(),
      contextId: k.text('context_id').notNull(),
      skillId: k.text('skill_id').notNull(),
      /** As received: what a proof is bound to. */
      params: k.json<Record<string, unknown>>('params').notNull(),
      /** Who opened it, for the limit of open tasks; empty once somebody pays. */
      openedBy: k.text('opened_by').notNull(),
      /** Null until a proof was accepted for it; until it is written, `purchases` has the answer. */
      paymentId: k.text('payment_id'),
      refusals: k.json<RefusedPayment[]>('refusals').notNull(),
      canceledAtMs: k.int('canceled_at_ms'),
      createdAtMs: k.int('created_at_ms').notNull(),
      /** An unpaid task is forgotten some time after this; a paid one never. */
      expiresAtMs: k.int('expires_at_ms').notNull(),
    },
    (t) => [
      k.index('message_tasks_expiry_idx').on(t.paymentId, t.expiresAtMs),
      k.index('message_tasks_opener_idx').on(t.openedBy, t.paymentId, t.expiresAtMs),
    ],
  ),
});
