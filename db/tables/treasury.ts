import { NETWORKS } from '../../core/networks.ts';
import { sql } from 'drizzle-orm';
import { TREASURY_STATES } from '../../core/states.ts';
import { TREASURY_ROLES } from '../../core/treasury/treasury.ts';
import type { Kit } from '../dialects/kit-sqlite.ts';

/** The money of communities. Times in epoch milliseconds; `user_id` and the like are accounts of the chat's platform. */
export const defineTreasuryTables = (k: Kit) => ({
  /** Communities whose treasury addresses were ever shown: these ids are what reaches the money there. */
  treasuries: k.table(
    'treasuries',
    {
      /** `discord-guild:…`, `telegram-group:…` (core/treasury/treasury.ts). */
      walletId: k.text('wallet_id').primaryKey(),
      transport: k.text('transport').notNull(),
      communityId: k.text('community_id').notNull(),
      /** When its balances were last written down. */
      lookedAtMs: k.int('looked_at_ms').notNull(),
      createdAtMs: k.int('created_at_ms').notNull(),
    },
    (t) => [k.index('treasuries_looked_idx').on(t.lookedAtMs)],
  ),

  /**
   * Where the owner wants money to go. An address counts a day after its announcement; of several, the newest counts.
   * Rows are kept, because a withdrawal names the one that allowed it.
   */
  treasuryAddresses: k.table(
    'treasury_addresses',
    {
      id: k.text('id').primaryKey(),
      /** The event that set it: a repeated delivery is the same row. */
      requestKey: k.text('request_key').notNull(),
      walletId: k.text('wallet_id').notNull(),
      network: k.oneOf('network', NETWORKS).notNull(),
      address: k.text('address').notNull(),
      setBy: k.text('set_by').notNull(),
      /** The announcement; its message is null until it was posted. */
      transport: k.text('transport').notNull(),
      chatId: k.text('chat_id').notNull(),
      messageId: k.text('message_id'),
      language: k.text('language'),
      setAtMs: k.int('set_at_ms').notNull(),
      announcedAtMs: k.int('announced_at_ms'),
      /** Who cancelled it, or set another one before it counted. */
      cancelledBy: k.text('cancelled_by'),
      cancelledAtMs: k.int('cancelled_at_ms'),
    },
    (t) => [
      k.uniqueIndex('treasury_addresses_request_uq').on(t.requestKey),
      k.index('treasury_addresses_wallet_idx').on(t.walletId, t.network),
    ],
  ),

  /** Proposals to take money out of a treasury. A confirmed one becomes a withdrawal of the same id. */
  treasuryWithdrawals: k.table(
    'treasury_withdrawals',
    {
      id: k.text('id').primaryKey(),
      requestKey: k.text('request_key').notNull(),
      walletId: k.text('wallet_id').notNull(),
      addressId: k.text('address_id').notNull(),
      network: k.oneOf('network', NETWORKS).notNull(),
      toAddress: k.text('to_address').notNull(),
      amountMicroUsdc: k.bigint('amount_micro_usdc').notNull(),
      status: k.oneOf('status', TREASURY_STATES).notNull(),
      proposedBy: k.text('proposed_by').notNull(),
      /** The card; its message is null until it stood there. */
      transport: k.text('transport').notNull(),
      communityId: k.text('community_id').notNull(),
      chatId: k.text('chat_id').notNull(),
      messageId: k.text('message_id'),
      language: k.text('language'),
      /** Confirmed by the owner alone, because the community had no other member who could. */
      isOwnerAlone: k.bool('is_owner_alone'),
      /** Whose press ended it; null where time did. */
      endedBy: k.text('ended_by'),
      createdAtMs: k.int('created_at_ms').notNull(),
      endedAtMs: k.int('ended_at_ms'),
    },
    (t) => [
      k.uniqueIndex('treasury_withdrawals_request_uq').on(t.requestKey),
      k.index('treasury_withdrawals_wallet_idx').on(t.walletId, t.status),
      k.index('treasury_withdrawals_open_idx').on(t.status, t.createdAtMs),
      k.check('treasury_withdrawals_amount_positive', sql`${t.amountMicroUsdc} > 0`),
    ],
  ),

  /** Who has confirmed, with the role that the platform gave them at the last press. */
  treasuryConfirmations: k.table(
    'treasury_confirmations',
    {
      withdrawalId: k.text('withdrawal_id').notNull(),
      userId: k.text('user_id').notNull(),
      role: k.oneOf('role', TREASURY_ROLES).notNull(),
      confirmedAtMs: k.int('confirmed_at_ms').notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.withdrawalId, t.userId] })],
  ),

  /**
   * The total ever received, at each reading: the balance plus all that was sent out. It only rises, so the difference
   * of two readings came in between them.
   */
  treasuryDeposits: k.table(
    'treasury_deposits',
    {
      walletId: k.text('wallet_id').notNull(),
      network: k.oneOf('network', NETWORKS).notNull(),
      totalMicroUsdc: k.bigint('total_micro_usdc').notNull(),
      seenAtMs: k.int('seen_at_ms').notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.walletId, t.network, t.totalMicroUsdc] })],
  ),
});
