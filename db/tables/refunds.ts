import { NETWORKS } from '../../core/networks.ts';
import { sql } from 'drizzle-orm';
import type { Kit } from '../dialects/kit-sqlite.ts';

export const defineRefundTables = (k: Kit) => ({
  /** Money that goes back to a payer. Several of them may share one payout, so that small sums are worth the gas. */
  refunds: k.table(
    'refunds',
    {
      /** `refund:{payment}:{line}` or `return:{fact}`: also the cause of its ledger entry. */
      id: k.text('id').primaryKey(),
      network: k.oneOf('network', NETWORKS).notNull(),
      payer: k.text('payer').notNull(),
      /** The token account that had paid, on Solana. */
      payerAccount: k.text('payer_account'),
      /** The ledger account that holds it until it is paid out. */
      account: k.text('account').notNull(),
      fromAddress: k.text('from_address').notNull(),
      amountMicroUsdc: k.bigint('amount_micro_usdc').notNull(),
      paymentId: k.text('payment_id'),
      txnId: k.int('txn_id'),
      /** Why its payout waits for the operator; null for one that goes out by itself. */
      heldReason: k.text('held_reason'),
      payoutId: k.text('payout_id'),
      createdAtMs: k.int('created_at_ms').notNull(),
    },
    (t) => [
      k.index('refunds_open_idx').on(t.network, t.payoutId, t.payer),
      k.index('refunds_payment_idx').on(t.paymentId),
      k.index('refunds_payout_idx').on(t.payoutId),
      k.index('refunds_txn_idx').on(t.txnId),
      k.check('refunds_amount_positive', sql`${t.amountMicroUsdc} > 0`),
    ],
  ),
});
