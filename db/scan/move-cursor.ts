import { and, eq, lte, sql, type Placeholder } from 'drizzle-orm';
import type { Network } from '../../core/networks.ts';
import type { ObservedBlock } from '../../core/observed.ts';
import { placeholder, prepare } from '../store/prepare.ts';
import type { Db } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';

export type CursorStep = {
  network: Network;
  /** Where the caller believes the cursor stands. */
  from: { block: number; hash: string };
  blocks: readonly ObservedBlock[];
  safeBlock: number;
  finalizedBlock: number;
};

/** Takes these blocks as read. False, with nothing done, where another writer has moved the cursor. */
export async function moveCursor(db: Db, tables: Tables, step: CursorStep): Promise<boolean> {
  const { network, from, blocks, safeBlock, finalizedBlock } = step;
  const last = blocks.at(-1);
  const values = { network, fromBlock: from.block, fromHash: from.hash, safeBlock, finalizedBlock };
  const moved = last
    ? await moveOn(db, { ...values, block: last.number, blockHash: last.hash, blockTime: last.time })
    : await moveFinality(db, values);
  if (moved.length === 0) return false;
  const recent = blocks.filter((block) => block.number > finalizedBlock);
  await Promise.all([
    writeBlocks(db, tables, network, recent),
    forgetBlocks(db, { network, last: finalizedBlock - 1 }),
  ]);
  return true;
}

const isWhereBelieved = ({ scanCursors }: Tables) =>
  and(
    eq(scanCursors.network, placeholder('network')),
    eq(scanCursors.block, placeholder('fromBlock')),
    eq(scanCursors.blockHash, placeholder('fromHash')),
  );

const finality = {
  safeBlock: sql`${placeholder('safeBlock')}`,
  finalizedBlock: sql`${placeholder('finalizedBlock')}`,
};

const moveOn = prepare((db, tables) => {
  const { scanCursors } = tables;
  const head = {
    block: sql`${placeholder('block')}`,
    blockHash: sql`${placeholder('blockHash')}`,
    blockTime: sql`${placeholder('blockTime')}`,
  };
  return db
    .update(scanCursors)
    .set({ ...head, ...finality })
    .where(isWhereBelieved(tables))
    .returning({ network: scanCursors.network });
});

/** Without a new block. */
const moveFinality = prepare((db, tables) => {
  const { scanCursors } = tables;
  return db
    .update(scanCursors)
    .set(finality)
    .where(isWhereBelieved(tables))
    .returning({ network: scanCursors.network });
});

type BlockRow = { network: Network | Placeholder; number: number | Placeholder; hash: string | Placeholder };

/** Nearly always one or two have come. */
async function writeBlocks(db: Db, tables: Tables, network: Network, blocks: readonly ObservedBlock[]): Promise<void> {
  const [one, two, ...more] = blocks;
  if (one === undefined) return;
  if (two === undefined) await writeOne(db, { network, number0: one.number, hash0: one.hash });
  else if (more.length === 0) {
    await writeTwo(db, { network, number0: one.number, hash0: one.hash, number1: two.number, hash1: two.hash });
  } else {
    await writeAll(
      db,
      tables,
      blocks.map(({ number, hash }) => ({ network, number, hash })),
    );
  }
}

function writeAll(db: Db, { scannedBlocks }: Tables, rows: BlockRow[]) {
  return db
    .insert(scannedBlocks)
    .values(rows)
    .onConflictDoUpdate({
      target: [scannedBlocks.network, scannedBlocks.number],
      set: { hash: sql`excluded.hash` },
    });
}

const blockAt = (position: 0 | 1): BlockRow => ({
  network: placeholder('network'),
  number: placeholder(`number${position}`),
  hash: placeholder(`hash${position}`),
});

const writeOne = prepare((db, tables) => writeAll(db, tables, [blockAt(0)]));
const writeTwo = prepare((db, tables) => writeAll(db, tables, [blockAt(0), blockAt(1)]));

const forgetBlocks = prepare((db, { scannedBlocks }) =>
  db
    .delete(scannedBlocks)
    .where(and(eq(scannedBlocks.network, placeholder('network')), lte(scannedBlocks.number, placeholder('last')))),
);
