import { and, eq, ne, sql } from 'drizzle-orm';
import type { LostState } from '../../core/transfers/lost.ts';
import type { Network } from '../../core/networks.ts';
import { prepare } from '../store/prepare.ts';
import type { Store } from '../store/store.ts';

/** When the newest restore was reconciled; null where there was none. */
export async function lastReconciledMs({ read }: Pick<Store, 'read'>): Promise<number | null> {
  const [row] = await selectLast(read, {});
  return row?.atMs ?? null;
}

const selectLast = prepare((db, { reconciliations }) =>
  db
    .select({ atMs: reconciliations.atMs })
    .from(reconciliations)
    .orderBy(sql`${reconciliations.id} desc`)
    .limit(1),
);

export type LostPayment = { nonce: string | null; state: LostState; atMs: number };

/** What this payer paid in the lost time of a restored database, of the same sum, and did not get back. */
export async function lostPaymentsOf(
  { read, tables }: Store,
  { network, payer, amountMicroUsdc }: { network: Network; payer: string; amountMicroUsdc: bigint },
): Promise<LostPayment[]> {
  const { lostInbounds: lost, observedTransfers: seen } = tables;
  const isTheirs = and(eq(lost.payer, payer), eq(lost.network, network), eq(lost.amountMicroUsdc, amountMicroUsdc));
  return read
    .select({ nonce: seen.nonce, state: lost.state, atMs: lost.atMs })
    .from(lost)
    .innerJoin(seen, eq(seen.fact, lost.fact))
    .where(and(isTheirs, ne(lost.state, 'returned')));
}

/** Whether this transfer came in during the lost time and did not go back. */
export async function isLost({ read, tables: { lostInbounds: lost } }: Store, fact: string): Promise<boolean> {
  const rows = await read
    .select({ fact: lost.fact })
    .from(lost)
    .where(and(eq(lost.fact, fact), ne(lost.state, 'returned')));
  return rows.length > 0;
}
