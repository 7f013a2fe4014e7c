import { afterAll, beforeAll, expect, test } from 'vitest';
import { accounts } from '../../../core/ledger.ts';
import { postEntry } from '../../../db/ledger/ledger.ts';
import { DAY_MS, readFlows } from '../../../db/stories/flows.ts';
import { openBooks, START_MS, TREASURY, type Books } from '../../support/books.ts';
import { onBothDatabases } from '../../support/postgres.ts';

const ALICE = { name: 'alice', stableId: '1' };

onBothDatabases((fresh) => {
  let books: Books;
  beforeAll(async () => {
    books = await openBooks(await fresh());
  });
  afterAll(() => books.close());

  /** A million from one account to another. */
  async function post(cause: string, from: string, to: string): Promise<void> {
    const side = (account: string) => (account.startsWith('chain:') ? ('asset' as const) : ('liability' as const));
    const postings = [
      { account: from, unit: 'usdc' as const, side: side(from), amount: -1_000_000n },
      { account: to, unit: 'usdc' as const, side: side(to), amount: 1_000_000n },
    ];
    await books.store.tx((db) => postEntry(db, books.store.tables, { cause, postings }, books.clock.nowMs));
  }

  test('each day has what came in on it, and the balance at its end', async () => {
    const today = Math.floor(START_MS / DAY_MS);
    expect(await readFlows(books.store, START_MS, 3)).toEqual(new Map());
    for (const [days, count] of [
      [0, 1],
      [9, 2],
      [10, 3],
    ] as const) {
      books.clock.nowMs = START_MS + days * DAY_MS;
      for (let paid = 0; paid < count; paid += 1) await books.pay({ payees: [ALICE] });
    }
    const [line] = await books.store.read.select().from(books.store.tables.lines);
    const own = accounts.chain('base', TREASURY);
    await post('out.land:a:1', own, accounts.escrow('base', line?.identityId ?? ''));
    // From one address of ours to another: neither out nor in.
    await post('move:b:1', own, accounts.chain('base', '0xb'));
    const flows = await readFlows(books.store, START_MS + 10 * DAY_MS, 3);
    const day = (number: number, came: bigint, end: bigint, left = 0n) => ({
      day: today + number,
      inMicroUsdc: came,
      outMicroUsdc: left,
      endMicroUsdc: end,
    });
    expect(flows.get('base')).toEqual([
      day(8, 0n, 1_000_000n),
      day(9, 2_000_000n, 3_000_000n),
      day(10, 3_000_000n, 5_000_000n, 1_000_000n),
    ]);
  });
});
