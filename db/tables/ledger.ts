import { sql } from 'drizzle-orm';
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
});
