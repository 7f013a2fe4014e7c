import { NETWORKS } from '../../core/networks.ts';
import { CARRIER_KINDS } from '../../core/transfers/carriers.ts';
import { CARRIER_STATES } from '../../core/states.ts';
import type { Kit } from '../dialects/kit-sqlite.ts';

export const defineCarrierTables = (k: Kit) => ({
  /**
   * What moves money on a chain: on an EVM network one lane nonce, spent on a batch of authorizations (replacements share
   * the row); on Solana one transaction. Stored with its signed bytes and what it carries before it is first sent.
   */
  carriers: k.table(
    'carriers',
    {
      /** 128 random bits in base64url; on Solana the memo of our own transactions begins with it. */
      id: k.text('id').primaryKey(),
      network: k.oneOf('network', NETWORKS).notNull(),
      kind: k.oneOf('kind', CARRIER_KINDS).notNull(),
      status: k.oneOf('status', CARRIER_STATES).notNull(),
      /** Who pays for it: the lane, or the fee payer. */
      sender: k.text('sender').notNull(),
      /** EVM: the lane's nonce, the list of calls as JSON, and the gas that they may use, to sign a replacement. */
      laneNonce: k.int('lane_nonce'),
      calldata: k.text('calldata'),
      gasLimit: k.int('gas_limit'),
      /** Solana: block height, not slot. Above it the transaction's blockhash is not accepted any more. */
      lastValidHeight: k.int('last_valid_height'),
      /** EVM: its place on the chain; without a transaction when it was not one of ours that spent the nonce. */
      sealedTransaction: k.text('sealed_transaction'),
      sealedBlock: k.int('sealed_block'),
      sealedBlockHash: k.text('sealed_block_hash'),
      /** EVM: what the sealed transaction cost, in wei; booked when final. */
      feeWei: k.text('fee_wei'),
      createdAtMs: k.int('created_at_ms').notNull(),
    },
    (t) => [
      k.uniqueIndex('carriers_lane_nonce_uq').on(t.network, t.sender, t.laneNonce),
      k.index('carriers_status_idx').on(t.network, t.status),
    ],
  ),

  /** Signed bytes, stored before they are first sent. Only these are ever sent again. */
  carrierTransactions: k.table(
    'carrier_transactions',
    {
      /** The transaction's hash; on Solana its first signature. */
      hash: k.text('hash').primaryKey(),
      carrierId: k.text('carrier_id').notNull(),
      bytes: k.text('bytes').notNull(),
      /** EVM: what a replacement has to exceed. */
      maxFeePerGas: k.text('max_fee_per_gas'),
      maxPriorityFeePerGas: k.text('max_priority_fee_per_gas'),
      signedAtMs: k.int('signed_at_ms').notNull(),
    },
    (t) => [k.index('carrier_transactions_carrier_idx').on(t.carrierId)],
  ),

  /** What a carrier was signed for. An item may have been in several; its own row names the one that it is in now. */
  carrierItems: k.table(
    'carrier_items',
    { carrierId: k.text('carrier_id').notNull(), itemId: k.text('item_id').notNull() },
    (t) => [k.primaryKey({ columns: [t.carrierId, t.itemId] }), k.index('carrier_items_item_idx').on(t.itemId)],
  ),
});
