import type { Network } from '../../core/networks.ts';
import { and, desc, eq } from 'drizzle-orm';
import type { Entry } from '../../core/ledger.ts';
import { postEntry } from '../ledger/ledger.ts';
import { placeholder, prepare } from '../store/prepare.ts';
import type { Store } from '../store/store.ts';

export type Cursor = Store['tables']['scanCursors']['$inferSelect'];
export type NewCursor = Store['tables']['scanCursors']['$inferInsert'];

export async function readCursor(store: Store, network: Network): Promise<Cursor | null> {
  const [row] = await cursorOf(store.read, { network });
  return row ?? null;
}

const cursorOf = prepare((db, { scanCursors }) =>
  db
    .select()
    .from(scanCursors)
    .where(eq(scanCursors.network, placeholder('network'))),
);

/** The first start: scanning begins here, with what our addresses hold. Of several processes one writes it. */
export async function startCursor(
  store: Store,
  cursor: NewCursor,
  opening: readonly Entry[],
  nowMs: number,
): Promise<void> {
  await store.tx(async (db) => {
    const begun = await db
      .insert(store.tables.scanCursors)
      .values(cursor)
      .onConflictDoNothing()
      .returning({ network: store.tables.scanCursors.network });
    if (begun.length === 0) return;
    await db
      .insert(store.tables.scannedBlocks)
      .values({ network: cursor.network, number: cursor.block, hash: cursor.blockHash });
    for (const entry of opening) await postEntry(db, store.tables, entry, nowMs);
  });
}

/** The hash under which a block that is not final yet was scanned. */
export async function scannedHash(store: Store, network: Network, number: number): Promise<string | null> {
  const { scannedBlocks } = store.tables;
  const [row] = await store.read
    .select({ hash: scannedBlocks.hash })
    .from(scannedBlocks)
    .where(and(eq(scannedBlocks.network, network), eq(scannedBlocks.number, number)));
  return row?.hash ?? null;
}

/** Scanned blocks that are not final, newest first: where to look for the fork after a reorganisation. */
export async function recentBlocks(store: Store, network: Network): Promise<{ number: number; hash: string }[]> {
  return selectRecent(store.read, { network });
}

const selectRecent = prepare((db, { scannedBlocks }) =>
  db
    .select({ number: scannedBlocks.number, hash: scannedBlocks.hash })
    .from(scannedBlocks)
    .where(eq(scannedBlocks.network, placeholder('network')))
    .orderBy(desc(scannedBlocks.number)),
);
