import { and, eq, inArray, or, sql } from 'drizzle-orm';
import type { Network } from '../../core/networks.ts';
import type { TransferRow } from '../payments/records/find.ts';
import { move } from '../store/move.ts';
import type { Store } from '../store/store.ts';
import { isOfKind } from './find.ts';

/**
 * The treasury pays these from now on. Needs proof that nothing which the former one has signed for them can land: the
 * token refuses a second landing under the same key only. Answers those that were still queued, as they are now.
 */
export async function takeOver(
  store: Store,
  payouts: readonly TransferRow[],
  treasury: string,
): Promise<TransferRow[]> {
  if (payouts.length === 0) return [];
  const { transfers } = store.tables;
  return store.tx(async (db) => {
    const taken: TransferRow[] = [];
    for (const { id, generation, fromAddress } of payouts) {
      const isIt = and(eq(transfers.id, id), eq(transfers.generation, generation));
      const rows = await db
        .update(transfers)
        .set({ fromAddress: treasury, nonce: null, validBefore: null, signature: null })
        .where(and(isIt, eq(transfers.status, 'queued'), eq(transfers.fromAddress, fromAddress)))
        .returning();
      taken.push(...rows);
    }
    return taken;
  });
}

/** Sweeps that are not signed go to the treasury, not to one that it has replaced. */
export async function redirectSweeps(
  store: Store,
  { network, from, to }: { network: Network; from: readonly string[]; to: string },
): Promise<void> {
  const { transfers } = store.tables;
  const isStale = and(
    eq(transfers.network, network),
    eq(transfers.status, 'queued'),
    isOfKind(store.tables, 'sweep'),
    inArray(transfers.toAddress, [...from]),
  );
  // Read beside the writer first: there is hardly ever one.
  const [stale] = await store.read.select({ id: transfers.id }).from(transfers).where(isStale).limit(1);
  if (stale !== undefined) await store.tx((db) => db.update(transfers).set({ toAddress: to }).where(isStale));
}

/**
 * Ends sweeps of former addresses that can never land, so that others move what is there: their nonce is spent, or who
 * knows the key took so much that they move more than there is. `spent`: proven so at a finalized block.
 */
export async function voidSweeps(
  store: Store,
  { network, from, spent }: { network: Network; from: readonly string[]; spent: readonly string[] },
): Promise<number> {
  const { accounts, transfers } = store.tables;
  const held = sql`(select ${accounts.balance} from ${accounts} where ${accounts.name} = 'chain:' || ${transfers.network} || ':' || ${transfers.fromAddress})`;
  const isDead = and(
    eq(transfers.network, network),
    isOfKind(store.tables, 'sweep'),
    inArray(transfers.fromAddress, [...from]),
    or(inArray(transfers.id, [...spent]), sql`${transfers.amountMicroUsdc} > coalesce(${held}, 0)`),
  );
  const [dead] = await store.read
    .select({ id: transfers.id })
    .from(transfers)
    .where(and(eq(transfers.status, 'queued'), isDead))
    .limit(1);
  if (dead === undefined) return 0;
  // Only queued ones: what is signed may land as long as it is valid.
  const ended = await store.tx((db) =>
    move(db, transfers, { from: ['queued'], where: isDead, set: { status: 'void' } }),
  );
  return ended.length;
}
