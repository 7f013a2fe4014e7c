import { eq, like } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findViolations } from '../../../db/audit/invariants.ts';
import { dailyCounters, dayOf, nextDayMs } from '../../../db/limits/daily.ts';
import { dueHeldByLimit, releaseByLimit } from '../../../db/limits/release.ts';
import { storePayoutSettings } from '../../../db/limits/settings.ts';
import { refundLine } from '../../../db/refunds/refund-line.ts';
import { createRefundPayout } from '../../../db/refunds/create-payouts.ts';
import { openBooks, START_MS, type Books } from '../../support/books.ts';

let books: Books;
const ALICE = { name: 'alice', stableId: '1' };
const BOB = { name: 'bob', stableId: '2' };
const PAYER = `0x${'99'.repeat(20)}`;

beforeEach(async () => {
  books = await openBooks();
  await books.link(await books.meet('alice', '1'));
  await books.link(await books.meet('bob', '2'));
});
afterEach(async () => {
  await books.assertSound();
  await books.close();
});

const cap = (payer: bigint | null, recipient: bigint | null = null) =>
  storePayoutSettings(books.store, { dailyMicroUsdc: { payer, recipient }, treasuries: {} });

/** Each payment a second after the one before, so that there is an oldest. */
async function pay(payees: Parameters<Books['pay']>[0]['payees'], payer = PAYER) {
  books.clock.nowMs += 1_000;
  return books.pay({ payees, payer });
}

const states = async () => (await books.payouts()).map(({ status, heldReason }) => heldReason ?? status);
const usedBy = async (name: string) => {
  const { counters } = books.store.tables;
  const [row] = await books.store.read.select().from(counters).where(eq(counters.name, name));
  return row?.used ?? 0n;
};

async function releaseRound(): Promise<number> {
  let released = 0;
  for (const id of await dueHeldByLimit(books.store, books.clock.nowMs, 100)) {
    if (await releaseByLimit(books.store, id, books.clock.nowMs)) released += 1;
  }
  return released;
}

describe('a day', () => {
  test('is UTC, and ends at midnight', () => {
    const lastMs = Date.parse('2026-11-20T23:59:59.999Z');
    expect([dayOf(lastMs), dayOf(lastMs + 1)]).toEqual(['2026-11-20', '2026-11-21']);
    expect([nextDayMs(lastMs), nextDayMs(lastMs + 1) - lastMs]).toEqual([lastMs + 1, 86_400_001]);
  });
});

describe('over the limit of a payer', () => {
  test('a payment is accepted and its payouts are held; others still get theirs', async () => {
    await cap(2_000_000n);
    await pay([ALICE, BOB]);
    const { paymentId } = await pay([ALICE]);
    await pay([ALICE], '0xsomebody-else');
    expect((await books.paymentOf(paymentId)).status).toBe('settled');
    expect(await states()).toEqual(['queued', 'queued', 'payer_limit', 'queued']);
    expect(await usedBy(dailyCounters.payer(dayOf(START_MS), PAYER))).toBe(2_000_000n);
  });

  test('exactly the limit still goes', async () => {
    await cap(1_000_000n);
    await pay([ALICE]);
    expect(await states()).toEqual(['queued']);
  });

  test('the money that waits in escrow counts on the day on which it leaves', async () => {
    await cap(1_000_000n);
    await pay([{ name: 'carol', stableId: '3' }]);
    await pay([ALICE]);
    expect(await states()).toEqual(['queued']);
    await books.link(await books.meet('carol', '3'));
    expect(await states()).toEqual(['queued', 'payer_limit']);
  });

  test('nothing is held without a limit', async () => {
    await cap(null);
    await pay([ALICE, BOB]);
    expect(await states()).toEqual(['queued', 'queued']);
  });
});

describe('over the limit of a recipient', () => {
  test('that line is held, no matter who pays, and takes nothing from its payer’s limit', async () => {
    await cap(10_000_000n, 1_000_000n);
    await pay([ALICE]);
    await pay([ALICE, BOB], '0xsomebody-else');
    expect(await states()).toEqual(['queued', 'recipient_limit', 'queued']);
    expect(await usedBy(dailyCounters.payer(dayOf(START_MS), '0xsomebody-else'))).toBe(1_000_000n);
  });
});

