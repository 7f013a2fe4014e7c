import { LANGUAGE_TAGS } from '../../core/languages.ts';
import { NETWORKS } from '../../core/networks.ts';
import type { Kit } from '../dialects/kit-sqlite.ts';

export const defineIdentityTables = (k: Kit) => ({
  /** A person or place that can be paid: (platform, stable id). Ledger accounts carry only the opaque `id`. */
  identities: k.table(
    'identities',
    {
      id: k.text('id').primaryKey(),
      platform: k.text('platform').notNull(),
      stableId: k.text('stable_id').notNull(),
      key: k.text('key').notNull(),
      display: k.text('display').notNull(),
      /** Since when the platform knows the account by this name, as it told us; null where it does not tell. */
      sinceMs: k.int('since_ms'),
      /** When the person refused payments: later ones are refused before money moves. */
      optedOutAtMs: k.int('opted_out_at_ms'),
      /** What the person last read our pages in, for the mails that come by themselves; null where they never proved the name. */
      language: k.oneOf('language', LANGUAGE_TAGS),
      /** When the person turned our mails off. */
      noticesOffAtMs: k.int('notices_off_at_ms'),
      createdAtMs: k.int('created_at_ms').notNull(),
    },
    (t) => [
      k.uniqueIndex('identities_stable_uq').on(t.platform, t.stableId),
      k.index('identities_key_idx').on(t.platform, t.key),
    ],
  ),

  /** A page under a person's name, as its owner has switched it on; a row without a time is off. */
  tipPages: k.table('tip_pages', {
    identityId: k.text('identity_id').primaryKey(),
    /** The owner's own text. */
    words: k.text('words'),
    /** Until then it is shown; null: switched off. */
    untilMs: k.int('until_ms'),
    /** When the operator took it away, for good; null: not. */
    barredAtMs: k.int('barred_at_ms'),
  }),

  /**
   * A line whose platform has not yet answered for the name; deleted once the line is decided. The counter
   * `resolving:{platform}` holds their number, because counting rows races on PostgreSQL.
   */
  lookups: k.table(
    'lookups',
    {
      txnId: k.int('txn_id').primaryKey(),
      paymentId: k.text('payment_id').notNull(),
      platform: k.text('platform').notNull(),
      nextTryAtMs: k.int('next_try_at_ms').notNull(),
      /** Lookups since the payment. The process that raises it is the one that asks. */
      tries: k.int('tries').notNull(),
    },
    (t) => [k.index('lookups_payment_idx').on(t.paymentId), k.index('lookups_due_idx').on(t.nextTryAtMs)],
  ),

  /** Payers whose money a person wants no more. They are not told, and are refused as by a recipient who takes no tips. */
  blockedPayers: k.table(
    'blocked_payers',
    {
      identityId: k.text('identity_id').notNull(),
      /** The address that pays, as the books write it; or the user of a chat, for what plain transfers pay of theirs. */
      payer: k.text('payer').notNull(),
      createdAtMs: k.int('created_at_ms').notNull(),
      /** When all that waited from that payer had gone back; null until then. */
      returnedAtMs: k.int('returned_at_ms'),
    },
    (t) => [
      k.primaryKey({ columns: [t.identityId, t.payer] }),
      k.index('blocked_payers_returned_idx').on(t.returnedAtMs),
    ],
  ),

  /** Where an identity's money goes, one address a network. */
  wallets: k.table(
    'wallets',
    {
      identityId: k.text('identity_id').notNull(),
      network: k.oneOf('network', NETWORKS).notNull(),
      address: k.text('address').notNull(),
      /** `claim`, `keep` (a personal wallet here), `published` or `operator`. */
      source: k.text('source').notNull(),
      linkedAtMs: k.int('linked_at_ms').notNull(),
      /** When it was linked or last paid to. For e-mail and web an address unused for long lapses. */
      usedAtMs: k.int('used_at_ms').notNull(),
      /** Of a purse that had no room: its waiting lines are not looked at before then. */
      fullUntilMs: k.int('full_until_ms'),
    },
    (t) => [
      k.primaryKey({ columns: [t.identityId, t.network] }),
      k.index('wallets_source_idx').on(t.source, t.linkedAtMs),
      k.index('wallets_address_idx').on(t.address),
    ],
  ),
});
