import type { Kit } from '../kit-sqlite.ts';

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
      createdAtMs: k.int('created_at_ms').notNull(),
    },
    (t) => [
      k.uniqueIndex('identities_stable_uq').on(t.platform, t.stableId),
      k.index('identities_key_idx').on(t.platform, t.key),
    ],
  ),

  /** Where an identity's money goes, one address a network. */
  wallets: k.table(
    'wallets',
    {
      identityId: k.text('identity_id').notNull(),
      network: k.text('network').notNull(),
      address: k.text('address').notNull(),
      source: k.text('source').notNull(),
      linkedAtMs: k.int('linked_at_ms').notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.identityId, t.network] })],
  ),
});
