import { and, eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { landUnder, settlePaidBefore } from '../../../db/operator/paid-before.ts';
import { releaseByOperator } from '../../../db/operator/held.ts';
import { accounts } from '../../../core/ledger.ts';
import { storePayoutSettings } from '../../../db/limits/settings.ts';
import { returnByOperator, unexplainedTransfers } from '../../../db/operator/suspense.ts';
import { planTransfer } from '../../../db/transfers/reserve.ts';
import { chainNamesOf } from '../../../worker/paid-before.ts';
import { openBooks, START_MS, TREASURY, type Books } from '../../support/books.ts';
import { openLostTime } from './lost-time.ts';

const MINUTE_MS = 60_000;
const [PAYER, FRIEND, THIRD] = ['99', '77', '66'].map((byte) => `0x${byte.repeat(20)}`) as [string, string, string];
const ALICE = { name: 'alice', stableId: '1' };
const COMMAND = { name: 'reconcile', arguments: [], who: 'a test' };

let books: Books;
let lostTime: ReturnType<typeof openLostTime>;
beforeEach(async () => {
  books = await openBooks();
  lostTime = openLostTime(books);
});
afterEach(() => books.close());

async function listed() {
  return (await unexplainedTransfers(books.store, 10)).map(({ transfer, lost }) => [transfer.fact, lost?.reason]);
}

const owedBack = async () => (await books.store.read.select().from(books.store.tables.refunds)).map((row) => row.id);
const stops = () => books.store.read.select().from(books.store.tables.signingStops);

describe('what left in the lost time', () => {
  test('is booked as the payout of the line whose id it bears, for a person linked in the lost time', async () => {
    const { lines } = await books.pay({ payees: [ALICE] });
    const [payment] = await books.store.read.select().from(books.store.tables.payments);
    await lostTime.notice();
    await lostTime.seeLeft(`base:auth:${PAYER}:${payment?.nonce}`, 0, FRIEND, 1_000_000n);
    expect(await lostTime.run()).toMatchObject({
      kind: 'done',
      landed: 1,
      lost: 0,
      returned: 0,
      held: 0,
      stillStopped: [],
    });
    const { transfers } = books.store.tables;
    const [payout] = await books.store.read.select().from(transfers);
    expect(payout).toMatchObject({ purpose: 'payout', status: 'confirmed', toAddress: FRIEND });
    expect((await books.linesFor(lines[0]?.paymentId ?? ''))[0]).toMatchObject({ status: 'paying' });
    await books.assertSound();
  });

  test('is booked as the refund of the line that it gave back', async () => {
    await books.pay({ payees: [ALICE] });
    const [payment] = await books.store.read.select().from(books.store.tables.payments);
    await lostTime.notice();
    await lostTime.seeLeft(`base:auth:${PAYER}:${payment?.nonce}`, 0, PAYER, 1_000_000n);
    expect(await lostTime.run()).toMatchObject({ kind: 'done', landed: 1, lost: 0 });
    const [line] = await books.linesFor(payment?.id ?? '');
    expect(line).toMatchObject({ status: 'returning' });
    await books.assertSound();
  });

  test('for a payment that is lost is taken out of what that payment brought', async () => {
    await lostTime.notice();
    const fact = await lostTime.seePaid(PAYER, 3_000_000n);
    await lostTime.seeLeft(fact, 0, FRIEND, 1_000_000n);
    await lostTime.seeLeft(fact, 99, THIRD, 2_000_000n);
    expect(await lostTime.run()).toMatchObject({ kind: 'done', landed: 2, lost: 0, returned: 0, held: 0 });
    expect([await listed(), await owedBack(), await books.owed('suspense:base')]).toEqual([[], [], 0n]);
    await books.assertSound();
  });

  test('under a name of ours with another sum is booked as lost, and what bears the name is held', async () => {
    await books.pay({ payees: [ALICE, { name: 'bob', stableId: '2' }] });
    const [payment] = await books.store.read.select().from(books.store.tables.payments);
    await lostTime.notice();
    await lostTime.seeLeft(`base:auth:${PAYER}:${payment?.nonce}`, 0, FRIEND, 700_000n);
    expect(await lostTime.run()).toMatchObject({ kind: 'done', landed: 0, lost: 1, stillStopped: [] });
    await books.link(await books.meet('alice', '1'));
    const [payout] = await books.payouts();
    await settlePaidBefore(books.store, payout ? [payout] : [], chainNamesOf, START_MS);
    expect((await books.payouts())[0]).toMatchObject({ status: 'held', heldReason: 'paid_before' });
    expect(await books.owed('reorg_loss:base')).toBe(-700_000n);
    await books.assertSound();
  });

  test('for a treasury that replaced ours in the lost time is booked as a sweep', async () => {
    const next = `0x${'aa'.repeat(20)}`;
    await books.pay({ payees: [ALICE] });
    await lostTime.notice();
    const settings = { dailyMicroUsdc: { payer: null, recipient: null }, treasuries: { base: next } };
    await storePayoutSettings(books.store, settings);
    await lostTime.seeLost([{ from: TREASURY, to: next, value: 1_000_000n }]);
    expect(await lostTime.run()).toMatchObject({ kind: 'done', landed: 1, lost: 0, stillStopped: [] });
    const at = [TREASURY, next].map((address) => books.owed(accounts.chain('base', address)));
    expect(await Promise.all(at)).toEqual([0n, -1_000_000n]);
    await books.assertSound();
  });

  test('from another address of ours than it was planned for is that payout all the same', async () => {
    await books.link(await books.meet('alice', '1'));
    await books.pay({ payees: [ALICE] });
    const [payout] = await books.payouts();
    const next = `0x${'aa'.repeat(20)}`;
    const both = openLostTime(books, [TREASURY, next]);
    await both.notice();
    const settings = { dailyMicroUsdc: { payer: null, recipient: null }, treasuries: { base: next } };
    await storePayoutSettings(books.store, settings);
    const { nonce } = chainNamesOf(payout?.id ?? '');
    await both.seeLost([
      { from: TREASURY, to: next, value: 1_000_000n },
      { from: next, to: payout?.toAddress ?? '', value: 1_000_000n, nonce },
    ]);
    expect(await both.run()).toMatchObject({ kind: 'done', landed: 2, lost: 0, stillStopped: [] });
    expect(await books.payouts()).toMatchObject([{ status: 'confirmed', fromAddress: next }]);
    await books.assertSound();
  });

  test('is no sweep that was planned for another address of ours, whatever name it bears', async () => {
    await books.pay({ payees: [ALICE] });
    const { observedTransfers: seen } = books.store.tables;
    const next = `0x${'aa'.repeat(20)}`;
    const planned = { id: 'payout_of_a_sweep', purpose: 'sweep' as const, network: 'base' as const, toAddress: next };
    const sums = { sourceAccount: null, amountMicroUsdc: 1_000_000n };
    const sweepFrom = (fromAddress: string, id = planned.id) =>
      books.store.tx((db) => planTransfer(db, books.store.tables, { ...planned, ...sums, id, fromAddress }, START_MS));
    const sweep = await sweepFrom(FRIEND);
    const nonce = `0x${'5e'.repeat(32)}`;
    const [fact = ''] = await lostTime.seeLost([{ from: TREASURY, to: next, value: 1_000_000n, nonce }]);
    const [out] = await books.store.read.select().from(seen).where(eq(seen.fact, fact));
    if (out === undefined) throw new Error('it was not seen');
    const isLanded = (one: typeof sweep) => books.store.tx((db) => landUnder(db, books.store, one, out, START_MS));
    expect(await isLanded(sweep)).toBe(false);
    // The same from where it left is that sweep.
    expect(await isLanded(await sweepFrom(TREASURY, 'payout_of_another'))).toBe(true);
  });

  test('under no name of ours keeps signing stopped, until the operator says that it is their own', async () => {
    await books.pay({ payees: [ALICE] });
    await lostTime.notice();
    const [fact = ''] = await lostTime.seeLost([{ from: TREASURY, to: FRIEND, value: 400_000n }]);
    expect(await lostTime.run()).toMatchObject({ kind: 'unexplained', outflows: [{ fact }] });
    expect((await stops()).map(({ reason }) => reason).toSorted()).toEqual([
      'database_restored',
      'unexplained_outflow',
    ]);
    expect(await lostTime.run([fact], START_MS + 80 * MINUTE_MS)).toMatchObject({
      kind: 'done',
      lost: 1,
      stillStopped: [],
    });
    await books.assertSound();
  });

  test('so lately that another installation may still sign is waited for', async () => {
    await lostTime.notice();
    await lostTime.seePaid(PAYER, 1_000_000n);
    const late = START_MS + 60 * MINUTE_MS;
    await lostTime.seeLost([{ from: TREASURY, to: FRIEND, value: 400_000n }], late);
    expect(await lostTime.run()).toMatchObject({ kind: 'waits', networks: [{ untilSeconds: late / 1_000 + 65 * 60 }] });
  });
});

describe('what came in during the lost time', () => {
  test('and was not paid out goes back, whatever the sums of others', async () => {
    await lostTime.notice();
    const paid = await lostTime.seePaid(PAYER, 1_000_000n);
    const unpaid = await lostTime.seePaid(THIRD, 1_000_000n);
    await lostTime.seeLeft(paid, 0, FRIEND, 1_000_000n);
    expect(await lostTime.run()).toMatchObject({ kind: 'done', landed: 1, returned: 1, held: 0 });
    expect([await owedBack(), await listed()]).toEqual([[`return:${unpaid}`], []]);
    await books.assertSound();
  });

  test('and was paid out in part is held, listed and not returned whole', async () => {
    await lostTime.notice();
    const fact = await lostTime.seePaid(PAYER, 3_000_000n);
    await lostTime.seeLeft(fact, 1, FRIEND, 1_000_000n);
    expect(await lostTime.run()).toMatchObject({ kind: 'done', landed: 1, returned: 0, held: 1 });
    expect(await listed()).toEqual([[fact, 'partly_paid']]);
    expect(await returnByOperator(books.store, fact, COMMAND, START_MS)).toBe('paid-out');
    await books.assertSound();
  });

  test('and was paid out in part is not returned whole before its block is safe either', async () => {
    const [fact, whole] = [await lostTime.seePaid(PAYER, 3_000_000n), await lostTime.seePaid(PAYER, 2_000_000n)];
    const { lostInbounds, observedTransfers } = books.store.tables;
    const lost = { network: 'base', payer: PAYER, state: 'held', atMs: START_MS } as const;
    await books.store.tx((db) =>
      db.insert(lostInbounds).values([
        { ...lost, fact, amountMicroUsdc: 3_000_000n, heldReason: 'partly_paid', paidMicroUsdc: 1_000_000n },
        { ...lost, fact: whole, amountMicroUsdc: 2_000_000n, heldReason: 'too_new', paidMicroUsdc: 0n },
      ]),
    );
    const back = (name: string) => returnByOperator(books.store, name, COMMAND, START_MS);
    expect([await back(fact), await back(whole)]).toEqual(['paid-out', 'when-safe']);
    const rows = await books.store.read.select().from(observedTransfers);
    expect(rows.filter(({ returnWanted }) => returnWanted).map((row) => row.fact)).toEqual([whole]);
    expect(await listed()).toEqual([[fact, 'partly_paid']]);
  });

  test('is held where its payer got a transfer that may have gathered it, and the operator may return it once', async () => {
    await lostTime.notice();
    const [one, other] = [await lostTime.seePaid(PAYER, 5_000_000n), await lostTime.seePaid(PAYER, 2_000_000n)];
    await lostTime.seeLeft(one, 3, PAYER, 3_000_000n);
    expect(await lostTime.run()).toMatchObject({ kind: 'done', landed: 1, returned: 0, held: 2 });
    expect(new Map((await listed()).map(([fact, reason]) => [fact, reason]))).toEqual(
      new Map([
        [one, 'partly_paid'],
        [other, 'gathered'],
      ]),
    );
    const back = () => returnByOperator(books.store, other, COMMAND, START_MS);
    expect([await back(), await back()]).toEqual(['returned', 'returned-before']);
    await books.assertSound();
  });

  test('and was given back whole is not given back again', async () => {
    await lostTime.notice();
    const fact = await lostTime.seePaid(PAYER, 1_000_000n);
    await lostTime.seeLeft(fact, 0, PAYER, 1_000_000n);
    expect(await lostTime.run()).toMatchObject({ kind: 'done', landed: 1, returned: 0, held: 0 });
    const { refunds } = books.store.tables;
    expect((await books.store.read.select().from(refunds)).every(({ payoutId }) => payoutId !== null)).toBe(true);
    expect(await listed()).toEqual([]);
    await books.assertSound();
  });

  test('is taken by no other path: neither a late proof, nor a return that was under way', async () => {
    await lostTime.notice();
    const fact = await lostTime.seePaid(PAYER, 1_000_000n);
    const { observedTransfers } = books.store.tables;
    const isIt = eq(observedTransfers.fact, fact);
    await books.store.tx((db) => db.update(observedTransfers).set({ returnWanted: true }).where(isIt));
    await lostTime.seeLeft(fact, 1, FRIEND, 400_000n);
    expect(await owedBack()).toEqual([]);
    expect(await lostTime.run()).toMatchObject({ kind: 'done', returned: 0, held: 1 });
    const [row] = await books.store.read.select().from(observedTransfers).where(and(isIt));
    expect(row).toMatchObject({ consumedBy: 'suspense', returnWanted: false });
  });

  test('so lately that another installation may still pay it out is held', async () => {
    await lostTime.notice();
    const late = START_MS + 60 * MINUTE_MS;
    const [fact = ''] = await lostTime.seeLost([{ from: PAYER, to: TREASURY, value: 1_000_000n }], late);
    expect(await lostTime.run()).toMatchObject({ kind: 'done', returned: 0, held: 1 });
    expect(await listed()).toEqual([[fact, 'too_new']]);
  });
});

test('what the operator has compared with the chain goes out, though its payer is in doubt', async () => {
  await books.pay({ payees: [ALICE] });
  await lostTime.notice();
  const fact = await lostTime.seePaid(PAYER, 5_000_000n);
  await lostTime.seeLeft(fact, 0, PAYER, 3_000_000n);
  await lostTime.run();
  await books.link(await books.meet('alice', '1'));
  const queued = async () => (await books.payouts()).filter(({ status }) => status === 'queued');
  const settle = async () => settlePaidBefore(books.store, await queued(), chainNamesOf, START_MS);
  expect([...(await settle()).values()]).toEqual(['held']);
  await releaseByOperator(books.store, { reason: 'paid_before' }, COMMAND, START_MS);
  expect([...(await settle()).values()]).toEqual([]);
  expect(await queued()).toHaveLength(1);
});
