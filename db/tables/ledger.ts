import { sql } from 'drizzle-orm';
import { NATIVE_COSTS } from '../../core/costs/native-costs.ts';
import { NETWORKS } from '../../core/networks.ts';
import type { OutboxTopic } from '../../core/outbox.ts';
import type { Kit } from '../dialects/kit-sqlite.ts';

export const UNITS = ['usdc', 'wei', 'lamports'] as const;
export const SIDES = ['asset', 'liability', 'signed'] as const;

export const defineLedgerTables = (k: Kit) => ({
  /** `side` says which sign is normal: an asset is never below zero, a liability never above. */
  accounts: k.table(
    'accounts',
    {
      name: k.text('name').primaryKey(),
      unit: k.oneOf('unit', UNITS).notNull(),
      side: k.oneOf('side', SIDES).notNull(),
      /** Cached sum of postings; for wei, whose sums outgrow 64 bits, the decimal text beside it counts. */
      balance: k.bigint('balance').notNull(),
      balanceWei: k.text('balance_wei').notNull(),
    },
    (t) => [
      k
        .index('accounts_holding_idx')
        .on(t.name)
        .where(sql`${t.balance} <> 0`),
      k.check(
        'accounts_never_overdrawn',
        sql`(${t.side} = 'signed') or (${t.side} = 'asset' and ${t.balance} >= 0) or (${t.side} = 'liability' and ${t.balance} <= 0)`,
      ),
    ],
  ),

  /** One event. `cause` is unique: the same event cannot be posted twice. Immutable (trigger). */
  entries: k.table(
    'entries',
    { id: k.serial('id'), cause: k.text('cause').notNull(), createdAtMs: k.int('created_at_ms').notNull() },
    (t) => [k.uniqueIndex('entries_cause_uq').on(t.cause)],
  ),

  postings: k.table(
    'postings',
    {
      entryId: k.int('entry_id').notNull(),
      position: k.int('position').notNull(),
      account: k.text('account').notNull(),
      unit: k.oneOf('unit', UNITS).notNull(),
      amount: k.bigint('amount').notNull(),
      amountWei: k.text('amount_wei').notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.entryId, t.position] }), k.index('postings_account_idx').on(t.account)],
  ),

  /** A hash chain over the entries, written afterwards by the sealer. */
  seals: k.table('seals', { entryId: k.int('entry_id').primaryKey(), hash: k.text('hash').notNull() }),

  /** Events of committed changes. `key` is the event's payload, so the same event twice is one row. */
  outbox: k.table(
    'outbox',
    {
      id: k.serial('id'),
      topic: k.text('topic').$type<OutboxTopic>().notNull(),
      key: k.text('key').notNull(),
      nextAtMs: k.int('next_at_ms').notNull(),
      tries: k.int('tries').notNull(),
      doneAtMs: k.int('done_at_ms'),
    },
    (t) => [k.uniqueIndex('outbox_key_uq').on(t.topic, t.key), k.index('outbox_open_idx').on(t.doneAtMs, t.nextAtMs)],
  ),

  /**
   * What we have spent of a network's own coin, by what caused it. The amounts come from receipts, and those of a
   * transaction sum to what it cost.
   */
  nativeCosts: k.table(
    'native_costs',
    {
      transaction: k.text('transaction').notNull(),
      /** A payment or a transfer; the carrier's own id where it carried nothing that we know. */
      itemId: k.text('item_id').notNull(),
      kind: k.oneOf('kind', NATIVE_COSTS).notNull(),
      network: k.oneOf('network', NETWORKS).notNull(),
      /** The UTC day on which it was booked. */
      day: k.text('day').notNull(),
      /** By an opaque id, because the row is kept longer than addresses may be; null where no payer caused it. */
      payer: k.text('payer'),
      /** The identity that was paid; null where it is none, or several. */
      recipient: k.text('recipient'),
      /** Wei or lamports as decimal text, because wei outgrow 64 bits; below zero where rent came back. */
      amount: k.text('amount').notNull(),
    },
    (t) => [
      k.primaryKey({ columns: [t.transaction, t.itemId, t.kind] }),
      k.index('native_costs_day_idx').on(t.network, t.day),
      k.index('native_costs_payer_idx').on(t.payer, t.day),
    ],
  ),

  /**
   * The token accounts that we have opened for others at our cost, or are about to: one for each owner and one for each
   * person, for good. A transaction that certainly did not land takes its rows back.
   */
  accountOpenings: k.table(
    'account_openings',
    {
      network: k.oneOf('network', NETWORKS).notNull(),
      /** The wallet that it belongs to, and takes its rent out again when it is closed. */
      owner: k.text('owner').notNull(),
      /** An identity, `keep:` and one for the account of a wallet that is kept here, or a wallet without an identity. */
      person: k.text('person').notNull(),
      carrierId: k.text('carrier_id').notNull(),
      atMs: k.int('at_ms').notNull(),
    },
    (t) => [
      k.primaryKey({ columns: [t.network, t.owner] }),
      k.uniqueIndex('account_openings_person_uq').on(t.network, t.person),
      k.index('account_openings_carrier_idx').on(t.carrierId),
    ],
  ),
});

/** What a change of a finished row is about; open rows are all read again by each audit. */
export const AUDITED_KINDS = ['payment', 'transfer', 'consumer', 'task'] as const;

export const defineAuditTables = (k: Kit) => ({
  /** Rows that were finished, or changed after that, since an audit last looked at them. Written by triggers. */
  auditFeed: k.table('audit_feed', {
    id: k.serial('id'),
    kind: k.oneOf('kind', AUDITED_KINDS).notNull(),
    key: k.text('key').notNull(),
  }),

  /** The sums of all postings up to the checkpoint's entry, where they are not zero. Wei are not in them. */
  auditedBalances: k.table('audited_balances', {
    account: k.text('account').primaryKey(),
    amount: k.bigint('amount').notNull(),
  }),

  /** One row: the entry up to which `audited_balances` counts. */
  auditCheckpoints: k.table('audit_checkpoints', {
    name: k.text('name').primaryKey(),
    entryId: k.int('entry_id').notNull(),
  }),
});
