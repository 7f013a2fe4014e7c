/** What one distribution comes to when several want something of it, on whichever database. */
import { eq, isNotNull } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { DISTRIBUTION_LIFE_MS, distributionOrderId } from '../../../core/rewards/distribution.ts';
import { readCounter } from '../../../db/store/counters.ts';
import { reservePayment, type ReservationResult } from '../../../db/payments/reserve.ts';
import { declareDead, releaseClaim } from '../../../db/payments/reject.ts';
import { addDistribution, findDistribution, rejectDistribution } from '../../../db/rewards/distributions.ts';
import { waitForPlace } from '../../../db/rewards/unpaid.ts';
import type { Store } from '../../../db/store/store.ts';
import type { Books } from '../../support/books.ts';
import { newDistribution } from '../../support/rewards/distributions.ts';

export type Suite = { books: Books; other: Store };

const PAYERS = [`0x${'aa'.repeat(20)}`, `0x${'bb'.repeat(20)}`];
/** So many rounds of each race: a decision that two transactions make apart fails some of them. SQLite runs them in turn. */
const ROUNDS = { sqlite: 4, postgres: 10 };
/** A race that has not gone both ways by then never does. */
const ROUNDS_MAX = 500;
const LOOKS_MAX = 8;
const HOUR_MS = 3_600_000;

