/** Several processes decide about the same lines at once, while the chain takes their money away and brings it back. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openMigrated } from '../../support/databases/migrated.ts';
import { refundLine } from '../../../db/refunds/refund-line.ts';
import { takeLookups, dueLookups } from '../../../db/identities/lookups.ts';
import { resolveLine, returnUnresolved } from '../../../db/resolving/resolve-line.ts';
import type { Store } from '../../../db/store/store.ts';
import { openBooks, type Books } from '../../support/books.ts';
import { onPostgres } from '../../support/postgres.ts';

let books: Books;
let other: Store;
onPostgres((fresh) => {
  beforeAll(async () => {
    const address = await fresh();
    books = await openBooks(address);
    other = await openMigrated(address);
  });
  afterAll(async () => {
    await other?.close();
    await books?.close();
  });

  test('each line is decided once, and the books hold', async () => {
    const { ids, clock } = books;
    const person = (name: string) => ({ stableId: `${name}-id` });
    const dependencies = { newIdentityId: ids.identityId, transferIdOf: ids.payoutId, nowMs: clock.nowMs };
    for (let round = 0; round < 2; round += 1) {
      const payees = Array.from({ length: 8 }, (_, index) => ({ name: `n${round}_${index}`, stableId: null }));
      const { paymentId, lines } = await books.pay({ payer: `0x${round}`, fee: 40_000n, payees });
      const due = await dueLookups(books.store, clock.nowMs, 100);
      const wanted = due.map((lookup) => ({ ...lookup, nextTryAtMs: clock.nowMs }));
      const taken = await Promise.all([books.store, other].map((store) => takeLookups(store, wanted)));
      expect(taken.map(({ size }) => size).reduce((sum, size) => sum + size)).toBe(payees.length);
      const decide = lines.flatMap(({ txnId, recipientKey }) => [
        () => resolveLine(books.store, txnId, person(recipientKey), dependencies),
        () => resolveLine(other, txnId, person(recipientKey), dependencies),
        () => returnUnresolved(other, txnId, 'no_answer', clock.nowMs),
        () => refundLine(books.store, txnId, clock.nowMs),
      ]);
      const [reopened] = await Promise.all([
        round % 2 === 1 ? books.reorganise() : [],
        ...decide.map((work) => work()),
      ]);
      await books.assertSound();
      if (reopened.length > 0) await books.mine([paymentId]);
      for (const { txnId, recipientKey } of lines) await resolveLine(other, txnId, person(recipientKey), dependencies);
      await books.assertSound();
      for (const { status } of await books.linesFor(paymentId)) expect(['escrowed', 'returning']).toContain(status);
    }
  });
});
