import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CLAIM_MS } from '../../../core/claims/claims.ts';
import { declineClaim, DECLINED_MAX } from '../../../db/claims/decline.ts';
import { isOptedOut } from '../../../db/identities/identities.ts';
import { expiredLines, refundLine } from '../../../db/refunds/refund-line.ts';
import { openBooks, START_MS, type Books } from '../../support/books.ts';
import { onBothDatabases } from '../../support/postgres.ts';
import { createClaimants, newAddress, toBase, type Claimants } from './claimants.ts';

const ALICE = { name: 'alice', stableId: '1' };

let books: Books;
let people: Claimants;

onBothDatabases((fresh, isSqlite) => {
  beforeEach(async () => {
    books = await openBooks(await fresh());
    people = createClaimants(books);
  });
  afterEach(async () => {
    await books.assertSound();
    await books.close();
  });

  const decline = (word: { claimId: string; confirmHash: string }, optOut = false) =>
    declineClaim(books.store, { ...word, optOut }, books.clock.nowMs);

  async function pay(): Promise<{ txnId: number; line: () => ReturnType<Books['linesFor']> }> {
    const { paymentId, lines } = await books.pay({ payees: [ALICE], fee: 20_000n });
    return { txnId: lines[0]?.txnId ?? 0, line: () => books.linesFor(paymentId) };
  }

  describe('what its person does not want', () => {
    test('goes back with its fee, once, however often it is declined', async () => {
      const [first, second] = [await pay(), await pay()];
      const claim = await people.ready(ALICE, { decline: true });
      const results = await Promise.all(Array.from({ length: 8 }, () => decline(claim)));
      const done = results.flatMap((result) => (result.kind === 'declined' ? result.txnIds : []));
      expect(done).toHaveLength(2);
      expect(done).toEqual(expect.arrayContaining([first.txnId, second.txnId]));
      expect(results.filter(({ kind }) => kind === 'already')).toHaveLength(7);
      expect(await first.line()).toMatchObject([{ status: 'returning', returnReason: 'declined' }]);
      const { refunds } = books.store.tables;
      const amounts = (await books.store.read.select().from(refunds)).map(({ amountMicroUsdc }) => amountMicroUsdc);
      expect(amounts).toEqual([1_020_000n, 1_020_000n]);
      expect(await isOptedOut(books.store, 'x', '1')).toBe(false);
    });

    test('goes back although the same person is about to collect it elsewhere', async () => {
      const { line } = await pay();
      await people.ready(ALICE, { keep: true });
      await decline(await people.ready(ALICE, { decline: true }), true);
      expect(await line()).toMatchObject([{ status: 'returning' }]);
      expect(await isOptedOut(books.store, 'x', '1')).toBe(true);
    });

    test('is collected or goes back, never both', async () => {
      const { line } = await pay();
      const base = newAddress();
      const claim = await people.ready(ALICE, { base });
      const [confirmed, declined] = await Promise.all([
        people.confirm({ ...claim, links: [toBase(base)] }),
        decline(claim),
      ]);
      expect([confirmed.kind, declined.kind].toSorted()).toEqual(
        confirmed.kind === 'confirmed' ? ['confirmed', 'refused'] : ['declined', 'refused'],
      );
      expect((await line())[0]?.status).toBe(confirmed.kind === 'confirmed' ? 'paying' : 'returning');
    });

    if (!isSqlite) return;

    test('is more than one transaction carries: the rest has expired, and goes back for the same reason', async () => {
      const payees = Array.from({ length: DECLINED_MAX + 2 }, () => ({ ...ALICE, amount: 10_000n }));
      const { paymentId } = await books.pay({ payees });
      const result = await decline(await people.ready(ALICE, { decline: true }));
      expect(result.kind === 'declined' && result.txnIds.length).toBe(DECLINED_MAX);
      const { store, clock } = books;
      for (const txnId of await expiredLines(store, clock.nowMs, 10)) await refundLine(store, txnId, clock.nowMs);
      const back = { status: 'returning', returnReason: 'declined' };
      expect(await books.linesFor(paymentId)).toMatchObject(payees.map(() => back));
    });

    test('stays where it is without the right token', async () => {
      const { line } = await pay();
      const claim = await people.ready(ALICE, { decline: true });
      expect(await decline({ ...claim, confirmHash: 'guessed' }, true)).toEqual({ kind: 'refused' });
      expect(await line()).toMatchObject([{ status: 'escrowed' }]);
      expect(await isOptedOut(books.store, 'x', '1')).toBe(false);
    });
  });

  describe('what its person is about to collect', () => {
    test('does not expire in the last minute', async () => {
      const { txnId, line } = await pay();
      const { store, clock } = books;
      clock.nowMs = START_MS + 30 * 86_400_000 - 60_000;
      const base = newAddress();
      const claim = await people.ready(ALICE, { base });
      clock.nowMs += 120_000;
      expect(await expiredLines(store, clock.nowMs, 10)).toEqual([]);
      expect(await refundLine(store, txnId, clock.nowMs)).toBe('being-collected');
      expect(await expiredLines(store, clock.nowMs + CLAIM_MS, 10)).toEqual([txnId]);
      await people.confirm({ ...claim, links: [toBase(base)] });
      expect((await line())[0]?.status).toBe('paying');
    });

    if (!isSqlite) return;

    test('its payer cannot take back, but can while nothing is proven and when the claim is over', async () => {
      const [first, second] = [await pay(), await pay()];
      const { store, clock } = books;
      await people.open('alice', { keep: true });
      expect(await refundLine(store, first.txnId, clock.nowMs)).toBe('refunded');
      await people.ready(ALICE, { keep: true });
      expect(await refundLine(store, second.txnId, clock.nowMs + CLAIM_MS - 1)).toBe('being-collected');
      // What is on its way back is not collected any more.
      expect(await refundLine(store, first.txnId, clock.nowMs)).toBe('refunded');
      expect(await refundLine(store, second.txnId, clock.nowMs + CLAIM_MS)).toBe('refunded');
    });

    test('its payer can take back again when the claim has ended without it', async () => {
      const { txnId } = await pay();
      const claim = await people.ready(ALICE, { solana: 'AliceOnSolana' });
      await people.confirm({ ...claim, links: [{ network: 'solana', address: 'AliceOnSolana', source: 'claim' }] });
      expect(await refundLine(books.store, txnId, books.clock.nowMs)).toBe('refunded');
    });
  });
});
