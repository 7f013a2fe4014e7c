import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { chainNamesOf } from '../../../worker/paid-before.ts';
import { reconcile, restoredStop } from '../../../db/operator/reconcile.ts';
import { openHighWater, type HighWater, type KeptMark } from '../../../db/processes/high-water.ts';
import { beginEpoch } from '../../../db/processes/lease.ts';
import { guardSigning, signingTx } from '../../../db/processes/signing.ts';
import type { Store } from '../../../db/store/store.ts';
import { openBooks, START_MS, type Books } from '../../support/books.ts';
import { testTransferIds } from '../../support/transfers/transfer-ids.ts';
import { onBothDatabases } from '../../support/postgres.ts';

const WORKER = { process: 'worker-1', epoch: 1, roles: ['worker'], address: 'host:1', pid: 1 };
const BEHIND = 'the database knows of less than the 3 that were signed here';
const HOUR_MS = 3_600_000;

onBothDatabases((fresh, isSqlite) => {
  let books: Books;
  let file: KeptMark | null;
  beforeEach(async () => {
    books = await openBooks(await fresh());
    await beginEpoch(books.store, WORKER);
    file = null;
  });
  afterEach(() => books.close());

  /** The process starts, with what it has kept outside the database. */
  async function start(): Promise<{ store: Store; highWater: HighWater }> {
    const place = { read: async () => file, write: async (kept: KeptMark) => void (file = kept) };
    const highWater = await openHighWater(books.store, place, { newHolder: () => 'w', now: () => START_MS });
    return { store: guardSigning(books.store, () => WORKER, highWater), highWater };
  }

  const sign = (store: Store, work: () => Promise<string> = async () => 'stored') =>
    signingTx(store, { under: null, carrier: null }, work);

  /** The database is as it was when so much had been signed. */
  async function restore(mark: number | null): Promise<void> {
    const { highWaterMarks } = books.store.tables;
    await books.store.tx((db) => (mark === null ? db.delete(highWaterMarks) : db.update(highWaterMarks).set({ mark })));
  }

  async function signThrice() {
    const process = await start();
    for (let count = 0; count < 3; count += 1) await sign(process.store);
    return process;
  }

  describe('a database that has lost what was signed', () => {
    test.each([2, null])('is noticed by the process that signed, back at %s', async (mark) => {
      const { store, highWater } = await signThrice();
      expect(await highWater.check()).toBe(false);
      await restore(mark);
      await expect(sign(store)).rejects.toThrow(BEHIND);
      expect(await restoredStop(store)).toBeNull();
      expect(await highWater.check()).toBe(true);
      expect(await restoredStop(store)).toMatchObject({ detail: expect.stringContaining('has signed 3 times') });
    });

    test('is noticed at the next start, before anything is signed', async () => {
      await signThrice();
      await restore(1);
      const { store } = await start();
      expect(await restoredStop(store)).not.toBeNull();
      await expect(sign(store)).rejects.toThrow(BEHIND);
    });

    if (!isSqlite) return;

    test('is not noticed without what was kept outside', async () => {
      await signThrice();
      await restore(1);
      file = null;
      await restore(null);
      const { store } = await start();
      expect([await sign(store), await restoredStop(store)]).toEqual(['stored', null]);
    });
  });

  test('nothing is noticed at an ordinary start, after a stop, or where a transaction was rolled back', async () => {
    const { store, highWater } = await signThrice();
    const failed = sign(store, () => Promise.reject(new Error('the caller gave up')));
    await Promise.all([expect(failed).rejects.toThrow('gave up'), sign(store), sign(store)]);
    expect([await highWater.check(), file]).toEqual([false, { holder: 'w', mark: 5 }]);
    const again = await start();
    expect([await sign(again.store), await restoredStop(store)]).toEqual(['stored', null]);
  });

  describe('reconcile', () => {
    const command = { name: 'reconcile', arguments: [], who: 'a test' };
    const naming = { namesOf: chainNamesOf, transferIdOf: testTransferIds };
    const reconciling = { ...naming, newId: () => 'move', command, nowMs: START_MS };
    const readUpTo = (ms: number) => {
      const { scanCursors } = books.store.tables;
      return books.store.tx((db) => db.update(scanCursors).set({ blockTime: Math.floor(ms / 1_000) }));
    };

    test('waits until nothing that was signed in the lost time can land, and then lets signing go on', async () => {
      await signThrice();
      await restore(1);
      const { store } = await start();
      await readUpTo(START_MS + HOUR_MS);
      expect(await reconcile(store, [], reconciling)).toMatchObject({
        kind: 'waits',
        networks: [{ network: 'base' }],
      });
      await expect(sign(store)).rejects.toThrow(BEHIND);
      await readUpTo(START_MS + 2 * HOUR_MS);
      expect(await reconcile(store, [], reconciling)).toEqual({
        kind: 'done',
        landed: 0,
        lost: 0,
        returned: 0,
        held: 0,
        stillStopped: [],
      });
      expect([await sign(store), file?.mark, await restoredStop(store)]).toEqual(['stored', 4, null]);
    });

    if (!isSqlite) return;

    test('leaves signing stopped while a transfer of ours is in no book', async () => {
      await signThrice();
      await restore(1);
      const { store } = await start();
      await readUpTo(START_MS + 2 * HOUR_MS);
      const { observedTransfers } = store.tables;
      const place = { transaction: '0x1', logIndex: 0, block: 1, blockHash: '0x2' };
      const what = { fromAddress: 'us', toAddress: 'a person', amountMicroUsdc: 1n, nonce: '0x3', authorizer: 'us' };
      const seen = { outgoing: true, landed: true, landings: 1, returnWanted: false, seenAtMs: START_MS };
      const row = { fact: 'out', network: 'base' as const, ...place, ...what, ...seen };
      await store.tx((db) => db.insert(observedTransfers).values(row));
      expect(await reconcile(store, [], reconciling)).toMatchObject({
        kind: 'unexplained',
        outflows: [{ fact: 'out' }],
      });
      expect(await restoredStop(store)).not.toBeNull();
      await store.tx((db) => db.delete(observedTransfers).where(eq(observedTransfers.fact, 'out')));
    });

    test('has nothing to do in a database that has lost nothing', async () => {
      const { store } = await signThrice();
      expect(await reconcile(store, [], reconciling)).toEqual({ kind: 'nothing' });
    });
  });
});
