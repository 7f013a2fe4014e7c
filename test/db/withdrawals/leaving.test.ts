import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AppError } from '../../../core/errors.ts';
import { microUsdc } from '../../../core/money.ts';
import { ADDRESS_WAIT_MS, WITHDRAWALS_DAILY_MAX } from '../../../core/wallets/withdrawal-wait.ts';
import { addWithin, readCounter } from '../../../db/store/counters.ts';
import { dayOf } from '../../../db/limits/daily.ts';
import { spentCounter } from '../../../db/wallets/spending.ts';
import { changeWalletLimits } from '../../../db/wallets/wallet-limits.ts';
import { callOff, freshAddresses, waitingWithdrawals } from '../../../db/withdrawals/cancel.ts';
import { failWithdrawal, markDead, markPaid } from '../../../db/withdrawals/end.ts';
import { findWithdrawal, withdrawalsToSign } from '../../../db/withdrawals/find.ts';
import { previewLeaving } from '../../../db/withdrawals/leaving.ts';
import { atOnceCounter, openCounter } from '../../../db/withdrawals/limits.ts';
import { requestWithdrawal, type NewWithdrawal } from '../../../db/withdrawals/request.ts';
import { markWithdrawalSigned } from '../../../db/withdrawals/signed.ts';
import { markTold } from '../../../db/withdrawals/notified.ts';
import { openBooks, START_MS, type Books } from '../../support/books.ts';
import { onBothDatabases } from '../../support/postgres.ts';
import { tellAll } from '../../support/told.ts';

const WALLET = 'x:7';
const FIRST = `0x${'33'.repeat(20)}`;
const SECOND = `0x${'44'.repeat(20)}`;
const usdc = (amount: number) => microUsdc(BigInt(amount) * 1_000_000n);
let books: Books;

/** And everybody who holds the wallet is told at once. */
async function ask(...asking: Parameters<typeof askUnheard>) {
  const row = await askUnheard(...asking);
  await tellAll(books.store, row.createdAtMs);
  return row;
}

function askUnheard(amount: number, toAddress = FIRST, over: Partial<NewWithdrawal> = {}) {
  const id = randomBytes(16).toString('hex');
  return requestWithdrawal(books.store, {
    id,
    holderId: 'chat:alice',
    requestKey: id,
    walletId: WALLET,
    network: 'base' as const,
    fromAddress: `0x${'22'.repeat(20)}`,
    toAddress,
    amountMicroUsdc: usdc(amount),
    nowMs: books.clock.nowMs,
    ...over,
  });
}

const sign = (id: string) =>
  markWithdrawalSigned(books.store, id, { generation: 0, nonce: '0x1', validBefore: 1, signature: '0x51' });
async function leave(...asking: Parameters<typeof ask>): Promise<void> {
  const { id } = await ask(...asking);
  await sign(id);
  await markPaid(books.store, { id, generation: 0 }, null, books.clock.nowMs);
}
const HOUR_MS = 3_600_000;
const HOURS_TO_ELEVEN_PM = 23 - new Date(START_MS).getUTCHours();
const pass = (ms: number) => void (books.clock.nowMs += ms);
const cancel = (address = FIRST) =>
  callOff(books.store, { walletId: WALLET, to: { network: 'base' as const, address } }, books.clock.nowMs);
const countedToday = () => readCounter(books.store, atOnceCounter(WALLET, dayOf(books.clock.nowMs)));
const waitsFor = async (asking: ReturnType<typeof ask>) => (await asking).notBeforeMs - books.clock.nowMs;

/** A finalized block when the window of what `sign` signs is over. */
const OVER = { finalizedTime: 1 };

