import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { giveUpHoldings, readHoldings, takeHoldings } from '../../../db/processes/holdings.ts';
import { beat, beginEpoch, leave } from '../../../db/processes/lease.ts';
import { openBooks, type Books } from '../../support/books.ts';
import { onBothDatabases } from '../../support/postgres.ts';

const ONE = { process: 'one', epoch: 1, roles: ['worker'], address: 'host:1', pid: 1 };
const TWO = { process: 'two', epoch: 1, roles: ['worker'], address: 'host:2', pid: 2 };

onBothDatabases((fresh) => {
  let books: Books;
  beforeEach(async () => {
    books = await openBooks(await fresh());
    await beginEpoch(books.store, ONE);
    await beginEpoch(books.store, TWO);
  });
  afterEach(() => books.close());

  /** As if it had said nothing for so long. */
  async function silence(process: string, ms = 10_001): Promise<void> {
    const { processes } = books.store.tables;
    const set = { beatAtMs: sql`${processes.beatAtMs} - ${ms}` };
    await books.store.tx((db) => db.update(processes).set(set).where(eq(processes.id, process)));
  }

  const take = (owner: { process: string; epoch: number }, ...names: string[]) =>
    takeHoldings(books.store, owner, names).then((held) => held.toSorted());

  test('what a living process holds is not taken; the rest is', async () => {
    expect(await take(ONE, 'a', 'b')).toEqual(['a', 'b']);
    expect(await take(TWO, 'b', 'c')).toEqual(['c']);
    expect(await readHoldings(books.store, 'b')).toEqual([{ name: 'b', process: 'one' }]);
    expect(await take(ONE, 'a')).toEqual(['a']);
  });

  test('of many that want it at once one has it', async () => {
    for (let round = 0; round < 5; round += 1) {
      const all = await Promise.all([take(ONE, `r${round}`), take(TWO, `r${round}`)]);
      expect(all.flat()).toEqual([`r${round}`]);
    }
  });

  test('the holdings of a silent process are taken over, and that process can beat no more', async () => {
    await take(ONE, 'a', 'b');
    await silence('one', 9_000);
    expect(await take(TWO, 'a')).toEqual([]);
    await silence('one', 1_001);
    expect(await readHoldings(books.store, 'a')).toEqual([{ name: 'a', process: null }]);
    expect(await take(TWO, 'a')).toEqual(['a']);
    expect(await beat(books.store, ONE)).toBe(false);
    // All that it held is free with it.
    expect(await readHoldings(books.store, 'b')).toEqual([]);
  });

  test('a takeover beside a beat: at most one of them wins', async () => {
    for (let round = 0; round < 10; round += 1) {
      const owner = { ...ONE, epoch: round + 2 };
      await beginEpoch(books.store, owner);
      await take(owner, 'a');
      // So near to the end that either may come first.
      await silence('one', 9_995);
      const [isRenewed, taken] = await Promise.all([
        beat(books.store, owner),
        new Promise((resolve) => setTimeout(resolve, round)).then(() => take(TWO, 'a')),
      ]);
      expect([isRenewed, taken]).not.toEqual([true, ['a']]);
      await giveUpHoldings(books.store, TWO, ['a']);
    }
  });

  test('in a new epoch a process holds nothing of the one before', async () => {
    await take(ONE, 'a');
    await beginEpoch(books.store, { ...ONE, epoch: 2 });
    expect(await readHoldings(books.store, '')).toEqual([]);
    await expect(take(ONE, 'a')).rejects.toThrow('the lease of epoch 1 is over');
    expect(await take({ ...ONE, epoch: 2 }, 'a')).toEqual(['a']);
  });

  test('a process that gives up or leaves frees its own holdings at once, and nothing else', async () => {
    await take(ONE, 'a', 'b');
    await take(TWO, 'c');
    await giveUpHoldings(books.store, ONE, ['a', 'c']);
    expect(await take(TWO, 'a', 'b')).toEqual(['a']);
    await leave(books.store, ONE);
    expect(await take(TWO, 'a', 'b', 'c')).toEqual(['a', 'b', 'c']);
  });
});
