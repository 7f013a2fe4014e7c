import type { Kit } from '../dialects/kit-sqlite.ts';

export const defineOperatorTables = (k: Kit) => ({
  /** What an operator changed, by a command. Written in the transaction of the change, and never changed. */
  operatorActions: k.table('operator_actions', {
    id: k.serial('id'),
    command: k.text('command').notNull(),
    arguments: k.json<readonly string[]>('arguments').notNull(),
    /** What came of it, as the operator was told. */
    result: k.text('result').notNull(),
    atMs: k.int('at_ms').notNull(),
  }),

  /** Addresses whose transfers to us are the operator's own money. */
  operatorAddresses: k.table(
    'operator_addresses',
    {
      network: k.text('network').notNull(),
      address: k.text('address').notNull(),
      sinceMs: k.int('since_ms').notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.network, t.address] })],
  ),
});
