import { eq, isNotNull, sql } from 'drizzle-orm';
import type { Db, Store } from '../store/store.ts';
import { stopSigningWithin } from '../store/stops.ts';

/** What a process keeps outside the database: its name there, and the highest mark it has seen. */
export type KeptMark = { holder: string; mark: number };

/** Where it is kept. `write` resolves once it would survive a loss of power. */
export type MarkPlace = { read: () => Promise<KeptMark | null>; write: (kept: KeptMark) => Promise<void> };

export type HighWater = {
  /** Part of each transaction that stores signed bytes. Throws where the database knows less than this process. */
  raise: (db: Db) => Promise<number>;
  /** After its commit, before anything is sent. */
  keep: (mark: number) => Promise<void>;
  /** Stops signing where the database has stepped back. Answers whether it has. */
  check: () => Promise<boolean>;
};

/**
 * Notices that the database was replaced by an older one, as by a restored backup: what this process has signed since is
 * not in it, and signing again could pay twice. The mark rises with the signed bytes, and is kept outside before they are
 * sent, so whatever may have left is never above what is kept. Each process has a row of its own: no other raises it, and
 * none waits for it.
 */
export async function openHighWater(
  store: Store,
  place: MarkPlace,
  { newHolder, now }: { newHolder: () => string; now: () => number },
): Promise<HighWater> {
  const { highWaterMarks: marks } = store.tables;
  const kept = await place.read();
  const seen: KeptMark = kept ?? { holder: newHolder(), mark: 0 };
  const mine = eq(marks.holder, seen.holder);
  if (kept === null) {
    await store.tx((db) => db.insert(marks).values({ ...seen, seenMark: null }));
    await place.write(seen);
  }

  async function raise(db: Db): Promise<number> {
    const [row] = await db
      .update(marks)
      .set({ mark: sql`${marks.mark} + 1` })
      .where(mine)
      .returning({ mark: marks.mark });
    // Compared after the update: where another transaction of this process has just raised it, PostgreSQL runs this one
    // again, while a condition on the older row would find nothing.
    if (row === undefined || row.mark <= seen.mark)
      throw new Error(`the database knows of less than the ${seen.mark} that were signed here`);
    return row.mark;
  }

  async function keep(mark: number): Promise<void> {
    if (mark <= seen.mark) return;
    seen.mark = mark;
    await place.write({ ...seen });
  }

  async function check(): Promise<boolean> {
    const { holder, mark } = seen;
    const [row] = await store.read.select().from(marks).where(mine);
    if (row !== undefined && row.mark >= mark) return false;
    // Read again in the transaction: it may have been reconciled in between.
    return store.tx(async (db) => {
      const [current] = await db.select().from(marks).where(mine);
      if (current !== undefined && current.mark >= mark) return false;
      if (current?.seenMark === mark) return true;
      const found = { holder, mark: current?.mark ?? 0, seenMark: mark };
      await db
        .insert(marks)
        .values(found)
        .onConflictDoUpdate({ target: marks.holder, set: { seenMark: mark } });
      await keepCursors(db, store);
      const detail = `a process has signed ${mark} times, the database knows of ${found.mark}`;
      await stopSigningWithin(db, store, { reason: 'database_restored', network: 'all', detail }, now());
      return true;
    });
  }

  await check();
  return { raise, keep, check };
}

/** The process that notices first has read the least of the chain. Everything above belongs to the lost time. */
async function keepCursors(db: Db, { tables: { restoredCursors, scanCursors } }: Store): Promise<void> {
  const cursors = await db.select({ network: scanCursors.network, block: scanCursors.block }).from(scanCursors);
  if (cursors.length > 0) await db.insert(restoredCursors).values(cursors).onConflictDoNothing();
}

/** The database adopts what its processes have seen: from here on they sign again. Answers how many had seen more. */
export async function acceptMarks(db: Db, { tables: { highWaterMarks: marks } }: Store): Promise<number> {
  const behind = await db
    .update(marks)
    .set({ mark: sql`${marks.seenMark}`, seenMark: null })
    .where(isNotNull(marks.seenMark))
    .returning({ holder: marks.holder });
  return behind.length;
}
