import { and, eq, inArray, like } from 'drizzle-orm';
import { familyOf, type Network } from '../../core/networks.ts';
import type { Tables } from '../schema/tables.ts';
import type { Db } from '../store/store.ts';

/**
 * Where a chain is read by the accounts that were touched, each has a cursor of its own: the transaction after which reading goes
 * on. Those of the treasury and of the task address are in `scan_cursors`, those of what was replaced stand here.
 */
const PREFIX = 'former-signature';

const signatureName = (network: Network, address: string) => `${network}:${PREFIX}:${address}`;

/** Ours since a rotation, and not read yet: what came there after the last block of the books is in none of them. */
export const UNREAD = 'unread';

type Kept = {
  network: Network;
  role: 'treasury' | 'task';
  /** In the place of `replaced`; null: there is none now. */
  address: string | null;
  replaced: string | null;
  added: readonly string[];
};

/**
 * In the transaction of a rotation: the old account is read on where it was, and the new one from the books' last block on. Books
 * that were never read have no cursor, and open all accounts with what they hold.
 */
export async function keepSignatures(db: Db, tables: Tables, kept: Kept): Promise<void> {
  const { network, role, address, replaced, added } = kept;
  switch (familyOf(network)) {
    case 'evm':
      // Its blocks are read for all addresses at once.
      return;
    case 'svm': {
      const { scanCursors, stamps } = tables;
      const [cursor] = await db.select().from(scanCursors).where(eq(scanCursors.network, network));
      if (cursor === undefined) return;
      const before = role === 'treasury' ? cursor.blockHash : cursor.taskSignature;
      const rows = added.flatMap((one) => {
        const value = one === replaced ? before : UNREAD;
        return value === null ? [] : [{ name: signatureName(network, one), value }];
      });
      if (rows.length > 0) await db.insert(stamps).values(rows).onConflictDoNothing();
      if (replaced === null) return;
      const next = address === null || before === null ? null : UNREAD;
      const set = role === 'treasury' ? { blockHash: UNREAD } : { taskSignature: next };
      await db.update(scanCursors).set(set).where(eq(scanCursors.network, network));
    }
  }
}

/** By address, where reading each former account goes on. */
export async function readSignatures(db: Db, { stamps }: Tables, network: Network): Promise<Map<string, string>> {
  const prefix = signatureName(network, '');
  const rows = await db
    .select()
    .from(stamps)
    .where(like(stamps.name, `${prefix}%`));
  return new Map(rows.map(({ name, value }) => [name.slice(prefix.length), value]));
}

export async function moveSignatures(
  db: Db,
  { stamps }: Tables,
  network: Network,
  moved: ReadonlyMap<string, string>,
): Promise<void> {
  const names = [...moved.keys()].map((address) => signatureName(network, address));
  if (names.length === 0) return;
  const rows = await db.select().from(stamps).where(inArray(stamps.name, names));
  const known = new Map(rows.map(({ name, value }) => [name, value]));
  for (const [address, value] of moved) {
    const name = signatureName(network, address);
    if (known.get(name) !== value) await db.update(stamps).set({ value }).where(eq(stamps.name, name));
  }
}

/** Reading of a former account begins here. False where another writer has begun it. */
export async function beginSignature(
  db: Db,
  { stamps }: Tables,
  { network, address, signature }: { network: Network; address: string; signature: string },
): Promise<boolean> {
  const name = signatureName(network, address);
  const isUnread = and(eq(stamps.name, name), eq(stamps.value, UNREAD));
  const begun = await db.update(stamps).set({ value: signature }).where(isUnread).returning({ name: stamps.name });
  if (begun.length > 0) return true;
  const added = await db
    .insert(stamps)
    .values({ name, value: signature })
    .onConflictDoNothing()
    .returning({ name: stamps.name });
  return added.length > 0;
}
