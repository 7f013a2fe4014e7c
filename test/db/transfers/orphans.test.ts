import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openingBalance } from '../../../core/ledger.ts';
import { readCounter } from '../../../db/store/counters.ts';
import { dailyCounters, dayOf } from '../../../db/limits/daily.ts';
import { postEntry } from '../../../db/ledger/ledger.ts';
import { assignTransfers } from '../../../db/transfers/authorize.ts';
import { exposureCounter } from '../../../db/transfers/exposure.ts';
import { renewDead } from '../../../db/transfers/renew.ts';
import { storePayoutSettings } from '../../../db/limits/settings.ts';
import type { TransferRow } from '../../../db/payments/records/find.ts';
import { createRefundPayout } from '../../../db/refunds/create-payouts.ts';
import { refundLine } from '../../../db/refunds/refund-line.ts';
import { limitsRound } from '../../../worker/limits.ts';
import { pino } from 'pino';
import { openBooks, START_MS, TREASURY, type Books } from '../../support/books.ts';

const ALICE = { name: 'alice', stableId: '1' };
const CAROL = { name: 'carol', stableId: '3' };
const PAYER = `0x${'99'.repeat(20)}`;
const EXPOSURE = exposureCounter('base');

let books: Books;
beforeEach(async () => {
  books = await openBooks();
  await books.link(await books.meet('alice', '1'));
  const dailyMicroUsdc = { payer: 5_000_000n, recipient: null };
  await storePayoutSettings(books.store, { dailyMicroUsdc, treasuries: { base: TREASURY, solana: 'SolanaTreasury' } });
});
afterEach(async () => {
  await books.assertSound();
  await books.close();
});

const round = () =>
  limitsRound({
    store: books.store,
    transferIdOf: books.transferIdOf,
    now: () => books.clock.nowMs,
    log: pino({ level: 'silent' }),
  });

async function lastPayout(): Promise<TransferRow> {
  const payout = (await books.payouts()).at(-1);
  if (payout === undefined) throw new Error('there is no payout');
  return payout;
}

async function assign(): Promise<void> {
  const payout = await lastPayout();
  const signed = { ...payout, nonce: '0xn', validBefore: 1, signature: 's', exposed: true };
  await assignTransfers(books.store, [signed], { counter: EXPOSURE, capMicroUsdc: 10_000_000n }, START_MS);
}

/** Pays, and lets a reorganisation take it away for good. */
async function lose(before: () => Promise<unknown> = async () => undefined, payee = ALICE) {
  const { paymentId, lines } = await books.pay({ payees: [payee] });
  await before();
  await books.reorganise();
  expect(await books.bury(paymentId)).toBe(true);
  return { paymentId, line: lines[0] };
}

const lineStatus = async (paymentId: string) => (await books.linesFor(paymentId)).map(({ status }) => status);

