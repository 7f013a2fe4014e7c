import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createCosts } from '../../../api/costs/costs.ts';
import { expectedCost } from '../../../core/costs/allowance.ts';
import type { Paying } from '../../../db/costs/standing.ts';
import { nextDayMs } from '../../../db/limits/daily.ts';
import { linkWallet } from '../../../db/transfers/link-wallet.ts';
import { openBooks, START_MS, type Books } from '../../support/books.ts';

const PAYING: Paying = { payer: `0x${'99'.repeat(20)}`, recipients: [], isWhole: false, isAgreed: false };
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

describe('a day that would carry a hundred payments', () => {
  const STRANGER = `0x${'99'.repeat(20)}`;
  const KNOWN = `0x${'88'.repeat(20)}`;
  const AGE_MIN_MS = 1_000;
  const toFamous = (paying: Partial<Paying>): Paying => ({
    ...PAYING,
    recipients: [{ platform: 'x', stableId: 'famous' }],
    isWhole: true,
    ...paying,
  });

  /** Someone whom the platform has known for so long. */
  async function know(stableId: string, ageMs: number, wallet?: string): Promise<void> {
    const { store, clock } = books;
    const id = await books.meet(stableId, stableId);
    const { identities } = store.tables;
    await store.tx((db) =>
      db
        .update(identities)
        .set({ sinceMs: clock.nowMs - ageMs })
        .where(eq(identities.id, id)),
    );
    if (wallet !== undefined) await books.link(id, wallet);
  }

  function startDay() {
    const rules = { base: { dailyUnits: 100n * expectedCost('base', 1), lineMicroUsdc: 10_000n } };
    const costs = createCosts({ store: books.store, now: () => books.clock.nowMs, rules, ageMinMs: AGE_MIN_MS });
    /** How many of these payments, one after the other, are carried. */
    return async (sum: bigint, paying: Paying): Promise<number> => {
      let count = 0;
      while ((await costs.grant('base', sum, 1, paying)) !== null) count += 1;
      return count;
    };
  }

  test.each<[string, number, bigint, boolean, Parameters<typeof know> | null, boolean?]>([
    ['of strangers, of less than 0.10 USDC', 20, 99_999n, false, null],
    ['of strangers', 40, 100_000n, false, null],
    ['to a famous name that has no wallet here', 40, 1_000_000n, false, ['famous', AGE_MIN_MS]],
    ['to a new name with a wallet', 40, 1_000_000n, false, ['famous', AGE_MIN_MS - 1, KNOWN]],
    ['to a name known for long, with a wallet', 80, 1_000_000n, false, ['famous', AGE_MIN_MS, KNOWN]],
    ['to that name and others', 40, 1_000_000n, false, ['famous', AGE_MIN_MS, KNOWN], false],
    ['of a wallet known for long', 80, 1n, false, ['payer', AGE_MIN_MS, STRANGER]],
    ['whose price was agreed before', 90, 1n, true, null],
  ])('carries of payments %s: %i', async (_whose, carried, sum, isAgreed, known, isWhole = true) => {
    if (known !== null) await know(...known);
    expect(await startDay()(sum, toFamous({ payer: STRANGER, isAgreed, isWhole }))).toBe(carried);
  });

  test.each([
    ['strangers leave as much again to those who are known', false, 40],
    ['CONTROL: where strangers count like agreed prices, they leave them nothing', true, 0],
  ])('%s', async (_title, isAgreed, left) => {
    await know('payer', AGE_MIN_MS, KNOWN);
    const carry = startDay();
    await carry(1_000_000n, { ...PAYING, payer: STRANGER, isAgreed });
    expect(await carry(1_000_000n, { ...PAYING, payer: KNOWN })).toBe(left);
  });
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

  test('CONTROL: a wallet that is known to be of none of those who are paid goes in no circle', async () => {
    for (let count = 0; count < 10; count += 1) await pay(ANN, ANN);
    expect(await isCircling(ANN)).toBe(false);
  });

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
