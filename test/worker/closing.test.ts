/** While the service ends, what waits goes back: once, whatever is killed, and small sums too. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { beginClosing } from '../../db/closing/begin.ts';
import { readClosingLeft } from '../../db/closing/left.ts';
import { clearStop, listStops } from '../../db/operator/stops.ts';
import { linesOf } from '../../db/payments/records/find.ts';
import type { WorkerContext } from '../../worker/dependencies.ts';
import { refundRound } from '../../worker/refunds.ts';
import { openBooks, type Books } from '../support/books.ts';

let books: Books;
beforeEach(async () => {
  books = await openBooks();
});
afterEach(async () => {
  await books.assertSound();
  await books.close();
});

const COMMAND = { name: 'wind-down', arguments: [], who: 'the test' };
const begin = () => beginClosing(books.store, COMMAND, 'by the test', books.clock.nowMs);

function worker(): WorkerContext {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const { store, clock, transferIdOf } = books;
  const settings = { refundMinMicroUsdc: 50_000n };
  return { store, now: () => clock.nowMs, transferIdOf, settings, log } as unknown as WorkerContext;
}

const payees = [
  { name: 'alice', stableId: '1', amount: 20_000n },
  { name: 'bob', stableId: '2', amount: 10_000n },
];

test('what waits stays before the end is ordered, and goes back after it, below the least refund too', async () => {
  const { paymentId } = await books.pay({ payees });
  expect(await refundRound(worker(), ['base'])).toBe(0);
  expect(await begin()).toBe(true);
  expect(await begin()).toBe(false);
  expect(await refundRound(worker(), ['base'])).toBe(1);
  const lines = (await linesOf(books.store, paymentId)).map(({ line }) => [line.status, line.returnReason]);
  expect(lines).toEqual([
    ['returning', 'wind_down'],
    ['returning', 'wind_down'],
  ]);
  expect((await books.payouts()).map(({ purpose, amountMicroUsdc }) => [purpose, amountMicroUsdc])).toEqual([
    ['refund', 30_000n],
  ]);
  const left = await readClosingLeft(books.store);
  expect([left.waiting, left.owed]).toEqual([[], []]);
  expect(left.onItsWay).toEqual([{ network: 'base', count: 1, amountMicroUsdc: 30_000n }]);
});

test('two workers at once, and one that ends in the middle, make one payout', async () => {
  await books.pay({ payees });
  await begin();
  // This one ends after the lines went back and before there is a payout.
  const { transferIdOf: _, ...cut } = worker();
  const killed = () => {
    throw new Error('killed here');
  };
  expect(await refundRound({ ...cut, transferIdOf: killed }, ['base'])).toBe(0);
  expect((await readClosingLeft(books.store)).owed).toEqual([{ network: 'base', count: 2, amountMicroUsdc: 30_000n }]);
  const made = await Promise.all([refundRound(worker(), ['base']), refundRound(worker(), ['base'])]);
  expect(made.reduce((sum, count) => sum + count, 0)).toBe(1);
  expect(await books.payouts()).toHaveLength(1);
});

test('what a proven recipient is collecting is left alone until that is over', async () => {
  const { paymentId } = await books.pay({ payees: payees.slice(0, 1) });
  const [line] = await books.linesFor(paymentId);
  const { claims } = books.store.tables;
  const nowMs = books.clock.nowMs;
  const name = { platform: 'x', key: 'alice', display: 'alice', identityId: line?.identityId ?? '' };
  const proven = { method: 'oauth', status: 'verified', payout: { keep: true }, verifiedAtMs: nowMs } as const;
  const times = { createdAtMs: nowMs, expiresAtMs: nowMs + 1_000, tries: 0 };
  await books.store.tx((db) => db.insert(claims).values({ id: 'claim', ...name, ...proven, ...times }));
  await begin();
  expect(await refundRound(worker(), ['base'])).toBe(0);
  books.clock.nowMs += 1_001;
  expect(await refundRound(worker(), ['base'])).toBe(1);
});

test('an end that is taken back leaves what waits where it is', async () => {
  const { paymentId } = await books.pay({ payees });
  await begin();
  const [stop] = await listStops(books.store);
  if (stop === undefined) throw new Error('nothing is stopped');
  await clearStop(books.store, stop, { command: { ...COMMAND, name: 'resume' }, detail: 'by the test' }, 1);
  await refundRound(worker(), ['base']);
  expect((await linesOf(books.store, paymentId)).map(({ line }) => line.status)).toEqual(['escrowed', 'escrowed']);
});