export function testDistributions(suiteOf: () => Suite): void {
  const add = async (caller: string | null = null, togetherMax?: number): Promise<string> => {
    const { store, clock } = suiteOf().books;
    const distribution = newDistribution(clock.nowMs);
    await addDistribution(store, distribution, { secretHash: 'ab'.repeat(32), caller }, togetherMax);
    return distribution.id;
  };
  const wait = (caller: string, untriedMax: number | null, togetherMax?: number) => {
    const { store, clock } = suiteOf().books;
    return waitForPlace(store, { caller, untriedMax }, clock.nowMs, togetherMax);
  };
  const roundsMin = () => ROUNDS[suiteOf().books.store.dialect];
  const isKept = async (id: string) => (await findDistribution(suiteOf().books.store, id)) !== null;
  const claim = async (
    id: string,
    { payer = PAYERS[0], by = suiteOf().books.store } = {},
  ): Promise<ReservationResult> => {
    const payees = ['11', '12'].map((stableId) => ({ platform: 'decsocial', name: `p${stableId}`, stableId }));
    const plain = suiteOf().books.toClaim({ payer, payees });
    return reservePayment(by, { ...plain, operation: 'rest.confirm-distribution', orderId: distributionOrderId(id) });
  };
  const reject = (id: string, by = suiteOf().books.store) => rejectDistribution(by, id, suiteOf().books.clock.nowMs);
  const paymentOf = async (id: string) => (await findDistribution(suiteOf().books.store, id))?.payment ?? null;

  test('what is kept is what was previewed', async () => {
    const { store, clock } = suiteOf().books;
    const distribution = newDistribution(clock.nowMs);
    await addDistribution(store, distribution, { secretHash: 'cd'.repeat(32), caller: null });
    expect(await findDistribution(store, distribution.id)).toEqual({
      distribution,
      secretHash: 'cd'.repeat(32),
      payment: null,
    });
    expect(await findDistribution(store, 'dist_unknown')).toBeNull();
  });

  test('of two payers at the same moment one pays', async () => {
    const { books, other } = suiteOf();
    for (let round = 0; round < roundsMin(); round += 1) {
      const id = await add();
      const [mine, yours] = PAYERS;
      const both = await Promise.all([claim(id, { payer: mine }), claim(id, { payer: yours, by: other })]);
      expect(both.map(({ kind }) => kind).toSorted()).toEqual(['order-taken', 'reserved']);
      await free(books, both);
    }
  });

  test('a rejection and a payment at the same moment: one of the two', async () => {
    const { books, other } = suiteOf();
    for (let round = 0; round < roundsMin(); round += 1) {
      const id = await add();
      // Which of the two begins is one time this, one time that.
      const early = round % 2 === 0 ? reject(id) : null;
      const [claimed, rejected] = await Promise.all([claim(id, { by: other }), early ?? reject(id)]);
      expect(['order-closed rejected', 'reserved confirming']).toContain(`${claimed.kind} ${rejected}`);
      await free(books, [claimed]);
    }
  });

  test('rejected is rejected: nobody can pay, and it may be said again', async () => {
    const id = await add();
    expect([await reject(id), await reject(id)]).toEqual(['rejected', 'rejected']);
    expect(await claim(id)).toEqual({ kind: 'order-closed', how: 'rejected' });
    expect(await paymentOf(id)).toBeNull();
  });

  test('paid for, or on its way to be, it cannot be rejected', async () => {
    const { books } = suiteOf();
    const id = await add();
    const claimed = await claim(id);
    expect(await reject(id)).toBe('confirming');
    await free(books, [claimed]);
    const paid = await claim(id);
    if (paid.kind !== 'reserved') throw new Error(`expected a reservation, found ${paid.kind}`);
    await books.mine([paid.paymentId]);
    expect(await reject(id)).toBe('confirmed');
    expect(await paymentOf(id)).toMatchObject({ id: paid.paymentId, status: 'settled' });
  });

  test('after a refused and after a dead payment it is free again', async () => {
    const { books } = suiteOf();
    const id = await add();
    await free(books, [await claim(id)]);
    expect(await paymentOf(id)).toBeNull();
    const second = await claim(id, { payer: PAYERS[1] });
    if (second.kind !== 'reserved') throw new Error(`expected a reservation, found ${second.kind}`);
    await settling(books, second.paymentId);
    expect(await claim(id)).toEqual({ kind: 'order-taken' });
    await declareDead(books.store, second.paymentId, 'payment_expired', books.clock.nowMs);
    expect(await paymentOf(id)).toBeNull();
    expect(await reject(id)).toBe('rejected');
  });

  test('after a day nobody can pay; who pays then already goes on', async () => {
    const { books } = suiteOf();
    const [late, early] = [await add(), await add()];
    const claimed = await claim(early);
    books.clock.nowMs += DISTRIBUTION_LIFE_MS - 1;
    const justInTime = await claim(late);
    expect(justInTime.kind).toBe('reserved');
    await free(books, [justInTime]);
    books.clock.nowMs += 1;
    expect(await claim(late)).toEqual({ kind: 'order-closed', how: 'expired' });
    expect([await reject(late), await reject(early)]).toEqual(['expired', 'confirming']);
    await free(books, [claimed]);
  });

  test('a card that nobody paid for is forgotten a week later, and one that was decided is not', async () => {
    const { books } = suiteOf();
    const [unpaid, paid] = [await add(), await add()];
    await free(books, [await claim(paid)]);
    books.clock.nowMs += DISTRIBUTION_LIFE_MS + 7 * 86_400_000;
    await add();
    expect(await findDistribution(books.store, unpaid)).not.toBeNull();
    books.clock.nowMs += 1;
    await add();
    expect(await findDistribution(books.store, unpaid)).toBeNull();
    expect(await findDistribution(books.store, paid)).not.toBeNull();
  });

  test('a caller has so many of a day that nobody tried to pay, and others have theirs', async () => {
    const { books } = suiteOf();
    const one = await add('192.0.2.1');
    expect(await wait('192.0.2.1', 2)).toBeNull();
    books.clock.nowMs += HOUR_MS;
    await reject(await add('192.0.2.1'));
    expect([await wait('192.0.2.1', 2), await wait('192.0.2.1', null)]).toEqual([23 * HOUR_MS, null]);
    expect(await wait('192.0.2.2', 2)).toBeNull();
    await free(books, [await claim(one)]);
    expect([await wait('192.0.2.1', 2), await wait('192.0.2.1', 1)]).toEqual([null, 24 * HOUR_MS]);
    books.clock.nowMs += 24 * HOUR_MS;
    expect(await wait('192.0.2.1', 1)).toBeNull();
    await expectCounted(books);
  });

  test('with too many of all callers together the oldest gives way, after an hour at the earliest', async () => {
    const { books } = suiteOf();
    await forgetAll();
    const own = await add();
    const [tried, first] = [await add('192.0.2.1', 3), await add('192.0.2.2', 3)];
    await free(books, [await claim(tried)]);
    books.clock.nowMs += HOUR_MS / 2;
    const second = await add('192.0.2.3', 3);
    expect([await wait('192.0.2.4', 9, 3), await wait('192.0.2.4', 9, 2)]).toEqual([null, HOUR_MS / 2]);
    books.clock.nowMs += HOUR_MS / 2 - 1;
    const third = await add('192.0.2.5', 2);
    expect([await isKept(first), await wait('192.0.2.4', 9, 2)]).toEqual([true, 1]);
    books.clock.nowMs += 1;
    expect(await wait('192.0.2.4', 9, 2)).toBeNull();
    await add('192.0.2.4', 3);
    expect(await Promise.all([first, second, third, own, tried].map(isKept))).toEqual([false, true, true, true, true]);
    expect([await claim(first), await reject(first)]).toEqual([
      { kind: 'order-closed', how: 'forgotten' },
      'forgotten',
    ]);
    await expectCounted(books);
  });

  test('one that gives way while a payer begins to pay: paid and kept, or neither', async () => {
    const { books, other } = suiteOf();
    await forgetAll();
    const seen = new Set<string>();
    for (let round = 0; round < ROUNDS_MAX && (round < roundsMin() || seen.size < 2); round += 1) {
      const id = await add('192.0.2.1', 1);
      books.clock.nowMs += HOUR_MS;
      const pay = async (): Promise<ReservationResult> => {
        // Sooner one time, later another: the other looks around before it begins as well.
        for (let looks = round % LOOKS_MAX; looks > 0; looks -= 1) await isKept(id);
        return claim(id, { by: other });
      };
      const [claimed] = await Promise.all([pay(), add('192.0.2.2', 1)]);
      const found = `${claimed.kind} ${await isKept(id)}`;
      expect(['reserved true', 'order-closed false']).toContain(found);
      seen.add(found);
      await free(books, [claimed]);
      await forgetAll();
    }
    expect(seen.size).toBe(2);
    await expectCounted(books);
  });

  async function forgetAll(): Promise<void> {
    const { books } = suiteOf();
    books.clock.nowMs += DISTRIBUTION_LIFE_MS + 7 * 86_400_000 + 1;
    await add();
    expect(await ofCallers(books)).toBe(0);
  }
}

async function ofCallers({ store }: Books): Promise<number> {
  const { distributions } = store.tables;
  return (await store.read.select().from(distributions).where(isNotNull(distributions.caller))).length;
}

/** The number by which too many are noticed is the number of rows. */
async function expectCounted(books: Books): Promise<void> {
  const counted = await readCounter(books.store, 'distributions-of-callers');
  expect(Number(counted)).toBe(await ofCallers(books));
}

/** A payer may have twenty payments on their way: each round gives its one back. */
async function free({ store, clock }: Books, results: readonly ReservationResult[]): Promise<void> {
  for (const result of results)
    if (result.kind === 'reserved') await releaseClaim(store, result.paymentId, 'test', clock.nowMs);
}

async function settling({ store }: Books, paymentId: string): Promise<void> {
  await store.tx(async (db) => {
    const { payments } = store.tables;
    await db.update(payments).set({ status: 'settling' }).where(eq(payments.id, paymentId));
  });
}
