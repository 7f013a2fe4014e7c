import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createCosts } from '../../../api/costs/costs.ts';
import { expectedCost } from '../../../core/costs/allowance.ts';
import { nextDayMs } from '../../../db/limits/daily.ts';
import { linkWallet } from '../../../db/transfers/link-wallet.ts';
import { openBooks, START_MS, type Books } from '../../support/books.ts';

const PAYING = { payer: `0x${'99'.repeat(20)}`, recipients: [], isWhole: false, isAgreed: false };
let books: Books;

beforeEach(async () => {
  books = await openBooks();
});
afterEach(() => books.close());

/** A day that carries two payments of strangers. */
function start(clock: { nowMs: number }) {
  const dailyUnits = 5n * expectedCost('base', 1);
  const rules = { base: { dailyUnits, lineMicroUsdc: 10_000n } };
  const costs = createCosts({ store: books.store, now: () => clock.nowMs, rules, ageMinMs: 0 });
  return { ...costs, take: () => costs.grant('base', 1_000_000n, 1, PAYING) };
}

test('what a payment was given comes back to its day, and to no other', async () => {
  const clock = { nowMs: Date.UTC(2026, 10, 23, 23, 59) };
  const costs = start(clock);
  const [first, second] = [await costs.take(), await costs.take()];
  expect(await costs.take()).toBeNull();
  if (first === null || second === null) throw new Error('the day carries two');
  costs.giveBack(first);
  expect(await costs.take()).toEqual(first);
  clock.nowMs = nextDayMs(clock.nowMs);
  expect(await costs.take()).not.toBeNull();
  costs.giveBack(second);
  expect(await costs.take()).not.toBeNull();
  expect(await costs.take()).toBeNull();
});

describe('money', () => {
  const isCircling = (payer: string, network: 'base' | 'solana' = 'base') => {
    const rules = { [network]: { dailyUnits: 1n, lineMicroUsdc: 10_000n } };
    const costs = createCosts({ store: books.store, now: () => books.clock.nowMs, rules, ageMinMs: 0 });
    return costs.isCircling(network, payer);
  };
  const personOf = (address: string) => ({ name: address.toLowerCase(), stableId: address });
  const pay = (payer: string, to: string) => books.pay({ payer, payees: [personOf(to)] });
  const meet = async (address: string, network: 'base' | 'solana' = 'base') => {
    const { name, stableId } = personOf(address);
    const link = { identityId: await books.meet(name, stableId), network, address, source: 'claim' };
    await linkWallet(books.store, link, books.transferIdOf, START_MS);
    return address;
  };
  const [ANN, BEN, CEM, DAN] = [
    `0x${'a1'.repeat(20)}`,
    `0x${'b2'.repeat(20)}`,
    `0x${'c3'.repeat(20)}`,
    `0x${'d4'.repeat(20)}`,
  ] as const;

  test.each([
    ['base', 'solana', ANN],
    ['solana', 'base', 'So1aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'],
  ] as const)(
    'on %s that its payer got back three times goes in a circle, which %s does not ask',
    async (own, other, address) => {
      await meet(address, own);
      for (const circles of [false, false, true]) {
        await pay(address, address);
        expect([await isCircling(address, own), await isCircling(address, other)]).toEqual([circles, false]);
      }
    },
  );

  test('that comes back from one who was paid goes in a circle, and for a day', async () => {
    const [one, other] = [await meet(ANN), await meet(BEN)];
    for (const circles of [false, false, true]) {
      await pay(one, other);
      await pay(other, one);
      expect(await isCircling(one)).toBe(circles);
    }
    books.clock.nowMs += 24 * 3_600_000 + 1;
    expect(await isCircling(one)).toBe(false);
  });

  test('of a group whose members tip each other does not: no one gives back the half', async () => {
    const group = [ANN, BEN, CEM, DAN];
    for (const address of group) await meet(address);
    for (const step of [1, 2, 3, 1, 2, 3, 1, 2, 3]) {
      for (const [at, payer] of group.entries()) await pay(payer, group[(at + step) % group.length] ?? '');
      expect(await Promise.all(group.map((one) => isCircling(one)))).toEqual([false, false, false, false]);
    }
  });
});
