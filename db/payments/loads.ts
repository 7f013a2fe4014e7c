import { eq, inArray, sql } from 'drizzle-orm';
import { placeholder, prepare } from '../store/prepare.ts';
import type { Db } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';
import type { PaymentRow } from './records/find.ts';

/** One proof fewer on its way for this payer. */
export async function releaseLoad(db: Db, _tables: Tables, payer: string): Promise<void> {
  await takeLoad(db, { payer, count: 1 });
}

/** The same for several. */
export async function releaseLoads(
  db: Db,
  tables: Tables,
  payments: readonly Pick<PaymentRow, 'payer'>[],
): Promise<void> {
  const counts = new Map<string, number>();
  for (const { payer } of payments) counts.set(payer, (counts.get(payer) ?? 0) + 1);
  const [[payer, count] = ['', 0], ...more] = counts;
  if (more.length === 0) return void (await takeLoad(db, { payer, count }));
  const { payerLoads: loads } = tables;
  const cases = [...counts].map(([one, some]) => sql`when ${one} then cast(${some} as bigint)`);
  await db
    .update(loads)
    .set({ unsettled: sql`${loads.unsettled} - case ${loads.payer} ${sql.join(cases, sql` `)} end` })
    .where(inArray(loads.payer, [...counts.keys()]));
}

const takeLoad = prepare((db, { payerLoads }) =>
  db
    .update(payerLoads)
    .set({ unsettled: sql`${payerLoads.unsettled} - cast(${placeholder('count')} as bigint)` })
    .where(eq(payerLoads.payer, placeholder('payer'))),
);
