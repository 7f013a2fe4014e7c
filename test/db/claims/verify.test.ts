import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CLAIM_MS } from '../../../core/claims/claims.ts';
import { findClaim, findOpenByOauthState } from '../../../db/claims/find.ts';
import { countTry, keepProof, takeProof } from '../../../db/claims/proof.ts';
import { rejectClaim } from '../../../db/claims/verify.ts';
import { waitingFor } from '../../../db/payments/records/waiting-lines.ts';
import { openBooks, START_MS, type Books } from '../../support/books.ts';
import { onBothDatabases } from '../../support/postgres.ts';
import { createClaimants, newAddress, type Claimants } from './claimants.ts';

const ALICE = { name: 'alice', stableId: '1' };
const KEEP = { keep: true } as const;

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

  const identities = () => books.store.read.select().from(books.store.tables.identities);
  const mine = async (claimId: string) => waitingFor(books.store, (await people.row(claimId))?.identityId ?? '');

  describe('who may stand for a name', () => {
    test('its owner who was paid sees what waits', async () => {
      await books.pay({ payees: [ALICE, { name: 'bob', stableId: '2' }] });
      const claimId = await people.open('alice', KEEP);
      expect(await people.prove(claimId, ALICE)).toBe('verified');
      expect(await people.row(claimId)).toMatchObject({ status: 'verified', provenKey: 'alice', proof: null });
      expect(await mine(claimId)).toEqual([{ network: 'base', amount: 1_000_000n }]);
    });

    test('a person who was paid under it and has another one now still may', async () => {
      await books.pay({ payees: [ALICE] });
      const renamed = { name: 'alicia', stableId: '1' };
      const first = await people.open('alice', KEEP);
      expect(await people.prove(first, renamed)).toBe('verified');
      // By now only the line knows the former name.
      expect((await identities()).map(({ key }) => key)).toEqual(['alicia']);
      const second = await people.open('alice', KEEP);
      expect(await people.prove(second, renamed)).toBe('verified');
      expect(await mine(second)).toEqual([{ network: 'base', amount: 1_000_000n }]);
    });

    test('is asked once, in time, of an open claim', async () => {
      const claimId = await people.open('alice', KEEP);
      const results = await Promise.all(Array.from({ length: 8 }, () => people.prove(claimId, ALICE)));
      expect(results.filter((result) => result === 'verified')).toHaveLength(1);
      const late = await people.open('alice', KEEP);
      books.clock.nowMs += CLAIM_MS;
      expect(await people.prove(late, ALICE)).toBe('not_open');
    });

    if (!isSqlite) return;

    test('another person may not, and nothing is remembered about them', async () => {
      await books.pay({ payees: [ALICE] });
      const claimId = await people.open('alice', KEEP);
      expect(await people.prove(claimId, { name: 'mallory', stableId: '9' })).toBe('wrong_account');
      const rejected = { status: 'rejected', rejectReason: 'wrong_account', identityId: null, provenKey: null };
      expect(await people.row(claimId)).toMatchObject(rejected);
      expect(await people.prove(claimId, ALICE)).toBe('not_open');
      expect((await identities()).map(({ stableId }) => stableId)).toEqual(['1']);
    });

    test('a person who took the name over gets what is theirs, and the former owner keeps the rest', async () => {
      await books.pay({ payees: [ALICE] });
      const taker = { name: 'alice', stableId: '9' };
      const claim = await people.ready(taker, { base: newAddress() });
      expect(await mine(claim.claimId)).toEqual([]);
      expect(await people.collect(taker, newAddress())).toMatchObject({ payoutIds: [] });
      const own = newAddress();
      expect(await people.collect({ name: 'alicia', stableId: '1' }, own)).toMatchObject({ kind: 'confirmed' });
      expect(await books.payouts()).toMatchObject([{ toAddress: own }]);
    });
  });

  describe('a line whose platform had not answered', () => {
    const pay = async () => {
      const { paymentId } = await books.pay({ payees: [{ name: 'alice', stableId: null }] });
      return async () => (await books.linesFor(paymentId))[0];
    };

    test('is the person’s who holds the name, and goes out with the confirmation', async () => {
      const line = await pay();
      await books.link(await books.meet('alice', '1'));
      const claim = await people.ready({ ...ALICE, sinceMs: START_MS - 1 }, { base: newAddress() });
      expect(await line()).toMatchObject({ status: 'escrowed', payoutId: null });
      expect(await mine(claim.claimId)).toEqual([{ network: 'base', amount: 1_000_000n }]);
      await people.confirm({ ...claim, links: [] });
      expect((await line())?.status).toBe('paying');
    });

    if (!isSqlite) return;

    test('goes back when the account is newer, or the name was seen with another', async () => {
      const newer = await pay();
      await people.ready({ ...ALICE, sinceMs: START_MS + 1 }, KEEP);
      expect(await newer()).toMatchObject({ status: 'returning', returnReason: 'newer_than_payment' });
      const other = await pay();
      await books.meet('alice', '1');
      await people.ready({ name: 'alice', stableId: '9' }, KEEP);
      expect(await other()).toMatchObject({ status: 'returning', returnReason: 'had_another_owner' });
    });

    test('is not for a former owner of the name', async () => {
      await books.meet('alice', '1');
      const line = await pay();
      const claimId = await people.open('alice', KEEP);
      expect(await people.prove(claimId, { name: 'alicia', stableId: '1' })).toBe('verified');
      expect((await line())?.status).toBe('resolving');
    });
  });

  describe('what a proof needs', () => {
    test('is handed out once, however many ask', async () => {
      const claimId = await people.open('alice', KEEP);
      expect(await takeProof(books.store, claimId)).toBeNull();
      expect(await keepProof(books.store, claimId, { state: 's' })).toBe(true);
      const taken = await Promise.all(Array.from({ length: 12 }, () => takeProof(books.store, claimId)));
      expect(taken.filter((proof) => proof !== null)).toEqual([{ state: 's' }]);
    });

    test('may be tried so often, also by many at once', async () => {
      const claimId = await people.open('alice', KEEP);
      const tries = await Promise.all(Array.from({ length: 12 }, () => countTry(books.store, claimId, 5)));
      expect(tries.filter(Boolean)).toHaveLength(5);
    });

    if (!isSqlite) return;

    test('is nothing once the claim is over', async () => {
      const claimId = await people.open('alice', KEEP);
      await keepProof(books.store, claimId, { state: 's' });
      expect(await rejectClaim(books.store, claimId, 'too_many_tries', START_MS)).toBe(true);
      expect([
        await rejectClaim(books.store, claimId, 'again', START_MS),
        await keepProof(books.store, claimId, {}),
        await countTry(books.store, claimId, 5),
        await takeProof(books.store, claimId),
      ]).toEqual([false, false, false, null]);
      expect(await findClaim(books.store, claimId)).toMatchObject({ rejectReason: 'too_many_tries', proof: null });
    });
  });

  test('a browser comes back for its own open claims of a platform, the newest first', async () => {
    const first = await people.open('alice', KEEP);
    books.clock.nowMs += 1;
    const second = await people.open('bob', KEEP);
    await people.open('carol', KEEP, 'code');
    await rejectClaim(books.store, await people.open('dave', KEEP), 'why', START_MS);
    const found = async (browserId = 'chat:mine', nowMs = START_MS + CLAIM_MS - 1) =>
      (await findOpenByOauthState(books.store, 'x', browserId, nowMs)).map(({ id }) => id);
    expect(await found()).toEqual([second, first]);
    expect(await found('chat:other')).toEqual([]);
    expect(await found('chat:mine', START_MS + CLAIM_MS)).toEqual([second]);
  });
});
