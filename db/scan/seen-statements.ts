/** What every transfer that a block shows asks and writes, built once. */
import { and, desc, eq, sql } from 'drizzle-orm';
import { given, placeholder, prepare } from '../store/prepare.ts';

export const insertObserved = prepare((db, { observedTransfers }) =>
  db
    .insert(observedTransfers)
    .values({
      ...given('fact', 'network', 'transaction', 'logIndex', 'block', 'blockHash', 'fromAddress', 'toAddress'),
      ...given('amountMicroUsdc', 'authorizer', 'nonce', 'memo', 'outgoing', 'seenAtMs'),
      returnWanted: false,
      landed: true,
      landings: 1,
    })
    .onConflictDoNothing()
    .returning({ fact: observedTransfers.fact }),
);

export const selectSigned = prepare((db, { payments }) =>
  db
    .select()
    .from(payments)
    .where(
      and(
        eq(payments.network, placeholder('network')),
        eq(payments.payer, placeholder('payer')),
        eq(payments.nonce, placeholder('nonce')),
      ),
    )
    .orderBy(desc(payments.createdAtMs))
    .limit(1),
);

export const consume = prepare((db, { observedTransfers }) =>
  db
    .update(observedTransfers)
    .set({ consumedBy: sql`${placeholder('consumer')}` })
    .where(eq(observedTransfers.fact, placeholder('fact'))),
);
