import { and, eq } from 'drizzle-orm';
import {
  limitsAt,
  storedLimitsSchema,
  type SpendingLimits,
  type StoredLimits,
} from '../../core/wallets/spending-limits.ts';
import { placeholder, prepare } from '../store/prepare.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';

/** Its holders are few, and each round that is lost to one of them is a change that came through. */
const ROUNDS_MAX = 20;

/** What tips may take out of this wallet at this time. */
export async function walletLimitsAt(db: Db, walletId: string, nowMs: number): Promise<SpendingLimits> {
  return limitsAt((await findRow(db, walletId)).limits, nowMs);
}

/** With what is to come. */
export async function readStoredLimits(store: Store, walletId: string): Promise<StoredLimits> {
  return (await findRow(store.read, walletId)).limits;
}

/** Writes what `change` makes of the limits as they are; it may be asked again with newer ones. Answers what was written. */
export async function changeWalletLimits(
  store: Store,
  { walletId, changedBy, nowMs }: { walletId: string; changedBy: string; nowMs: number },
  change: (stored: StoredLimits) => StoredLimits,
): Promise<StoredLimits> {
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const { limits, revision } = await findRow(store.read, walletId);
    const changed = { limits: storedLimitsSchema.parse(change(limits)), changedBy, changedAtMs: nowMs };
    if (await store.tx((db) => replace(db, store.tables, { walletId, ...changed, revision }))) return changed.limits;
  }
  throw new Error(`the limits of a wallet changed ${ROUNDS_MAX} times while one change was written`);
}

type Row = Tables['walletLimits']['$inferSelect'];

/** Only over the revision that the change was made from; answers whether it was still there. */
async function replace(db: Db, { walletLimits }: Tables, { revision, ...row }: Row): Promise<boolean> {
  const next = { ...row, revision: revision + 1 };
  const isUnchanged = and(eq(walletLimits.walletId, row.walletId), eq(walletLimits.revision, revision));
  const written =
    revision === 0
      ? await db.insert(walletLimits).values(next).onConflictDoNothing().returning({ id: walletLimits.walletId })
      : await db.update(walletLimits).set(next).where(isUnchanged).returning({ id: walletLimits.walletId });
  return written.length > 0;
}

const selectLimits = prepare((db, { walletLimits }) =>
  db
    .select()
    .from(walletLimits)
    .where(eq(walletLimits.walletId, placeholder('walletId'))),
);

/** Revision 0 is no row: the defaults. */
async function findRow(db: Db, walletId: string): Promise<Pick<Row, 'limits' | 'revision'>> {
  const [row] = await selectLimits(db, { walletId });
  if (!row) return { limits: {}, revision: 0 };
  return { limits: storedLimitsSchema.parse(row.limits), revision: row.revision };
}
