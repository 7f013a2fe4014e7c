import type { Kit } from '../dialects/kit-sqlite.ts';

/** A refused payment of a task, in x402's settlement shape; kept oldest first. */
export type RefusedPayment = { success: false; errorReason: string; network: string; transaction: string };

export const defineMessageTaskTables = (k: Kit) => ({
  /**
   * A task that an A2A message opened, to be paid by a signed authorization. Its progress is not stored here but read
   * from its payment, so that it is true after any crash.
   */
  messageTasks: k.table(
    'message_tasks',
    {
      /** 128 random bits: anyone who knows it may see and pay for the task. */
      id: k.text('id').primaryKey(),
      contextId: k.text('context_id').notNull(),
      /** We made the id of its context, so nobody can guess it. */
      isOurContext: k.bool('is_our_context').notNull(),
      /** Of a task that only asks so far: no skill, and its params are the text that is asked about. */
      skillId: k.text('skill_id').notNull(),
      /** As received, or read from a text: what a proof is bound to. */
      params: k.json<Record<string, unknown>>('params').notNull(),
      /** The caller who opened it, for the limit of open tasks; empty once paid for. */
      openedBy: k.text('opened_by').notNull(),
      /** Null until a proof was accepted for it; until it is written, `purchases` names the payment. */
      paymentId: k.text('payment_id'),
      /** Of x402, in which its payer signed and reads the settlement; null until a proof was accepted. */
      generation: k.int('generation').$type<1 | 2>(),
      refusals: k.json<RefusedPayment[]>('refusals').notNull(),
      canceledAtMs: k.int('canceled_at_ms'),
      createdAtMs: k.int('created_at_ms').notNull(),
      /** An unpaid task is forgotten some time after this; a paid one never. */
      expiresAtMs: k.int('expires_at_ms').notNull(),
    },
    (t) => [
      k.index('message_tasks_context_idx').on(t.contextId, t.createdAtMs),
      k.index('message_tasks_expiry_idx').on(t.paymentId, t.expiresAtMs),
      k.index('message_tasks_opener_idx').on(t.openedBy, t.paymentId, t.expiresAtMs),
    ],
  ),
});
