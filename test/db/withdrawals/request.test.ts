import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AppError } from '../../../core/errors.ts';
import { microUsdc } from '../../../core/money.ts';
import { readCounter } from '../../../db/store/counters.ts';
import { failWithdrawal, markDead, markPaid, refuseWithdrawal } from '../../../db/withdrawals/end.ts';
import { findWithdrawal, openWithdrawals, withdrawalsOfWallet } from '../../../db/withdrawals/find.ts';
import { openCounter } from '../../../db/withdrawals/limits.ts';
import { requestWithdrawal, type NewWithdrawal } from '../../../db/withdrawals/request.ts';
import { markWithdrawalSigned } from '../../../db/withdrawals/signed.ts';
import { openBooks, START_MS, type Books } from '../../support/books.ts';
import { onBothDatabases } from '../../support/postgres.ts';

let books: Books;
const WALLET = 'x:7';
let requests = 0;

function ask(over: Partial<NewWithdrawal> = {}) {
  requests += 1;
  return requestWithdrawal(books.store, {
    id: randomBytes(16).toString('hex'),
    holderId: 'chat:alice',
    requestKey: `request ${requests}`,
    walletId: WALLET,
    network: 'base',
    fromAddress: `0x${'22'.repeat(20)}`,
    toAddress: `0x${'33'.repeat(20)}`,
    amountMicroUsdc: microUsdc(1_000_000n),
    nowMs: books.clock.nowMs,
    ...over,
  });
}

async function refusalOf(asking: Promise<unknown>): Promise<string> {
  const error = await asking.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof AppError) return error.code;
  throw new Error(`expected a refusal, found ${String(error)}`);
}

const sign = (id: string, generation = 0) =>
  markWithdrawalSigned(books.store, id, { generation, nonce: `0x${generation}`, validBefore: 1, signature: '0x51' });
const statusOf = async (id: string) => (await findWithdrawal(books.store, id))?.status;
const openOnes = () => readCounter(books.store, openCounter(WALLET));

/** A finalized block when the window of what `sign` signs is over. */
const OVER = { finalizedTime: 1 };

