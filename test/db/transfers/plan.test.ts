import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createRefundPayout } from '../../../db/refunds/create-payouts.ts';
import { refundLine } from '../../../db/refunds/refund-line.ts';
import { decide, standingOutcome, undecidedPayouts } from '../../../db/screening/decisions.ts';
import { sourceOfLine } from '../../../db/transfers/line-source.ts';
import { openBooks, type Books } from '../../support/books.ts';

const PAYER = `0x${'99'.repeat(20)}`;
const ALICE = { name: 'alice', stableId: '1' };
let books: Books;
beforeEach(async () => {
  books = await openBooks();
});
afterEach(async () => {
  await books.assertSound();
  await books.close();
});

const gather = () => {
  const owed = { network: 'base' as const, payer: PAYER, payerAccount: null, minMicroUsdc: 0n };
  return createRefundPayout(books.store, owed, books.transferIdOf, books.clock.nowMs);
};

/** Pays Alice, and answers the line with the id of whatever will leave for it. */
async function payAlice() {
  const { paymentId, lines } = await books.pay({ payees: [ALICE] });
  const [line] = lines;
  if (line === undefined) throw new Error('a payment has a line');
  return { line, id: books.transferIdOf(sourceOfLine(await books.paymentOf(paymentId), line)) };
}

describe('what leaves for a line', () => {
  test('has one id, whether it is paid out or given back', async () => {
    const given = await payAlice();
    await refundLine(books.store, given.line.txnId, books.clock.nowMs);
    expect(await gather()).toBe(given.id);
    const paid = await payAlice();
    await books.link(paid.line.identityId);
    expect((await books.payouts()).map(({ id }) => id).sort()).toEqual([given.id, paid.id].sort());
  });

  test('of several lines that go back together is the lowest of their ids', async () => {
    const both = [await payAlice(), await payAlice()];
    for (const { line } of both) await refundLine(books.store, line.txnId, books.clock.nowMs);
    expect(await gather()).toBe(both.map(({ id }) => id).sort()[0]);
  });

  test('keeps its id in a next generation where an earlier transfer of the line came to nothing', async () => {
    const { line, id } = await payAlice();
    await plantTransfer(id, 'void');
    await books.link(line.identityId);
    expect(await books.payouts()).toMatchObject([{ id, status: 'queued', generation: 1, amountMicroUsdc: 1_000_000n }]);
  });

  test('is screened anew in it: what was decided was about another address', async () => {
    const { line, id } = await payAlice();
    await plantTransfer(id, 'void');
    const about = { stage: 'payout' as const, subject: id };
    const { nowMs } = books.clock;
    const answer = { verdict: 'allowed', source: 'service', detail: null } as const;
    expect(await decide(books.store, about, { answer, fails: 'closed', nowMs })).toBe('go');
    await books.link(line.identityId);
    expect(await standingOutcome(books.store, about, nowMs)).toBeNull();
    expect((await undecidedPayouts(books.store, nowMs, 10)).map((payout) => payout.id)).toEqual([id]);
  });

  test('waits for the operator where a transfer of that id has moved money', async () => {
    const { line, id } = await payAlice();
    await plantTransfer(id, 'final');
    await books.link(line.identityId);
    const [second] = (await books.payouts()).filter((payout) => payout.id !== id);
    expect(second).toMatchObject({ id: `${id}-2`, status: 'held', heldReason: 'paid_before' });
    const { lines, transfers } = books.store.tables;
    const [linked] = await books.store.read.select().from(lines).where(eq(lines.txnId, line.txnId));
    expect(linked?.payoutId).toBe(`${id}-2`);
    await books.store.tx((db) => db.delete(transfers).where(eq(transfers.id, id)));
  });
});

/** As a transfer of this line that ended before; nothing of it is in the ledger. */
async function plantTransfer(id: string, status: 'void' | 'final'): Promise<void> {
  const place = {
    network: 'base' as const,
    purpose: 'payout' as const,
    sourceAccount: null,
    fromAddress: 'a',
    toAddress: 'b',
  };
  const moments = { nextTryAtMs: 0, createdAtMs: 0, generation: 0, tries: 0, exposed: false };
  const row = { id, ...place, amountMicroUsdc: 5n, status, ...moments };
  await books.store.tx((db) => db.insert(books.store.tables.transfers).values(row));
}
