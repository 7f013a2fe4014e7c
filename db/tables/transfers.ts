import { NETWORKS } from '../../core/networks.ts';
import { sql } from 'drizzle-orm';
import { TRANSFER_STATES } from '../../core/states.ts';
import { TRANSFER_PURPOSES } from '../../core/transfers/purposes.ts';
import type { Kit } from '../dialects/kit-sqlite.ts';
import { defineOperatorTables } from './operator.ts';

export const defineTransferTables = (k: Kit) => ({
  /** Outgoing USDC; `core/transfers/purposes.ts` says how the purposes differ. */
  transfers: k.table(
    'transfers',
    {
      /** 128 bits in hex, of what leaves for a line made from that line (`TransferIdOf`); the nonce is made from it. */
      id: k.text('id').primaryKey(),
      network: k.oneOf('network', NETWORKS).notNull(),
      purpose: k.oneOf('purpose', TRANSFER_PURPOSES).notNull(),
      /** The ledger account that its reserve came from, and goes back to when it dies; null where nothing is reserved. */
      sourceAccount: k.text('source_account'),
      /** The network the money came in on, when that is another one: here our own money is paid out for it. */
      crossFrom: k.text('cross_from'),
      fromAddress: k.text('from_address').notNull(),
      toAddress: k.text('to_address').notNull(),
      /** On Solana: the token account to prefer over the address's own one, as for a refund to where it came from. */
      toAccount: k.text('to_account'),
      amountMicroUsdc: k.bigint('amount_micro_usdc').notNull(),
      generation: k.int('generation').notNull(),
      status: k.oneOf('status', TRANSFER_STATES).notNull(),
      heldReason: k.text('held_reason'),
      /** When the operator let it go after comparing it with what a restored database's payers got meanwhile. */
      comparedAtMs: k.int('compared_at_ms'),
      /** When the operator let it go although others have taken its money from a former address. */
      formerLossAtMs: k.int('former_loss_at_ms'),
      /** When the operator let it go although a former address has spent its nonce on something else. */
      formerNonceAtMs: k.int('former_nonce_at_ms'),
      /** The UTC day whose limits it counts against; null before it counts, and for payouts without a limit. */
      countedOn: k.text('counted_on'),
      nonce: k.text('nonce'),
      /** Unix seconds; of a wallet withdrawal on Solana the last block height at which it can land. */
      validBefore: k.int('valid_before'),
      /** The authorization's; of a wallet withdrawal on Solana the transaction in base64, without the fee payer's signature. */
      signature: k.text('signature'),
      /** The carrier that it is in now; null while it waits for one. */
      carrierId: k.text('carrier_id'),
      nextTryAtMs: k.int('next_try_at_ms').notNull(),
      tries: k.int('tries').notNull(),
      /** Counts against the exposure cap until the inbound that funds it is safe. */
      exposed: k.bool('exposed').notNull(),
      /** Null also where the chain shows that it moved and no longer in which transaction. */
      landedTransaction: k.text('landed_transaction'),
      landedBlock: k.int('landed_block'),
      createdAtMs: k.int('created_at_ms').notNull(),
    },
    (t) => [
      k.index('transfers_status_idx').on(t.status, t.network, t.carrierId, t.nextTryAtMs),
      k
        .index('transfers_exposed_idx')
        // The second column says nothing more, but makes it the better one of two for SQLite.
        .on(t.network, t.exposed)
        .where(sql`${t.exposed} = true`),
      k.index('transfers_carrier_idx').on(t.carrierId),
      k.index('transfers_nonce_idx').on(t.network, t.nonce),
      k.index('transfers_cross_idx').on(t.crossFrom, t.status),
      k.index('transfers_to_idx').on(t.toAddress, t.createdAtMs),
      k.index('transfers_counted_idx').on(t.countedOn),
      k.check('transfers_amount_positive', sql`${t.amountMicroUsdc} > 0`),
    ],
  ),

  /**
   * The settings of the last started worker. Every process that makes a payout uses them, because an operator command's
   * own environment must not set limits. `daily:payer`, `daily:recipient` (micro-USDC), `purse:max`, `treasury:{network}`.
   */
  payoutSettings: k.table('payout_settings', { name: k.text('name').primaryKey(), value: k.text('value').notNull() }),

  ...defineOperatorTables(k),
});