onBothDatabases((fresh, isSqlite) => {
  beforeEach(async () => {
    books = await openBooks(await fresh());
  });
  afterEach(() => books.close());

  describe('asking', () => {
    test('twice under one key is one withdrawal, even at once, and counts once', async () => {
      const again = () => ask({ requestKey: 'the same' });
      const rows = await Promise.all([again(), again(), again()]);
      expect(new Set(rows.map(({ id }) => id)).size).toBe(1);
      expect((await again()).id).toBe(rows[0]?.id);
      expect(await openOnes()).toBe(1n);
      expect((await ask({ requestKey: 'the same', holderId: 'chat:bob' })).id).not.toBe(rows[0]?.id);
    });

    test('for a fourth while three of the wallet are open is refused, and leaves nothing behind', async () => {
      const first = await ask();
      await ask({ network: 'solana' });
      await ask();
      expect(await refusalOf(ask())).toBe('rate_limited');
      expect(await openWithdrawals(books.store)).toHaveLength(3);
      expect(await openWithdrawals(books.store, 'solana')).toHaveLength(1);
      expect((await ask({ walletId: 'x:8' })).status).toBe('requested');
      expect(await failWithdrawal(books.store, first.id, 'requested', 'gave_up', START_MS)).toBe(true);
      expect((await ask()).status).toBe('requested');
      expect(await withdrawalsOfWallet(books.store, WALLET)).toHaveLength(4);
    });

    if (!isSqlite) return;

    test('for less than 0.01 USDC is refused', async () => {
      expect(await refusalOf(ask({ amountMicroUsdc: microUsdc(9_999n) }))).toBe('invalid_amount');
      expect((await ask({ amountMicroUsdc: microUsdc(10_000n) })).status).toBe('requested');
    });

    test('for a twenty-first of a day is refused until the next day', async () => {
      for (let count = 0; count < 20; count += 1) {
        const { id } = await ask();
        await failWithdrawal(books.store, id, 'requested', 'gave_up', START_MS);
      }
      expect(await refusalOf(ask())).toBe('rate_limited');
      expect(await openOnes()).toBe(0n);
      books.clock.nowMs += 24 * 3_600_000;
      expect((await ask()).status).toBe('requested');
    });
  });

  describe('signing', () => {
    test('stores one signature a generation, and the next generation only when the one before is dead', async () => {
      const { id } = await ask();
      expect(await sign(id, 1)).toBe(false);
      expect(await sign(id)).toBe(true);
      expect(await sign(id)).toBe(false);
      expect(await sign(id, 1)).toBe(false);
      expect(await markDead(books.store, { id, generation: 0 }, OVER)).toBe(true);
      expect(await sign(id)).toBe(false);
      expect(await sign(id, 2)).toBe(false);
      expect(await sign(id, 1)).toBe(true);
      expect(await markDead(books.store, { id, generation: 0 }, OVER)).toBe(false);
      expect(await findWithdrawal(books.store, id)).toMatchObject({ status: 'signed', generation: 1, nonce: '0x1' });
    });
  });

  test('a signed one is dead only with what proves it, in the same statement', async () => {
    const { id } = await ask();
    await sign(id);
    const signed = { id, generation: 0 };
    const others = [{ finalizedTime: 0 }, { spentNonce: '0x1' }, { closedCarrierId: 'another' }];
    for (const death of others) expect(await markDead(books.store, signed, death)).toBe(false);
    expect(await statusOf(id)).toBe('signed');
    expect(await markDead(books.store, signed, { spentNonce: '0x0' })).toBe(true);
  });

  describe('ending', () => {
    test('happens once, and gives its place among the open ones back once', async () => {
      const { id } = await ask();
      await sign(id);
      const signed = { id, generation: 0 };
      const paid = await Promise.all([1, 2, 3].map(() => markPaid(books.store, signed, '0xabc', START_MS)));
      expect(paid.filter(Boolean)).toHaveLength(1);
      expect(await markDead(books.store, signed, OVER)).toBe(false);
      expect(await refuseWithdrawal(books.store, signed, 'insufficient_funds', START_MS)).toBe(false);
      expect(await failWithdrawal(books.store, id, 'dead', 'gave_up', START_MS)).toBe(false);
      expect(await findWithdrawal(books.store, id)).toMatchObject({ status: 'paid', landedTransaction: '0xabc' });
      expect(await openOnes()).toBe(0n);
    });

    test('by a refusal takes the signature with it, and is not possible once anything was sent', async () => {
      const { id } = await ask();
      await sign(id);
      expect(await refuseWithdrawal(books.store, { id, generation: 0 }, 'insufficient_funds', START_MS)).toBe(true);
      expect(await findWithdrawal(books.store, id)).toMatchObject({ signature: null, failure: 'insufficient_funds' });

      const sent = await ask();
      await sign(sent.id);
      const { transfers } = books.store.tables;
      await books.store.tx((db) => db.update(transfers).set({ tries: 1 }));
      expect(await refuseWithdrawal(books.store, { ...sent, generation: 0 }, 'insufficient_funds', START_MS)).toBe(
        false,
      );
      expect(await statusOf(sent.id)).toBe('signed');
    });

    if (!isSqlite) return;

    test('a dead one keeps its place until it is ended', async () => {
      const { id } = await ask();
      await sign(id);
      await markDead(books.store, { id, generation: 0 }, OVER);
      expect(await openOnes()).toBe(1n);
      expect(await failWithdrawal(books.store, id, 'requested', 'gave_up', START_MS)).toBe(false);
      expect(await failWithdrawal(books.store, id, 'dead', 'gave_up', START_MS)).toBe(true);
      expect(await openOnes()).toBe(0n);
    });
  });
});
