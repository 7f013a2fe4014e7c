/** Where Solana is read on after a rotation: by the old account's own place, and by the books' last block for the new one. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { beginSignature, keepSignatures, moveSignatures, readSignatures } from '../../../db/rotations/signatures.ts';
import { startCursor } from '../../../db/scan/cursor.ts';
import { beginReading } from '../../../db/solana/scan.ts';
import type { Store } from '../../../db/store/store.ts';
import { openMigrated } from '../../support/databases/migrated.ts';
import { onBothDatabases } from '../../support/postgres.ts';

const network = 'solana' as const;

onBothDatabases((fresh) => {
  let store: Store;
  let dir: string;
  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'pennypost-signatures-'));
    store = await openMigrated((await fresh()) ?? { kind: 'sqlite', path: join(dir, 'test.sqlite') });
  });
  afterEach(async () => {
    await store.close();
    rmSync(dir, { recursive: true });
  });

  const begin = (taskSignature: string | null) => {
    const heights = { firstBlock: 5, block: 9, blockTime: 1, safeBlock: 7, finalizedBlock: 7 };
    return startCursor(store, { network, ...heights, blockHash: 'sig-t', taskSignature }, [], 1);
  };
  const cursor = async () => {
    const { scanCursors: cursors } = store.tables;
    const [row] = await store.read.select().from(cursors).where(eq(cursors.network, network));
    return [row?.blockHash, row?.taskSignature];
  };
  const known = async () => Object.fromEntries(await readSignatures(store.read, store.tables, network));
  const keep = (kept: Omit<Parameters<typeof keepSignatures>[2], 'network'>) =>
    store.tx((db) => keepSignatures(db, store.tables, { network, ...kept }));

  test('the old treasury is read on where it was, one that these books never knew from their last block on', async () => {
    await begin('sig-k');
    await keep({ role: 'treasury', address: 'C', replaced: 'A', added: ['A', 'B'] });
    expect([await known(), await cursor()]).toEqual([{ A: 'sig-t', B: 'unread' }, ['unread', 'sig-k']]);
    await beginReading(store, { network, role: 'treasury', signature: 'sig-c' });
    await beginReading(store, { network, role: 'treasury', signature: 'sig-late' });
    await store.tx((db) => beginSignature(db, store.tables, { network, address: 'B', signature: '' }));
    await store.tx((db) => moveSignatures(db, store.tables, network, new Map([['A', 'sig-2']])));
    expect([await known(), await cursor()]).toEqual([{ A: 'sig-2', B: '' }, ['sig-c', 'sig-k']]);
    expect(
      await store.tx((db) => beginSignature(db, store.tables, { network, address: 'B', signature: 'sig-x' })),
    ).toBe(false);
  });

  test('the same for the task address, which may go without a successor', async () => {
    await begin('sig-k');
    await keep({ role: 'task', address: 'L', replaced: 'K', added: ['K'] });
    expect([await known(), await cursor()]).toEqual([{ K: 'sig-k' }, ['sig-t', 'unread']]);
    await beginReading(store, { network, role: 'task', signature: 'sig-l' });
    await keep({ role: 'task', address: null, replaced: 'L', added: ['L'] });
    expect([await known(), await cursor()]).toEqual([{ K: 'sig-k', L: 'sig-l' }, ['sig-t', null]]);
  });

  test('books that have read nothing keep nothing: all accounts are opened with what they hold', async () => {
    await keep({ role: 'treasury', address: 'B', replaced: 'A', added: ['A'] });
    expect(await known()).toEqual({});
    await begin(null);
    await keep({ role: 'task', address: 'L', replaced: 'K', added: ['K'] });
    expect([await known(), await cursor()]).toEqual([{}, ['sig-t', null]]);
  });
});
