import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { Db, Store } from '../store/store.ts';

type View = Pick<Store, 'tables'> & { read: Db };
type Finding = { rule: string; detail: string };

/** Each payment and each transfer lands at most once. */
export async function landsOnce({ read, tables }: View): Promise<Finding[]> {
  const { observedTransfers } = tables;
  const rows = await read
    .select({ consumer: observedTransfers.consumedBy, count: sql<string>`count(*)` })
    .from(observedTransfers)
    .where(and(eq(observedTransfers.landed, true), sql`${observedTransfers.consumedBy} <> 'suspense'`))
    .groupBy(observedTransfers.consumedBy)
    .having(sql`count(*) > 1`);
  return rows.map(({ consumer, count }) => ({
    rule: 'at most one landing',
    detail: `${consumer} landed ${count} times`,
  }));
}

/** An outflow must be explained in the very transaction that sees it. */
export async function transfersExplained({ read, tables }: View): Promise<Finding[]> {
  const { observedTransfers } = tables;
  const rows = await read
    .select({ fact: observedTransfers.fact })
    .from(observedTransfers)
    .where(
      and(
        eq(observedTransfers.outgoing, true),
        eq(observedTransfers.landed, true),
        isNull(observedTransfers.consumedBy),
      ),
    );
  return rows.map(({ fact }) => ({ rule: 'every outflow is explained', detail: fact }));
}

/** What the books say was paid to us did land. */
export async function settledMeansLanded({ read, tables }: View): Promise<Finding[]> {
  const { payments, observedTransfers } = tables;
  const rows = await read
    .select({ id: payments.id })
    .from(payments)
    .leftJoin(
      observedTransfers,
      and(eq(observedTransfers.consumedBy, sql`'payment:' || ${payments.id}`), eq(observedTransfers.landed, true)),
    )
    .where(and(inArray(payments.status, ['settled', 'final']), isNull(observedTransfers.fact)));
  return rows.map(({ id }) => ({ rule: 'settled means landed', detail: `payment ${id} has no transfer` }));
}
