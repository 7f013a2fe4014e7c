import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { REPLACEMENT_WAIT_MS } from '../../../core/claims/claims.ts';
import { applyDueChanges, TOLD_BEFORE_MS } from '../../../db/claims/changes.ts';
import { dueChanges } from '../../../db/notices/changes.ts';
import { linkWallet } from '../../../db/transfers/link-wallet.ts';
import { openBooks, START_MS, type Books } from '../../support/books.ts';
import { onBothDatabases } from '../../support/postgres.ts';
import { createClaimants, newAddress, toBase, type Claimants } from './claimants.ts';

const ALICE = { name: 'alice', stableId: '1' };
const BOB = { name: 'bob', stableId: '2' };
const toSolana = (address: string) => ({ network: 'solana' as const, address, source: 'claim' }) as const;

let books: Books;
let people: Claimants;
let alice: string;

onBothDatabases((fresh, isSqlite) => {
  beforeEach(async () => {
    books = await openBooks(await fresh());
    people = createClaimants(books);
    alice = await books.meet('alice', '1');
  });
  afterEach(async () => {
    await books.assertSound();
    await books.close();
  });

  const apply = () => applyDueChanges(books.store, { transferIdOf: books.transferIdOf, nowMs: books.clock.nowMs });
  const link = (address: string, source: string) =>
    linkWallet(
      books.store,
      { identityId: alice, network: 'base' as const, address, source },
      books.transferIdOf,
      START_MS,
    );

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
      const bob = await books.meet(BOB.name, BOB.stableId);
      const [own, theirs] = [newAddress(), newAddress()];
      for (const address of [newAddress(), theirs]) await people.collect(BOB, address);
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
      expect([await apply(), await people.addressOf(alice), await people.addressOf(bob)]).toEqual([1, own, theirs]);
    });

    if (!isSqlite) return;

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

  describe('an address on a network without one', () => {
    const SOLANA = 'AliceOnSolana';
    const collectOnSolana = async (address = SOLANA) =>
      people.confirm({ ...(await people.ready(ALICE, { solana: address })), links: [toSolana(address)] });
    const onSolana = () => people.addressOf(alice, 'solana');

    test('never counts when the owner proves the one elsewhere again', async () => {
      const own = newAddress();
      await people.collect(ALICE, own);
      await collectOnSolana();
      await people.collect(ALICE, own);
      books.clock.nowMs += REPLACEMENT_WAIT_MS;
      expect([await apply(), await onSolana(), await people.changes()]).toEqual([0, undefined, []]);
    });

    if (!isSqlite) return;

    test('waits a day as well where there is one elsewhere: money for it goes there until then', async () => {
      await people.collect(ALICE, newAddress());
      const effectiveAtMs = START_MS + REPLACEMENT_WAIT_MS;
      expect(await collectOnSolana()).toMatchObject({ kind: 'confirmed', effectiveAtMs });
      expect(await onSolana()).toBeUndefined();
      books.clock.nowMs = effectiveAtMs;
      expect([await apply(), await onSolana()]).toEqual([1, SOLANA]);
    });

    test('counts at once when both are first ones, or the other was only published', async () => {
      const base = newAddress();
      const first = await people.ready(ALICE, { base, solana: SOLANA });
      const links = [toBase(base), toSolana(SOLANA)];
      expect(await people.confirm({ ...first, links })).toMatchObject({ effectiveAtMs: null });
      const bob = { name: 'bob', stableId: '2' };
      const identityId = await books.meet('bob', '2');
      const published = { identityId, network: 'base' as const, address: newAddress(), source: 'published' };
      await linkWallet(books.store, published, books.transferIdOf, START_MS);
      const claim = await people.ready(bob, { solana: SOLANA });
      expect(await people.confirm({ ...claim, links: [toSolana(SOLANA)] })).toMatchObject({ effectiveAtMs: null });
    });

    test('that is proven with the present one of another network waits all the same', async () => {
      const own = newAddress();
      await people.collect(ALICE, own);
      const claim = await people.ready(ALICE, { base: own, solana: SOLANA });
      const effectiveAtMs = START_MS + REPLACEMENT_WAIT_MS;
      const links = [toBase(own), toSolana(SOLANA)];
      expect(await people.confirm({ ...claim, links })).toMatchObject({ effectiveAtMs });
      expect([await onSolana(), await people.changes()]).toMatchObject([undefined, [{ address: SOLANA }]]);
    });
  });

  describe('of a mailbox', () => {
    const MAIL = { platform: 'email', name: 'a@example.com', stableId: 'a@example.com' } as const;
    const told = async (untilMs: number, sentAtMs: number) => {
      const { notices, identities } = books.store.tables;
      const [owner] = await books.store.read.select().from(identities).where(eq(identities.platform, 'email'));
      const notice = { identityId: owner?.id ?? '', kind: 'address', untilMs, sentAtMs } as const;
      await books.store.tx((db) => db.insert(notices).values(notice));
    };
    const replaced = async () => {
      await people.collect(MAIL, newAddress());
      await people.collect(MAIL, newAddress());
      books.clock.nowMs += REPLACEMENT_WAIT_MS;
    };

    test('its day begins anew when nobody was told of it, and it is due to be told then', async () => {
      await replaced();
      expect(await apply()).toBe(0);
      const effectiveAtMs = books.clock.nowMs + REPLACEMENT_WAIT_MS;
      expect(await people.changes()).toMatchObject([{ effectiveAtMs }]);
      expect(await dueChanges(books.store, books.clock.nowMs, 1)).toMatchObject([{ untilMs: effectiveAtMs }]);
    });

    if (!isSqlite) return;

    test.each([
      ['in time', -TOLD_BEFORE_MS, 0, 1],
      ['too late to stop it', 1 - TOLD_BEFORE_MS, 0, 0],
      ['of the one before', -REPLACEMENT_WAIT_MS, -1, 0],
      ['of none, because no mail went out', -REPLACEMENT_WAIT_MS, -START_MS - REPLACEMENT_WAIT_MS, 0],
    ])('its owner was told %s', async (_when, sentBeforeMs, untilBeforeMs, applied) => {
      await replaced();
      const { nowMs } = books.clock;
      await told(nowMs + untilBeforeMs, nowMs + sentBeforeMs);
      expect(await apply()).toBe(applied);
    });
  });

  if (!isSqlite) return;

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