describe('a payout whose payment a reorganisation took for good', () => {
  test('ends while it is queued, and its loss is none', async () => {
    const { paymentId } = await lose();
    expect(await books.owed('reorg_loss:base')).toBe(-1_000_000n);
    expect(await round()).toEqual({ released: 0, made: 0, voided: 1, hasMore: false });
    expect([(await lastPayout()).status, await lineStatus(paymentId)]).toEqual(['void', ['void']]);
    expect([await books.owed('reorg_loss:base'), await books.owed('outflight:base')]).toEqual([0n, 0n]);
    expect(await books.causes()).toEqual(['in', 'out.reserve', 'un.in', 'out.dead', 'unlost']);
    expect(await readCounter(books.store, dailyCounters.payer(dayOf(START_MS), PAYER))).toBe(0n);
  });

  test('ends once, in however many workers', async () => {
    await lose();
    await Promise.all([round(), round(), round()]);
    expect((await round()).voided).toBe(0);
    expect(await books.owed('reorg_loss:base')).toBe(0n);
  });

  test('ends while it is signed for and nobody has seen that, and gives its exposure back', async () => {
    await lose(assign);
    expect(await readCounter(books.store, EXPOSURE)).toBe(1_000_000n);
    await round();
    expect([(await lastPayout()).status, await readCounter(books.store, EXPOSURE)]).toEqual(['void', 0n]);
  });

  test('stays while something signed may land it, and ends when that is dead', async () => {
    await lose(assign);
    const { transfers } = books.store.tables;
    await books.store.tx((db) => db.update(transfers).set({ status: 'broadcast', carrierId: 'one' }));
    expect((await round()).voided).toBe(0);
    await renewDead(books.store, await lastPayout(), { finalizedTime: 1 }, START_MS);
    expect((await round()).voided).toBe(1);
    expect(await readCounter(books.store, EXPOSURE)).toBe(0n);
  });

  test('that was held ends too', async () => {
    await storePayoutSettings(books.store, { dailyMicroUsdc: { payer: 0n, recipient: null }, treasuries: {} });
    await lose();
    expect((await lastPayout()).status).toBe('held');
    expect((await round()).voided).toBe(1);
  });

  test('on another network gives float back on both', async () => {
    const cursor = { address: 'SolanaTreasury', network: 'solana' as const, amount: 2_000_000n } as const;
    await books.store.tx((db) => postEntry(db, books.store.tables, openingBalance(cursor), START_MS));
    await books.link(await books.meet('bob', '2'), 'BobOnSolana', 'solana');
    await lose(undefined, { name: 'bob', stableId: '2' });
    expect([await books.owed('float:base'), await books.owed('float:solana')]).toEqual([1_000_000n, 1_000_000n]);
    expect((await round()).voided).toBe(1);
    expect([await books.owed('float:base'), await books.owed('float:solana')]).toEqual([0n, 2_000_000n]);
    expect(await books.owed('reorg_loss:base')).toBe(0n);
  });

  test('does not end while its payment may still land', async () => {
    const { paymentId } = await books.pay({ payees: [ALICE] });
    await books.reorganise();
    expect((await round()).voided).toBe(0);
    await books.mine([paymentId]);
    expect((await lastPayout()).status).toBe('queued');
  });
});

describe('a refund of a payment that a reorganisation took for good', () => {
  const refund = async (txnId: number) => refundLine(books.store, txnId, books.clock.nowMs);
  const gather = () => {
    const owed = { network: 'base' as const, payer: PAYER, payerAccount: null, minMicroUsdc: 0n };
    return createRefundPayout(books.store, owed, books.transferIdOf, books.clock.nowMs);
  };

  test('is owed no more', async () => {
    const { paymentId, lines } = await books.pay({ payees: [CAROL], fee: 20_000n });
    await refund(lines[0]?.txnId ?? 0);
    await books.reorganise();
    await books.bury(paymentId);
    expect(await books.owed('reorg_loss:base')).toBe(-1_020_000n);
    expect((await round()).voided).toBe(1);
    expect([await books.owed('reorg_loss:base'), await lineStatus(paymentId)]).toEqual([0n, ['void']]);
    expect(await gather()).toBeNull();
  });

  test('leaves its payout, and what else was in it goes back without it', async () => {
    const living = await books.pay({ payees: [CAROL] });
    const dead = await books.pay({ payees: [CAROL] });
    for (const { lines } of [living, dead]) await refund(lines[0]?.txnId ?? 0);
    await gather();
    await books.reorganise();
    await books.bury(dead.paymentId);
    await round();
    expect(await books.owed('reorg_loss:base')).toBe(0n);
    await gather();
    const rows = (await books.payouts()).map(({ status, amountMicroUsdc }) => [status, amountMicroUsdc]);
    expect(rows.filter(([status]) => status !== 'void')).toEqual([['queued', 1_000_000n]]);
    // It has the same row again where its line had the lower id of the two; else the first one is over.
    expect(rows.filter(([status]) => status === 'void').every(([, amount]) => amount === 2_000_000n)).toBe(true);
    expect([await lineStatus(living.paymentId), await lineStatus(dead.paymentId)]).toEqual([['returning'], ['void']]);
  });
});

test('what was paid out against it stays lost, and no longer counts against the cap', async () => {
  const { paymentId } = await books.pay({ payees: [ALICE] });
  await assign();
  await books.reorganise();
  await books.bury(paymentId);
  const { transfers } = books.store.tables;
  const status = (next: 'confirmed' | 'assigned') => books.store.tx((db) => db.update(transfers).set({ status: next }));
  await status('confirmed');
  await round();
  expect(await readCounter(books.store, EXPOSURE)).toBe(0n);
  await round();
  expect(await readCounter(books.store, EXPOSURE)).toBe(0n);
  expect(await books.owed('reorg_loss:base')).toBe(-1_000_000n);
  await status('assigned');
});
