/**
 * The database code of schema 1 and that of this tree work on one database side by side, as they do during an upgrade, on the newest
 * schema. The old one is a file that was built then, because a clone may lack tags and history.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { DatabaseAddress } from '../../../db/store/open.ts';
import { createRefundPayout } from '../../../db/refunds/create-payouts.ts';
import { refundLine } from '../../../db/refunds/refund-line.ts';
import { linkWallet } from '../../../db/transfers/link-wallet.ts';
import { openBooks } from '../../support/books.ts';
import { refuseViolations } from '../../support/databases/refuse-violations.ts';
import { onBothDatabases } from '../../support/postgres.ts';
import type * as Code from './code.ts';
import { testTransferIds } from '../../support/transfers/transfer-ids.ts';

type OldCode = typeof Code;
const BUILT = new URL('./built.mjs', import.meta.url).href;

onBothDatabases((fresh) => {
  test('a process of schema 1 takes, refunds, pays out and audits beside one of this schema', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'pennypost-schemas-'));
    const address: DatabaseAddress = (await fresh()) ?? { kind: 'sqlite', path: join(dir, 'books.sqlite') };
    const books = await openBooks(address);
    const old = (await import(BUILT)) as OldCode;
    const before =
      address.kind === 'sqlite' ? await old.openSqliteStore({ path: address.path }) : await old.openPgStore(address);
    try {
      const pay = (name: string, stableId: string) => books.toClaim({ payees: [{ name, stableId }] });
      // Old and new take payments at once; a block settles both.
      const [one, other] = await Promise.all([
        old.reservePayment(before, pay('alice', '1')),
        books.claim({ payees: [{ name: 'bob', stableId: '2' }] }),
      ]);
      if (one.kind !== 'reserved' || other.kind !== 'reserved') throw new Error('a payment was not taken');
      await books.mine([one.paymentId, other.paymentId]);
      expect(await old.findPayment(before, other.paymentId)).toMatchObject({ status: 'settled' });
      const lineOf = async (paymentId: string) => (await books.linesFor(paymentId))[0];
      const [alice, bob] = [await lineOf(one.paymentId), await lineOf(other.paymentId)];
      // The old one gives back what the new one took, and the new one pays it out; then the other way around.
      expect(await old.refundLine(before, bob?.txnId ?? 0, books.clock.nowMs)).toBe('refunded');
      const [owed] = await old.payersOwed(before, 'base', 1n);
      if (owed === undefined) throw new Error('nothing is owed');
      const wanted = { ...owed, network: 'base', minMicroUsdc: 1n } as const;
      const made = await Promise.all([
        createRefundPayout(books.store, wanted, testTransferIds, books.clock.nowMs),
        old.createRefundPayout(before, wanted, testTransferIds, books.clock.nowMs),
      ]);
      expect(made.filter((id) => id !== null)).toHaveLength(1);
      const place = { network: 'base', address: `0x${'ab'.repeat(20)}`, source: 'test' } as const;
      await old.linkWallet(
        before,
        { identityId: alice?.identityId ?? '', ...place },
        testTransferIds,
        books.clock.nowMs,
      );
      expect(
        await linkWallet(books.store, { identityId: alice?.identityId ?? '', ...place }, testTransferIds, 1),
      ).toEqual([]);
      expect(await refundLine(books.store, alice?.txnId ?? 0, books.clock.nowMs)).toBe('not-waiting');
      expect((await books.payouts()).map(({ purpose }) => purpose).toSorted()).toEqual(['payout', 'refund']);
      refuseViolations(await old.findViolations(before));
      await books.assertSound();
    } finally {
      await before.close();
      await books.close();
      rmSync(dir, { recursive: true, force: true });
    }
  });
});
