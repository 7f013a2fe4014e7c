import { afterEach, beforeEach, expect, test } from 'vitest';
import { microUsdc } from '../../../core/money.ts';
import {
  beginWatch,
  depositsOf,
  freshWatches,
  noteDeposits,
  watchDeposits,
  watchesBehind,
} from '../../../db/wallets/deposits.ts';
import { openBooks, START_MS, type Books } from '../../support/books.ts';
import { onBothDatabases } from '../../support/postgres.ts';

const ADDRESS = { 'x:1': `0x${'aA'.repeat(20)}`, 'x:2': `0x${'bb'.repeat(20)}` } as const;

let books: Books;

onBothDatabases((fresh) => {
  beforeEach(async () => {
    books = await openBooks(await fresh());
  });
  afterEach(() => books.close());

  const show = (walletId: keyof typeof ADDRESS, nowMs = START_MS) =>
    watchDeposits(books.store, [{ walletId, network: 'base', address: ADDRESS[walletId] }], nowMs);

  async function begin(block: number): Promise<void> {
    for (const watch of await freshWatches(books.store, 'base', 9)) await beginWatch(books.store, watch, block);
  }

  const found = (transaction: string, to: string, place = 0) => ({
    transaction,
    place,
    to: to.toLowerCase(),
    amount: microUsdc(1_000_000n),
    atMs: START_MS + place,
  });

  test('an address that was shown is looked at from then on, and shown again it stays where it is', async () => {
    const { store } = books;
    await show('x:1');
    await show('x:1', START_MS + 1);
    expect(await freshWatches(store, 'base', 9)).toMatchObject([{ walletId: 'x:1', sinceMs: START_MS, block: null }]);
    expect(await watchesBehind(store, 'base', 9)).toEqual({ block: 0, watches: [] });
    await begin(10);
    const [watch] = (await watchesBehind(store, 'base', 9)).watches;
    if (watch === undefined) throw new Error('nothing is looked at');
    await beginWatch(store, watch, 5);
    await show('x:1', START_MS + 2);
    expect(await watchesBehind(store, 'base', 9)).toMatchObject({ block: 10, watches: [{ sinceMs: START_MS }] });
    expect(await freshWatches(store, 'base', 9)).toEqual([]);
  });

  test('what was found is kept once, with whose it is, and those behind come first', async () => {
    const { store } = books;
    await show('x:1');
    await begin(10);
    await show('x:2');
    await begin(20);
    const behind = await watchesBehind(store, 'base', 9);
    expect(behind).toMatchObject({ block: 10, watches: [{ walletId: 'x:1' }] });
    const look = { network: 'base', watches: behind.watches, fromBlock: 10, toBlock: 20 } as const;
    await noteDeposits(store, look, [found('0x1', ADDRESS['x:1']), found('0x1', ADDRESS['x:1'], 1)]);
    // Another process looked at the same blocks, and comes late.
    await noteDeposits(store, look, [found('0x1', ADDRESS['x:1'])]);
    const both = await watchesBehind(store, 'base', 9);
    expect([both.block, both.watches.map(({ walletId }) => walletId).toSorted()]).toEqual([20, ['x:1', 'x:2']]);
    await noteDeposits(store, { ...look, ...both, fromBlock: 20, toBlock: 30 }, [found('0x2', ADDRESS['x:2'])]);
    // Nor does one that comes later still go back to where it began.
    await noteDeposits(store, look, []);
    expect((await watchesBehind(store, 'base', 9)).block).toBe(30);
    const ofAlice = await depositsOf(store, 'x:1', 9);
    expect(ofAlice.map(({ transaction, place }) => [transaction, place])).toEqual([
      ['0x1', 1],
      ['0x1', 0],
    ]);
    expect(await depositsOf(store, 'x:2', 9)).toMatchObject([{ transaction: '0x2', amountMicroUsdc: 1_000_000n }]);
  });

  test('where an answer is of another address, nothing is kept and nothing is passed over', async () => {
    const { store } = books;
    await show('x:1');
    await begin(10);
    const { watches } = await watchesBehind(store, 'base', 9);
    const look = { network: 'base', watches, fromBlock: 10, toBlock: 20 } as const;
    await expect(noteDeposits(store, look, [found('0x3', ADDRESS['x:2'])])).rejects.toThrow('nobody asked');
    expect((await watchesBehind(store, 'base', 9)).block).toBe(10);
  });
});