describe('held money goes on', () => {
  test('not on the same day, and on the next as far as that has room, oldest first', async () => {
    await cap(1_000_000n);
    for (let count = 0; count < 4; count += 1) await pay([ALICE]);
    expect(await states()).toEqual(['queued', 'payer_limit', 'payer_limit', 'payer_limit']);
    expect(await releaseRound()).toBe(0);
    books.clock.nowMs = nextDayMs(books.clock.nowMs);
    expect(await releaseRound()).toBe(1);
    expect(await states()).toEqual(['queued', 'queued', 'payer_limit', 'payer_limit']);
    expect(await dueHeldByLimit(books.store, books.clock.nowMs, 100)).toEqual([]);
    books.clock.nowMs = nextDayMs(books.clock.nowMs);
    expect(await releaseRound()).toBe(1);
    expect(await states()).toEqual(['queued', 'queued', 'queued', 'payer_limit']);
  });

  test('once, however often and by however many it is let go', async () => {
    await cap(1_000_000n);
    await pay([ALICE]);
    await pay([ALICE]);
    books.clock.nowMs = nextDayMs(books.clock.nowMs);
    const [held = ''] = await dueHeldByLimit(books.store, books.clock.nowMs, 100);
    const again = () => releaseByLimit(books.store, held, books.clock.nowMs);
    const results = await Promise.all([again(), again(), again()]);
    expect(results.filter(Boolean)).toHaveLength(1);
    expect(await again()).toBe(false);
    expect(await usedBy(dailyCounters.payer(dayOf(books.clock.nowMs), PAYER))).toBe(1_000_000n);
  });

  test('says the limit that keeps it now, when that is another one', async () => {
    await cap(1_000_000n, null);
    await pay([ALICE]);
    await pay([ALICE]);
    await cap(null, 500_000n);
    books.clock.nowMs = nextDayMs(books.clock.nowMs);
    expect(await releaseRound()).toBe(0);
    expect(await states()).toEqual(['queued', 'recipient_limit']);
    expect(await usedBy(dailyCounters.payer(dayOf(books.clock.nowMs), PAYER))).toBe(0n);
  });

  test('not while a reorganisation has its payment', async () => {
    await cap(0n);
    const { paymentId } = await pay([ALICE]);
    await cap(null);
    await books.reorganise();
    books.clock.nowMs = nextDayMs(books.clock.nowMs);
    expect(await releaseRound()).toBe(0);
    await books.mine([paymentId]);
    expect(await releaseRound()).toBe(1);
  });
});

test('refunds are not limited', async () => {
  await cap(0n, 0n);
  const { lines } = await pay([{ name: 'carol', stableId: '3' }]);
  await refundLine(books.store, lines[0]?.txnId ?? 0, books.clock.nowMs);
  const owed = { network: 'base' as const, payer: PAYER, payerAccount: null, minMicroUsdc: 0n };
  expect(await createRefundPayout(books.store, owed, books.transferIdOf, books.clock.nowMs)).not.toBeNull();
  expect(await states()).toEqual(['queued']);
  const { counters } = books.store.tables;
  expect(await books.store.read.select().from(counters).where(like(counters.name, '%daily%'))).toEqual([]);
});

test('CONTROL: a counter that has drifted, or a payout that took its part twice, is a violation', async () => {
  await cap(5_000_000n);
  await pay([ALICE]);
  const { counters } = books.store.tables;
  const name = dailyCounters.payer(dayOf(START_MS), PAYER);
  const set = (used: bigint) =>
    books.store.tx((db) => db.update(counters).set({ used }).where(eq(counters.name, name)));
  await set(2_000_000n);
  expect(await findViolations(books.store)).toMatchObject([{ rule: 'daily counters = payouts' }]);
  await set(1_000_000n);
});
