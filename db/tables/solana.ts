import { ATTEMPT_STATES } from '../../core/states.ts';
import type { Kit } from '../kit-sqlite.ts';

export const ATTEMPT_KINDS = ['inbound', 'payout', 'withdrawal', 'sweep'] as const;

export const defineSolanaTables = (k: Kit) => ({
  /**
   * One signed transaction, stored before it is first sent; only these bytes are ever sent again. What it carries may
   * go into another one only when this one has failed for good or can never land.
   */
  attempts: k.table(
    'attempts',
    {
      /** 128 random bits in base64url; the memo of a payout transaction. */
      id: k.text('id').primaryKey(),
      network: k.text('network').notNull(),
      kind: k.oneOf('kind', ATTEMPT_KINDS).notNull(),
      status: k.oneOf('status', ATTEMPT_STATES).notNull(),
      signature: k.text('signature').notNull(),
      wire: k.text('wire').notNull(),
      feePayer: k.text('fee_payer').notNull(),
      /** Block height, not slot: above it the transaction's blockhash is not accepted any more. */
      lastValidHeight: k.int('last_valid_height').notNull(),
      itemCount: k.int('item_count').notNull(),
      createdAtMs: k.int('created_at_ms').notNull(),
    },
    (t) => [
      k.uniqueIndex('attempts_signature_uq').on(t.signature),
      k.index('attempts_status_idx').on(t.network, t.status),
    ],
  ),
});
