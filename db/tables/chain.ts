import { sql } from 'drizzle-orm';
import { STOP_SCOPES } from '../../core/payments/outages.ts';
import { NETWORKS } from '../../core/networks.ts';
import type { Kit } from '../dialects/kit-sqlite.ts';

export const defineChainTables = (k: Kit) => ({
  /**
   * Every USDC transfer that touches our addresses, as seen in a sealed block. `fact` names it for ever; `landed` and
   * `landings` follow reorganisations; `consumedBy` says what explained it, and is written once.
   */
  observedTransfers: k.table(
    'observed_transfers',
    {
      fact: k.text('fact').primaryKey(),
      network: k.oneOf('network', NETWORKS).notNull(),
      transaction: k.text('transaction').notNull(),
      logIndex: k.int('log_index').notNull(),
      block: k.int('block').notNull(),
      blockHash: k.text('block_hash').notNull(),
      fromAddress: k.text('from_address').notNull(),
      toAddress: k.text('to_address').notNull(),
      amountMicroUsdc: k.bigint('amount_micro_usdc').notNull(),
      authorizer: k.text('authorizer'),
      nonce: k.text('nonce'),
      /** On Solana, where it could name a task (`tasks.memo`); of a transfer of ours its tag, which names it. */
      memo: k.text('memo'),
      /** Left one of our addresses; otherwise it arrived at one. */
      outgoing: k.bool('outgoing').notNull(),
      landed: k.bool('landed').notNull(),
      landings: k.int('landings').notNull(),
      consumedBy: k.text('consumed_by'),
      /** It pays for nothing here and goes back to its sender, once its block is safe. */
      returnWanted: k.bool('return_wanted').notNull(),
      seenAtMs: k.int('seen_at_ms').notNull(),
    },
    (t) => [
      k.index('observed_transfers_block_idx').on(t.network, t.block),
      k.index('observed_transfers_nonce_idx').on(t.network, t.authorizer, t.nonce),
      k
        .index('observed_transfers_open_idx')
        .on(t.network, t.block)
        .where(sql`${t.consumedBy} is null`),
      k.index('observed_transfers_transaction_idx').on(t.network, t.transaction),
      k.index('observed_transfers_consumer_idx').on(t.consumedBy),
      /** What came to an address, the newest first, as far as it is in the books: what is not has an index of its own. */
      k
        .index('observed_transfers_booked_idx')
        .on(t.network, t.toAddress, t.block, t.logIndex)
        .where(sql`${t.consumedBy} is not null`),
      /** What left an address that was replaced and was not signed by us. */
      k
        .index('observed_transfers_taken_idx')
        .on(t.network, t.fromAddress, t.block)
        .where(sql`${t.outgoing} = true and ${t.consumedBy} like 'taken%'`),
    ],
  ),

  /** Hashes of the blocks that are not final yet, to notice a reorganisation. */
  scannedBlocks: k.table(
    'scanned_blocks',
    {
      network: k.oneOf('network', NETWORKS).notNull(),
      number: k.int('number').notNull(),
      hash: k.text('hash').notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.network, t.number] })],
  ),

  /**
   * How far the chain is in the books. On Solana blocks are slots, and the hash is the newest finalized signature that
   * touched our token account (empty before the first).
   */
  scanCursors: k.table('scan_cursors', {
    network: k.oneOf('network', NETWORKS).primaryKey(),
    /** Where the books begin: what stands in it or below is in the opening balances. */
    firstBlock: k.int('first_block').notNull(),
    block: k.int('block').notNull(),
    blockHash: k.text('block_hash').notNull(),
    blockTime: k.int('block_time').notNull(),
    safeBlock: k.int('safe_block').notNull(),
    finalizedBlock: k.int('finalized_block').notNull(),
    /** Solana: the same as the hash, for the task address's token account; null before its first scan. */
    taskSignature: k.text('task_signature'),
  }),

  /** Addresses of personal wallets that were shown, so that money may be put in there, and up to where that was looked for. */
  depositWatches: k.table(
    'deposit_watches',
    {
      walletId: k.text('wallet_id').notNull(),
      network: k.oneOf('network', NETWORKS).notNull(),
      address: k.text('address').notNull(),
      /** When the address was first shown. */
      sinceMs: k.int('since_ms').notNull(),
      /** Up to here that is known; null before the first look. */
      block: k.int('block'),
    },
    (t) => [
      k.primaryKey({ columns: [t.walletId, t.network] }),
      k.index('deposit_watches_block_idx').on(t.network, t.block),
    ],
  ),

  /** What their owners put in there from elsewhere. No account of ours knows it: it is shown, and nothing follows from it. */
  walletDeposits: k.table(
    'wallet_deposits',
    {
      network: k.oneOf('network', NETWORKS).notNull(),
      transaction: k.text('transaction').notNull(),
      /** Among what the transaction did to this wallet. */
      place: k.int('place').notNull(),
      walletId: k.text('wallet_id').notNull(),
      amountMicroUsdc: k.bigint('amount_micro_usdc').notNull(),
      atMs: k.int('at_ms').notNull(),
    },
    (t) => [
      k.primaryKey({ columns: [t.walletId, t.network, t.transaction, t.place] }),
      k.index('wallet_deposits_wallet_idx').on(t.walletId, t.atMs),
    ],
  ),

  /** Kill switch and drift: while a row stands, nothing is signed on its network, or on any. */
  signingStops: k.table(
    'signing_stops',
    {
      reason: k.text('reason').notNull(),
      network: k.oneOf('network', STOP_SCOPES).notNull(),
      detail: k.text('detail').notNull(),
      sinceMs: k.int('since_ms').notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.reason, t.network] })],
  ),

  /** Running totals that a limit guards: `UPDATE … SET used = used + x WHERE used + x <= cap RETURNING`. */
  counters: k.table('counters', { name: k.text('name').primaryKey(), used: k.bigint('used').notNull() }),

  /** What this database belongs to: mode, chain, token, treasury. Any other is refused at start. */
  stamps: k.table('stamps', { name: k.text('name').primaryKey(), value: k.text('value').notNull() }),
});
