import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Network } from '../../../core/networks.ts';
import { ADDRESS_LAPSE_MS, CLAIM_MS } from '../../../core/claims/claims.ts';
import { waitingFor, claimProgress } from '../../../db/payments/records/waiting-lines.ts';
import { walletsSeenBy } from '../../../db/wallets/holders.ts';
import { isOptedOut } from '../../../db/identities/identities.ts';
import { expiredLines } from '../../../db/refunds/refund-line.ts';
import { RELEASED_MAX } from '../../../db/transfers/link-wallet.ts';
import { limitsRound } from '../../../worker/limits.ts';
import { openBooks, type Books } from '../../support/books.ts';
import { payableOf } from '../../support/transfers/payable.ts';
import { onBothDatabases } from '../../support/postgres.ts';
import { createClaimants, newAddress, toBase, type Claimants } from './claimants.ts';

const ALICE = { name: 'alice', stableId: '1' };
const MAIL = { platform: 'email', name: 'a@example.com', stableId: 'a@example.com' } as const;

let books: Books;
let people: Claimants;

const progress = (claimId: string, reached: readonly Network[] = ['base']) =>
  claimProgress(books.store, { claimId, reached });

onBothDatabases((fresh, isSqlite) => {
  beforeEach(async () => {
    books = await openBooks(await fresh());
    people = createClaimants(books);
  });
  afterEach(async () => {
    await books.assertSound();
    await books.close();
  });

  describe('the confirmation', () => {
    test('of twenty at once one collects, and everything goes out once', async () => {
      await books.pay({ payees: [ALICE, { name: 'bob', stableId: '2' }] });
      await books.pay({ payees: [ALICE, ALICE] });
      const base = newAddress();
      const claim = await people.ready(ALICE, { base });
      const word = { ...claim, links: [toBase(base)] };
      const results = await Promise.all(Array.from({ length: 20 }, () => people.confirm(word)));
      expect(results.map(({ kind }) => kind).toSorted()).toEqual([
        ...Array.from({ length: 19 }, () => 'already'),
        'confirmed',
      ]);
      expect((await books.payouts()).map(({ toAddress }) => toAddress)).toEqual([base, base, base]);
      expect(await people.row(claim.claimId)).toMatchObject({ status: 'confirmed', confirmHash: null });
      expect(await progress(claim.claimId)).toMatchObject({
        sums: [{ network: 'base', amount: 3_000_000n }],
        transactionHashes: [],
        isPaid: false,
      });
      await people.landAll();
      const paid = await progress(claim.claimId);
      expect([paid.txnIds.length, paid.transactionHashes, paid.isPaid]).toEqual([3, ['0xlanded'], true]);
    });

    test('takes back an opt-out', async () => {
      const alice = await books.meet('alice', '1');
      const { identities } = books.store.tables;
      await books.store.tx((db) => db.update(identities).set({ optedOutAtMs: 1 }));
      expect(await isOptedOut(books.store, 'x', '1')).toBe(true);
      await people.collect(ALICE, newAddress());
      expect([await isOptedOut(books.store, 'x', '1'), await isOptedOut(books.store, 'x', '2')]).toEqual([
        false,
        false,
      ]);
      expect(await waitingFor(books.store, alice)).toEqual([]);
    });

    if (!isSqlite) return;

    test('counts with the newest token, after a proof, and in time only', async () => {
      await books.pay({ payees: [ALICE] });
      const base = newAddress();
      const links = [toBase(base)];
      const { claimId, confirmHash } = await people.ready(ALICE, { base });
      const newest = await people.token(claimId);
      const unproven = await people.open('alice', { base });
      expect(await people.confirm({ claimId, confirmHash, links })).toEqual({ kind: 'refused' });
      expect(await people.confirm({ claimId, confirmHash: '', links })).toEqual({ kind: 'refused' });
      expect(await people.confirm({ claimId: unproven, confirmHash: newest, links })).toEqual({ kind: 'refused' });
      expect(await people.confirm({ claimId: 'claim_none', confirmHash: newest, links })).toEqual({ kind: 'refused' });
      books.clock.nowMs += CLAIM_MS;
      expect(await people.confirm({ claimId, confirmHash: newest, links })).toEqual({ kind: 'refused' });
      expect(await books.payouts()).toEqual([]);
      books.clock.nowMs -= 1;
      expect((await people.confirm({ claimId, confirmHash: newest, links })).kind).toBe('confirmed');
    });

    test('pays to what was fixed before the proof, and to nothing else', async () => {
      await books.pay({ payees: [ALICE] });
      const base = newAddress();
      const claim = await people.ready(ALICE, { base });
      await expect(people.confirm({ ...claim, links: [toBase(newAddress())] })).rejects.toThrow('was not proven for');
      const solana = { network: 'solana', address: 'Somewhere', source: 'claim' } as const;
      await expect(people.confirm({ ...claim, links: [solana] })).rejects.toThrow('was not proven for');
      const declined = await people.ready(ALICE, { decline: true });
      await expect(people.confirm({ ...declined, links: [] })).rejects.toThrow('cannot collect');
      // Nothing of it was kept, so the token is still good.
      expect((await people.confirm({ ...claim, links: [toBase(base)] })).kind).toBe('confirmed');
    });

    test('to keep it makes the browser a holder of that wallet, and of no other', async () => {
      const claim = await people.ready(ALICE, { keep: true });
      const links = [{ network: 'base', address: newAddress(), source: 'keep' }] as const;
      const holder = { holderId: 'chat:mine', walletId: 'x:1', name: 'x:alice' };
      const foreign = people.confirm({ ...claim, links, holder: { ...holder, walletId: 'x:2' } });
      await expect(foreign).rejects.toThrow('would give away');
      expect(await walletsSeenBy(books.store, 'chat:mine')).toEqual([]);
      await people.confirm({ ...claim, links, holder });
      const held = [{ walletId: 'x:1', name: 'x:alice', sinceMs: books.clock.nowMs }];
      expect(await walletsSeenBy(books.store, 'chat:mine')).toMatchObject(held);
      const web = { platform: 'web', name: 'example.com', stableId: 'example.com' } as const;
      const site = await people.ready(web, { keep: true });
      await expect(people.confirm({ ...site, links })).rejects.toThrow('changes owners');
    });
  });

  describe('money that does not go out with the claim', () => {
    test('waits on its network for an address there, and the claim is not paid before it is', async () => {
      await books.pay({ payees: [ALICE] });
      const claim = await people.ready(ALICE, { solana: 'AliceOnSolana' });
      const link = { network: 'solana', address: 'AliceOnSolana', source: 'claim' } as const;
      expect(await people.confirm({ ...claim, links: [link] })).toMatchObject({ kind: 'confirmed', payoutIds: [] });
      const sums = [{ network: 'base', amount: 1_000_000n }];
      const waitsForRoute = { sums, untilMs: expect.any(Number) };
      expect(await progress(claim.claimId, ['solana'])).toMatchObject({ sums, isPaid: false, waitsForRoute });
      expect(await people.collect(ALICE, newAddress())).toMatchObject({ payoutIds: [expect.any(String)] });
      expect(await progress(claim.claimId, ['base', 'solana'])).toMatchObject({ isPaid: false, waitsForRoute: null });
      await people.landAll();
      expect(await progress(claim.claimId, ['base', 'solana'])).toMatchObject({ sums, isPaid: true });
    });

    test('comes after all when the chain that took it away brings it back', async () => {
      const { paymentId } = await books.pay({ payees: [ALICE] });
      const base = newAddress();
      const claim = await people.ready(ALICE, { base });
      await books.reorganise();
      expect(await people.confirm({ ...claim, links: [toBase(base)] })).toMatchObject({ payoutIds: [] });
      await books.assertSound();
      await books.mine([paymentId]);
      expect(await books.payouts()).toMatchObject([{ toAddress: base, status: 'queued' }]);
    });

    if (!isSqlite) return;

    test('is a crowd of small sums: all of it is noted, and the worker takes up the rest', async () => {
      await books.pay({ payees: Array.from({ length: RELEASED_MAX + 3 }, () => ({ ...ALICE, amount: 10_000n })) });
      const base = newAddress();
      const claim = await people.ready(ALICE, { base });
      const result = await people.confirm({ ...claim, links: [toBase(base)] });
      expect(result.kind === 'confirmed' && result.payoutIds.length).toBe(RELEASED_MAX);
      expect((await progress(claim.claimId)).txnIds).toHaveLength(RELEASED_MAX + 3);
      const { store, ids, clock } = books;
      await limitsRound({ store, transferIdOf: ids.payoutId, now: () => clock.nowMs, log: pino({ level: 'silent' }) });
      expect(await books.payouts()).toHaveLength(RELEASED_MAX + 3);
    });
  });

  describe('an address that nobody used for half a year', () => {
    test('no longer counts for a mailbox: money waits, and the next claim is a first one', async () => {
      const [old, next] = [newAddress(), newAddress()];
      await people.collect(MAIL, old);
      // Being paid to is use: the second time is nearly a year after the claim.
      for (const _time of [1, 2]) {
        books.clock.nowMs += ADDRESS_LAPSE_MS - 1;
        await books.pay({ payees: [MAIL] });
      }
      books.clock.nowMs += ADDRESS_LAPSE_MS;
      await books.pay({ payees: [MAIL] });
      expect(await books.payouts()).toHaveLength(2);
      expect(await payableOf(books)).toEqual([]);
      expect(await people.collect(MAIL, next)).toMatchObject({ effectiveAtMs: null });
      expect((await books.payouts()).map(({ toAddress }) => toAddress)).toEqual([old, old, next]);
    });

    if (!isSqlite) return;

    test('leaves its wallet with its holders: who proves the mailbox then comes beside them, and waits', async () => {
      const holder = (holderId: string) => ({ holderId, walletId: `email:${MAIL.name}`, name: MAIL.name });
      const links = [{ network: 'base', address: newAddress(), source: 'keep' }] as const;
      const keep = async (holderId: string) =>
        people.confirm({ ...(await people.ready(MAIL, { keep: true })), links, holder: holder(holderId) });
      const holders = async () => {
        const held = await Promise.all(['chat:1', 'chat:2', 'chat:3'].map((id) => walletsSeenBy(books.store, id)));
        return held.map(({ length }) => length);
      };
      await keep('chat:1');
      await keep('chat:2');
      expect(await holders()).toEqual([1, 1, 0]);
      books.clock.nowMs += ADDRESS_LAPSE_MS;
      await keep('chat:3');
      expect(await holders()).toEqual([1, 1, 1]);
    });

    test('still counts for an account, which has one owner', async () => {
      const base = newAddress();
      await people.collect(ALICE, base);
      books.clock.nowMs += 2 * ADDRESS_LAPSE_MS;
      await books.pay({ payees: [ALICE] });
      expect(await books.payouts()).toMatchObject([{ toAddress: base }]);
    });
  });

  if (!isSqlite) return;

  test('what the worker is left with does not expire before it takes it up, however late the confirmation came', async () => {
    const { store, clock } = books;
    await books.pay({ payees: Array.from({ length: RELEASED_MAX + 3 }, () => ({ ...ALICE, amount: 10_000n })) });
    const { lines } = store.tables;
    const [{ expiresAtMs } = { expiresAtMs: 0 }] = await store.read.select().from(lines);
    clock.nowMs = expiresAtMs - 60_000;
    const base = newAddress();
    const claim = await people.ready(ALICE, { base });
    clock.nowMs = expiresAtMs + 60_000;
    await people.confirm({ ...claim, links: [toBase(base)] });
    expect(await expiredLines(store, clock.nowMs, 100)).toEqual([]);
    await limitsRound({
      store,
      transferIdOf: books.transferIdOf,
      now: () => clock.nowMs,
      log: pino({ level: 'silent' }),
    });
    expect(await books.payouts()).toHaveLength(RELEASED_MAX + 3);
  });
});
