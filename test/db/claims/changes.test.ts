import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { REPLACEMENT_WAIT_MS } from '../../../core/claims.ts';
import { applyDueChanges } from '../../../db/claims/changes.ts';
import { linkWallet } from '../../../db/wallets.ts';
import { openBooks, START_MS, type Books } from '../../support/books.ts';
import { onBothDatabases } from '../../support/postgres.ts';
import { createClaimants, newAddress, type Claimants } from './claimants.ts';

const ALICE = { name: 'alice', stableId: '1' };

let books: Books;
let people: Claimants;
let alice: string;

onBothDatabases((fresh) => {
  beforeEach(async () => {
    books = await openBooks(await fresh());
    people = createClaimants(books);
    alice = await books.meet('alice', '1');
  });
  afterEach(async () => {
    await books.assertSound();
    await books.close();
  });

  const apply = () => applyDueChanges(books.store, { newPayoutId: books.ids.payoutId, nowMs: books.clock.nowMs });
  const link = (address: string, source: string) =>
    linkWallet(books.store, { identityId: alice, network: 'base', address, source }, books.ids.payoutId, START_MS);

  describe('another address than the proven one', () => {
    test('waits a day, in which money still goes to the old one, and is then the one', async () => {
      const [old, next] = [newAddress(), newAddress()];
      expect(await people.collect(ALICE, old)).toMatchObject({ effectiveAtMs: null });
      const effectiveAtMs = START_MS + REPLACEMENT_WAIT_MS;
      expect(await people.collect(ALICE, next)).toMatchObject({ kind: 'confirmed', effectiveAtMs });
      books.clock.nowMs = effectiveAtMs - 1;
      expect(await apply()).toBe(0);
      await books.pay({ payees: [ALICE] });
      books.clock.nowMs = effectiveAtMs;
      const applied = await Promise.all([apply(), apply(), apply()]);
      expect(applied.reduce((sum, count) => sum + count)).toBe(1);
      await books.pay({ payees: [ALICE] });
      expect((await books.payouts()).map(({ toAddress }) => toAddress)).toEqual([old, next]);
      expect(await people.changes()).toEqual([]);
    });

    test('never counts when the owner proves the present one again', async () => {
      const own = newAddress();
      await people.collect(ALICE, own);
      await people.collect(ALICE, newAddress());
      books.clock.nowMs += REPLACEMENT_WAIT_MS - 1;
      // In other letters it is the same address.
      expect(
        await people.collect(
          ALICE,
          own.replace(/[a-f]/g, (letter) => letter.toUpperCase()),
        ),
      ).toMatchObject({
        effectiveAtMs: null,
      });
      books.clock.nowMs += 1;
      expect([await apply(), await people.addressOf(alice)]).toEqual([0, own]);
    });

    test('begins its day anew when it is yet another one, and does not when it is the same', async () => {
      await people.collect(ALICE, newAddress());
      const [second, third] = [newAddress(), newAddress()];
      await people.collect(ALICE, second);
      books.clock.nowMs += 1_000;
      const again = await people.collect(ALICE, second);
      expect(again).toMatchObject({ effectiveAtMs: START_MS + REPLACEMENT_WAIT_MS });
      const effectiveAtMs = books.clock.nowMs + REPLACEMENT_WAIT_MS;
      expect(await people.collect(ALICE, third)).toMatchObject({ effectiveAtMs });
      books.clock.nowMs = effectiveAtMs - 1;
      expect(await apply()).toBe(0);
      books.clock.nowMs = effectiveAtMs;
      expect([await apply(), await people.addressOf(alice)]).toEqual([1, third]);
    });

    test('is off when an operator says where the money goes', async () => {
      await people.collect(ALICE, newAddress());
      await people.collect(ALICE, newAddress());
      const checked = newAddress();
      await link(checked, 'operator');
      books.clock.nowMs += REPLACEMENT_WAIT_MS;
      expect([await apply(), await people.addressOf(alice)]).toEqual([0, checked]);
    });
  });

  test.each([
    ['published', null],
    ['operator', START_MS + REPLACEMENT_WAIT_MS],
  ])('a first proof replaces an address of source %s from %s on', async (source, effectiveAtMs) => {
    await link(newAddress(), source);
    expect(await people.collect(ALICE, newAddress())).toMatchObject({ effectiveAtMs });
  });

  test('an address that was only published never replaces a proven one', async () => {
    const own = newAddress();
    await people.collect(ALICE, own);
    await link(newAddress(), 'published');
    expect(await people.addressOf(alice)).toBe(own);
  });
});