onBothDatabases((fresh, isSqlite) => {
  beforeEach(async () => {
    books = await openBooks(await fresh());
  });
  afterEach(() => books.close());

  test('the first address gets ten USDC a day at once, over both networks, and more after a day', async () => {
    expect(await ask(6)).toMatchObject({ notBeforeMs: START_MS, countedOn: dayOf(START_MS) });
    expect(await waitsFor(ask(5))).toBe(ADDRESS_WAIT_MS);
    expect(await waitsFor(ask(4, 'Solana', { network: 'solana' as const }))).toBe(0);
    expect(await waitsFor(ask(1))).toBe(ADDRESS_WAIT_MS);
    expect(await countedToday()).toBe(usdc(10));
    pass(ADDRESS_WAIT_MS - 1);
    expect(await waitsFor(ask(500))).toBe(1);
    pass(1);
    expect(await ask(500)).toMatchObject({ notBeforeMs: books.clock.nowMs, countedOn: null });
  });

  test('what leaves at once counts on the day’s limit of what is sent, and gives it back with what fails', async () => {
    const sent = (amount: bigint) =>
      books.store.tx((db) => addWithin(db, books.store, spentCounter(WALLET, dayOf(START_MS)), amount));
    const spent = () => readCounter(books.store, spentCounter(WALLET, dayOf(START_MS)));
    const limit = { walletId: WALLET, changedBy: 'the test', nowMs: START_MS };
    await changeWalletLimits(books.store, limit, () => ({ day: { now: usdc(12).toString() } }));
    await sent(usdc(5));
    expect(await waitsFor(ask(8))).toBe(ADDRESS_WAIT_MS);
    expect(await spent()).toBe(usdc(5));
    const { id } = await ask(7);
    expect(await spent()).toBe(usdc(12));
    expect(await waitsFor(ask(1))).toBe(ADDRESS_WAIT_MS);
    await failWithdrawal(books.store, id, 'requested', 'gave_up', START_MS);
    expect(await spent()).toBe(usdc(5));
    // A limit that was lowered below what was sent refuses nothing either.
    await sent(usdc(20));
    expect(await waitsFor(ask(1))).toBe(ADDRESS_WAIT_MS);
  });

  test('what is asked for twice under one key is counted once', async () => {
    const first = await ask(6, FIRST, { requestKey: 'key' });
    expect(await ask(6, FIRST, { requestKey: 'key' })).toMatchObject({ id: first.id });
    expect(await ask(4, FIRST, { requestKey: 'key' })).toMatchObject({ id: first.id });
    expect(await countedToday()).toBe(usdc(6));
  });

  test('at once and together, no more than ten USDC leave', async () => {
    const rows = await Promise.all([6, 6, 6].map((amount) => ask(amount)));
    expect(rows.filter(({ countedOn }) => countedOn !== null)).toHaveLength(1);
    expect(await countedToday()).toBe(usdc(6));
  });

  test('another address waits a day, from when it was first asked for', async () => {
    await ask(1);
    pass(1);
    expect(await waitsFor(ask(1, SECOND))).toBe(ADDRESS_WAIT_MS);
    pass(3_600_000);
    expect(await waitsFor(ask(2, SECOND))).toBe(ADDRESS_WAIT_MS - 3_600_000);
    expect(await previewLeaving(books.store, wishFor(SECOND), books.clock.nowMs)).toEqual({
      notBeforeMs: START_MS + 1 + ADDRESS_WAIT_MS,
      isAtOnce: false,
    });
  });

  describe('calling off', () => {
    test('ends all that waits for an address, and nothing else', async () => {
      const [now, first, second] = [await ask(1), await ask(20), await ask(30)];
      await sign(now.id);
      const other = await ask(1, SECOND);
      const cancelled = await cancel();
      const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id).toSorted();
      expect(idsOf(cancelled.ended)).toEqual(idsOf([first, second]));
      expect(idsOf(cancelled.left)).toEqual([now.id]);
      expect(await cancel()).toEqual({ ended: [], left: [] });
      expect((await waitingWithdrawals(books.store, [WALLET])).map(({ id }) => id)).toEqual([other.id]);
      expect((await withdrawalsToSign(books.store, START_MS, 10)).items).toEqual([]);
      expect(await readCounter(books.store, openCounter(WALLET, true))).toBe(1n);
    });

    test('makes the address a new one, also where something has gone there before', async () => {
      await sign((await ask(1)).id);
      pass(3_600_000);
      expect(await freshAddresses(books.store, [WALLET], books.clock.nowMs)).toMatchObject([
        { knownFromMs: START_MS + ADDRESS_WAIT_MS },
      ]);
      await cancel();
      expect(await freshAddresses(books.store, [WALLET], books.clock.nowMs)).toEqual([]);
      pass(ADDRESS_WAIT_MS);
      expect(await waitsFor(ask(500))).toBe(ADDRESS_WAIT_MS);
    });

    test('ends a dead withdrawal, which would be signed again, even while a process signs it', async () => {
      const { id } = await ask(4);
      await sign(id);
      await markDead(books.store, { id, generation: 0 }, OVER);
      const again = { generation: 1, nonce: '0x2', validBefore: 1, signature: '0x52' };
      const [cancelled, isSigned] = await Promise.all([cancel(), markWithdrawalSigned(books.store, id, again)]);
      expect(isSigned).toBe(cancelled.ended.length === 0);
      expect(await countedToday()).toBe(isSigned ? usdc(4) : 0n);
      const second = await ask(1);
      await sign(second.id);
      await markDead(books.store, { id: second.id, generation: 0 }, OVER);
      expect((await cancel()).ended.map((row) => row.id)).toEqual([second.id]);
      expect(await markWithdrawalSigned(books.store, second.id, again)).toBe(false);
    });

    test('and signing at the same time: one of them gets it', async () => {
      const { id } = await ask(20);
      pass(ADDRESS_WAIT_MS);
      const [cancelled, isSigned] = await Promise.all([cancel(), sign(id)]);
      expect(isSigned).toBe(cancelled.ended.length === 0);
    });

    if (!isSqlite) return;

    test('leaves a known address as it is, whatever has gone there today', async () => {
      await sign((await ask(1)).id);
      pass(ADDRESS_WAIT_MS - 1);
      await sign((await ask(2)).id);
      pass(1);
      await sign((await ask(30)).id);
      expect((await cancel()).left).toEqual([]);
      const { nowMs } = books.clock;
      expect(await previewLeaving(books.store, wishFor(FIRST), nowMs)).toEqual({ notBeforeMs: nowMs, isAtOnce: false });
    });

    test('ends also what was to leave at once, until it is signed', async () => {
      const { id } = await ask(4);
      expect((await cancel()).ended).toMatchObject([{ id, failure: 'cancelled' }]);
      expect(await countedToday()).toBe(0n);
      const late = await ask(20);
      pass(ADDRESS_WAIT_MS);
      await sign(late.id);
      expect((await cancel()).ended).toEqual([]);
    });

    test('finds an address however many small sums have left for another one that day', async () => {
      await leave(1);
      pass(ADDRESS_WAIT_MS + HOURS_TO_ELEVEN_PM * HOUR_MS);
      for (let count = 0; count < WITHDRAWALS_DAILY_MAX; count++) await leave(1);
      pass(2 * HOUR_MS);
      await leave(1, 'Solana', { network: 'solana' as const });
      expect((await callOff(books.store, { walletId: WALLET }, books.clock.nowMs)).left).toMatchObject([
        { toAddress: 'Solana' },
      ]);
      pass(ADDRESS_WAIT_MS);
      expect(await waitsFor(ask(500, 'Solana', { network: 'solana' as const }))).toBe(ADDRESS_WAIT_MS);
    });
  });

  describe('told late', () => {
    const timeOf = async ({ id }: { id: string }) => (await findWithdrawal(books.store, id))?.notBeforeMs;

    test('an address stands from then on, and all that waits for it leaves a day later', async () => {
      const [first, second] = [await askUnheard(20), await askUnheard(30)];
      const other = await askUnheard(40, SECOND);
      pass(30 * HOUR_MS);
      expect(await waitsFor(askUnheard(1, FIRST, { walletId: 'x:8' }))).toBe(0);
      await markTold(books.store, first.id, books.clock.nowMs);
      const toldMs = books.clock.nowMs;
      pass(1);
      await markTold(books.store, first.id, books.clock.nowMs);
      await markTold(books.store, second.id, books.clock.nowMs);
      expect([await timeOf(first), await timeOf(second)]).toEqual([toldMs + ADDRESS_WAIT_MS, toldMs + ADDRESS_WAIT_MS]);
      expect(await timeOf(other)).toBe(START_MS + ADDRESS_WAIT_MS);
      const { notBeforeMs } = await previewLeaving(books.store, wishFor(FIRST), books.clock.nowMs);
      expect(notBeforeMs).toBe(toldMs + ADDRESS_WAIT_MS);
      pass(ADDRESS_WAIT_MS - 1);
      expect(await waitsFor(askUnheard(500))).toBe(0);
    });

    if (!isSqlite) return;

    test('or never, it is not known however long ago it was asked for', async () => {
      await sign((await askUnheard(1)).id);
      pass(10 * ADDRESS_WAIT_MS);
      expect(await waitsFor(askUnheard(500))).toBe(ADDRESS_WAIT_MS);
      expect(await freshAddresses(books.store, [WALLET], books.clock.nowMs)).toMatchObject([
        { knownFromMs: books.clock.nowMs + ADDRESS_WAIT_MS },
      ]);
      expect((await cancel()).left).toHaveLength(1);
      expect((await cancel()).left).toEqual([]);
    });

    test('and failed before that, it lets no address stand; told by a clock that is behind, it stands from when it was asked for', async () => {
      const { id } = await askUnheard(20);
      pass(ADDRESS_WAIT_MS);
      await failWithdrawal(books.store, id, 'requested', 'gave_up', books.clock.nowMs);
      expect(await waitsFor(askUnheard(500))).toBe(ADDRESS_WAIT_MS);
      expect((await cancel()).left).toEqual([]);
      const behind = await askUnheard(20, FIRST, { walletId: 'x:8' });
      await markTold(books.store, behind.id, books.clock.nowMs - HOUR_MS);
      expect(await waitsFor(askUnheard(30, FIRST, { walletId: 'x:8' }))).toBe(ADDRESS_WAIT_MS);
    });
  });

  if (!isSqlite) return;

  test('what is given to a treasury leaves at once within the day’s sum, and uses up no first address', async () => {
    const gift = { toTreasury: 'discord-guild:4200' };
    expect(await ask(5, SECOND, gift)).toMatchObject({ notBeforeMs: START_MS, countedOn: dayOf(START_MS) });
    expect(await waitsFor(ask(1, FIRST))).toBe(0);
    expect(await waitsFor(ask(3, SECOND, gift))).toBe(0);
    expect(await countedToday()).toBe(usdc(9));
    expect(await waitsFor(ask(2, SECOND, gift))).toBe(ADDRESS_WAIT_MS);
  });

  test('what has failed gives back what it took of the day, once, and what is paid does not', async () => {
    const failed = await ask(6);
    const paid = await ask(4);
    await failWithdrawal(books.store, failed.id, 'requested', 'gave_up', START_MS);
    await failWithdrawal(books.store, failed.id, 'requested', 'gave_up', START_MS);
    expect(await countedToday()).toBe(usdc(4));
    await sign(paid.id);
    await markPaid(books.store, paid, null, START_MS);
    expect(await countedToday()).toBe(usdc(4));
  });

  test('what never left does not make its address the first one', async () => {
    const { id } = await ask(6);
    await failWithdrawal(books.store, id, 'requested', 'recipient_blacklisted', START_MS);
    pass(1);
    expect(await waitsFor(ask(6, SECOND))).toBe(0);
  });

  test('what fails at once lets no address stand, since nobody could call that off', async () => {
    const { id } = await ask(4);
    await failWithdrawal(books.store, id, 'requested', 'insufficient_funds', START_MS);
    expect(await freshAddresses(books.store, [WALLET], START_MS)).toEqual([]);
    pass(ADDRESS_WAIT_MS);
    expect(await waitsFor(ask(500))).toBe(ADDRESS_WAIT_MS);
  });

  test('what has waited its time lets its address stand, though it fails then', async () => {
    const { id } = await ask(20);
    pass(ADDRESS_WAIT_MS);
    await failWithdrawal(books.store, id, 'requested', 'gave_up', books.clock.nowMs);
    expect(await waitsFor(ask(500))).toBe(0);
  });

  test('what waits keeps nothing from leaving now, and three wait at most', async () => {
    for (const amount of [20, 30, 40]) await ask(amount);
    const fourth = await ask(50).catch((error: unknown) => error);
    expect(fourth).toBeInstanceOf(AppError);
    expect(fourth).toMatchObject({ code: 'rate_limited' });
    expect(await waitsFor(ask(1))).toBe(0);
    await cancel();
    expect(await waitsFor(ask(50))).toBe(ADDRESS_WAIT_MS);
  });
});

const wishFor = (toAddress: string) => ({
  walletId: WALLET,
  network: 'base' as const,
  toAddress,
  amountMicroUsdc: usdc(1),
});
