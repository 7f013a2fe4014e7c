import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { accounts } from '../../../core/ledger.ts';
import { unsweptPayouts } from '../../../db/rotations/unswept.ts';
import type { TransferRow } from '../../../db/payments/records/find.ts';
import { noteFormer } from '../../../db/rotations/formers.ts';
import { noteStuck } from '../../../db/rotations/stuck.ts';
import { planTransfer } from '../../../db/transfers/reserve.ts';
import { openBooks, type Books } from '../../support/books.ts';
import { onBothDatabases } from '../../support/postgres.ts';

const [FORMER, SENDER] = [`0x${'f0'.repeat(20)}`, `0x${'99'.repeat(20)}`];
const USDC = 1_000_000n;

onBothDatabases((fresh, isSqlite) => {
  let books: Books;
  beforeEach(async () => {
    books = await openBooks(await fresh());
    await books.store.tx((db) => noteFormer(db, books.store.tables, { network: 'base', address: FORMER, sinceMs: 1 }));
  });
  afterEach(() => books.close());

  /** What is at the former address by the books: the rest of what came was swept. */
  async function holding(balance: bigint): Promise<void> {
    const { accounts: table } = books.store.tables;
    const name = accounts.chain('base', FORMER);
    await books.store.tx((db) =>
      db.insert(table).values({ name, unit: 'usdc', side: 'asset', balance, balanceWei: '0' }),
    );
  }

  type Move = { fact: string; block: number; amount?: bigint; by: string | null; to?: string; seenAtMs?: number };

  async function saw(
    { fact, block, amount = USDC, by, to = SENDER, seenAtMs = 1 }: Move,
    outgoing: boolean,
  ): Promise<void> {
    const { observedTransfers } = books.store.tables;
    const [fromAddress, toAddress] = outgoing ? [FORMER, to] : [SENDER, FORMER];
    const place = { transaction: fact, logIndex: 0, block, blockHash: '0x', landed: true, landings: 1 };
    const row = { fact, network: 'base' as const, ...place, fromAddress, toAddress, amountMicroUsdc: amount, outgoing };
    await books.store.tx((db) =>
      db.insert(observedTransfers).values({ ...row, consumedBy: by, returnWanted: false, seenAtMs }),
    );
  }
  const left = (move: Move) => saw(move, true);
  const came = (move: Move) => saw(move, false);

  /** The end of a payout that gives back what came by this name. */
  async function endOf(fact: string, formerLossAtMs: number | null = null): Promise<string | undefined> {
    const { refunds } = books.store.tables;
    const row = { id: `return:${fact}`, network: 'base' as const, payer: SENDER, account: 'x', fromAddress: FORMER };
    await books.store.tx((db) =>
      db.insert(refunds).values({ ...row, amountMicroUsdc: USDC, payoutId: fact, createdAtMs: 1 }),
    );
    const payout = { id: fact, network: 'base', comparedAtMs: 1, formerLossAtMs } as TransferRow;
    return (await unsweptPayouts(books.store.read, books.store, [payout])).get(fact);
  }

  test('what others took was the newest that was there then', async () => {
    await came({ fact: 'a', block: 1, by: 'suspense' });
    await came({ fact: 'b', block: 2, by: 'suspense' });
    await left({ fact: 'x', block: 3, by: 'taken' });
    await came({ fact: 'c', block: 4, by: 'suspense' });
    expect([await endOf('a'), await endOf('b'), await endOf('c')]).toEqual([undefined, 'taken', undefined]);
  });

  test('what strangers had sent and took again is no loss of anybody', async () => {
    await came({ fact: 'a', block: 1, by: 'suspense' });
    await came({ fact: 'u', block: 2, by: 'taken:x' });
    await left({ fact: 'x', block: 3, by: 'taken:x' });
    expect(await endOf('a')).toBeUndefined();
  });

  test('each time the newest was taken, whatever was taken afterwards', async () => {
    await came({ fact: 'a', block: 1, by: 'suspense' });
    await came({ fact: 'b', block: 2, by: 'suspense' });
    await left({ fact: 'x', block: 3, by: 'taken' });
    await came({ fact: 'c', block: 4, by: 'suspense' });
    await left({ fact: 'y', block: 5, by: 'taken' });
    expect([await endOf('a'), await endOf('b'), await endOf('c')]).toEqual([undefined, 'taken', 'taken']);
  });

  test('on Solana nobody knows which of one slot came first, so what was taken there may have been this', async () => {
    await books.store.tx((db) =>
      noteFormer(db, books.store.tables, { network: 'solana', address: FORMER, sinceMs: 1 }),
    );
    const { observedTransfers: seen, refunds } = books.store.tables;
    await came({ fact: 'a', block: 1, by: 'suspense' });
    await left({ fact: 'x', block: 1, by: 'taken' });
    await came({ fact: 'b', block: 2, by: 'suspense' });
    expect([await endOf('a'), await endOf('b')]).toEqual([undefined, undefined]);
    await books.store.tx(async (db) => {
      await db.update(seen).set({ network: 'solana' });
      await db.update(refunds).set({ network: 'solana' });
    });
    const payouts = ['a', 'b'].map((id) => ({ id, network: 'solana', formerLossAtMs: null }) as TransferRow);
    const found = await unsweptPayouts(books.store.read, books.store, payouts);
    expect([found.get('a'), found.get('b')]).toEqual(['taken', undefined]);
  });

  describe('what went to another former address', () => {
    const [ANOTHER, AN_HOUR_MS] = [`0x${'f1'.repeat(20)}`, 3_600_000];
    const replacedAt = (address: string, sinceMs: number) =>
      books.store.tx((db) => noteFormer(db, books.store.tables, { network: 'base', address, sinceMs }));

    test('is lost where a sweep of ours has sent it', async () => {
      await replacedAt(ANOTHER, 1);
      const ends = { network: 'base' as const, fromAddress: FORMER, toAddress: ANOTHER, sourceAccount: null };
      const sweep = { id: 's', purpose: 'sweep' as const, ...ends, amountMicroUsdc: USDC };
      await books.store.tx((db) => planTransfer(db, books.store.tables, sweep, 1));
      await came({ fact: 'a', block: 1, by: 'suspense' });
      await left({ fact: 'x', block: 2, by: 'transfer:s', to: ANOTHER });
      expect(await endOf('a')).toBe('taken');
    });

    if (!isSqlite) return;

    test.each(['moved', 'taken', 'lost'])('is lost where it is booked as %s', async (by) => {
      await replacedAt(ANOTHER, 1);
      await came({ fact: 'a', block: 1, by: 'suspense' });
      await left({ fact: 'x', block: 2, by, to: ANOTHER });
      expect(await endOf('a')).toBe('taken');
    });

    test('is lost also where restored books had lost it before this one was replaced; to anybody else it was our own', async () => {
      await replacedAt(ANOTHER, 0);
      await came({ fact: 'a', block: 1, by: 'suspense' });
      await left({ fact: 'x', block: 2, by: 'lost', seenAtMs: 0 });
      expect(await endOf('a')).toBeUndefined();
      await came({ fact: 'b', block: 3, by: 'suspense' });
      await left({ fact: 'y', block: 4, by: 'lost', to: ANOTHER, seenAtMs: 0 });
      expect(await endOf('b')).toBe('taken');
    });

    test('is not lost where that was in use then', async () => {
      await replacedAt(ANOTHER, AN_HOUR_MS);
      await came({ fact: 'a', block: 1, by: 'suspense' });
      await left({ fact: 'x', block: 2, by: 'moved', to: ANOTHER });
      expect(await endOf('a')).toBeUndefined();
    });
  });

  test('what nobody here can move counts as taken, until it can be moved; an operator may let it go all the same', async () => {
    await came({ fact: 'a', block: 1, by: 'suspense' });
    await came({ fact: 'b', block: 2, by: 'suspense' });
    await holding(USDC);
    const place = { network: 'base' as const, address: FORMER };
    await noteStuck(books.store, place, true);
    await noteStuck(books.store, place, true);
    expect([await endOf('a'), await endOf('b')]).toEqual([undefined, 'taken']);
    const { refunds } = books.store.tables;
    await books.store.tx((db) => db.delete(refunds));
    expect(await endOf('b', 5)).toBeUndefined();
    await books.store.tx((db) => db.delete(refunds));
    await noteStuck(books.store, { ...place, address: SENDER }, true);
    await noteStuck(books.store, place, false);
    expect(await endOf('b')).toBe('unswept');
  });

  test('a part that was taken is enough; an operator may let it go all the same', async () => {
    await came({ fact: 'a', block: 1, by: 'suspense' });
    await came({ fact: 'b', block: 1, by: 'suspense', amount: 1n });
    await left({ fact: 'x', block: 2, by: 'taken', amount: 2n });
    expect(await endOf('a')).toBe('taken');
    const { refunds } = books.store.tables;
    await books.store.tx((db) => db.delete(refunds));
    expect(await endOf('a', 5)).toBeUndefined();
  });

  if (!isSqlite) return;

  test('what is still there is not swept, whatever comes later', async () => {
    await came({ fact: 'a', block: 1, by: 'suspense' });
    await came({ fact: 'b', block: 2, by: 'suspense' });
    await holding(2n * USDC);
    expect([await endOf('a'), await endOf('b')]).toEqual(['unswept', 'unswept']);
  });

  test('what came before all that is there is swept', async () => {
    await came({ fact: 'a', block: 1, by: 'suspense' });
    await came({ fact: 'b', block: 2, by: 'suspense' });
    await holding(USDC);
    expect([await endOf('a'), await endOf('b')]).toEqual([undefined, 'unswept']);
  });

  test('what came later makes good nothing that was taken before', async () => {
    await came({ fact: 'a', block: 1, by: 'suspense' });
    await left({ fact: 'x', block: 2, by: 'taken' });
    await came({ fact: 'b', block: 3, by: 'suspense' });
    await left({ fact: 'y', block: 4, by: null });
    // The second is not booked yet, so that one waits.
    expect([await endOf('a'), await endOf('b')]).toEqual(['taken', 'unswept']);
  });

  test('what others took is less by what strangers had sent, and no more', async () => {
    await came({ fact: 'a', block: 1, by: 'suspense' });
    await came({ fact: 'b', block: 2, by: 'suspense', amount: 2n });
    await came({ fact: 'u', block: 3, by: 'taken:x', amount: 5n });
    await left({ fact: 'x', block: 4, by: 'taken', amount: 7n });
    expect([await endOf('a'), await endOf('b')]).toEqual([undefined, 'taken']);
  });
});
