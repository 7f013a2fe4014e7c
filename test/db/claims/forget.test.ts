import { like } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CLAIM_MS } from '../../../core/claims/claims.ts';
import { declineClaim } from '../../../db/claims/decline.ts';
import { FORGET_AFTER_MS, forgetClaims } from '../../../db/claims/forget.ts';
import { takeMail } from '../../../db/claims/mail-limit.ts';
import { openBooks, type Books } from '../../support/books.ts';
import { onBothDatabases } from '../../support/postgres.ts';
import { createClaimants, newAddress, toBase, type Claimants } from './claimants.ts';

const ALICE = { name: 'alice', stableId: '1' };
const HOUR_MS = 3_600_000;

let books: Books;
let people: Claimants;

onBothDatabases((fresh) => {
  beforeEach(async () => {
    books = await openBooks(await fresh());
    people = createClaimants(books);
  });
  afterEach(async () => {
    await books.assertSound();
    await books.close();
  });

  const forget = () => forgetClaims(books.store, books.clock.nowMs);

  test('a claim that came to nothing is forgotten a week after its time, what was confirmed is not', async () => {
    const { store, clock } = books;
    const base = newAddress();
    const confirmed = await people.ready(ALICE, { base });
    await people.confirm({ ...confirmed, links: [toBase(base)] });
    const declined = await people.ready(ALICE, { decline: true });
    await declineClaim(store, { ...declined, optOut: false }, clock.nowMs);
    const verified = await people.ready(ALICE, { keep: true });
    const open = await people.open('bob', { keep: true });
    const all = [confirmed.claimId, declined.claimId, verified.claimId, open];
    const left = async () => {
      const rows = await Promise.all(all.map((id) => people.row(id)));
      return rows.map((row) => row !== undefined);
    };
    clock.nowMs += CLAIM_MS + FORGET_AFTER_MS - 1;
    expect([await forget(), await left()]).toEqual([0, [true, true, true, true]]);
    clock.nowMs += 1;
    expect([await forget(), await left()]).toEqual([3, [true, false, false, false]]);
    expect(await forget()).toBe(0);
  });

  test('mails of past hours and days are counted no longer, those of now are', async () => {
    const { store, clock } = books;
    const limits = { perAddressHourMax: 3, perAddressDayMax: 3, perIpHourMax: 3 };
    const take = () => takeMail(store, { address: 'a@example.com', ip: '192.0.2.1', nowMs: clock.nowMs }, limits);
    const { counters } = store.tables;
    const names = async () => {
      const rows = await store.read.select().from(counters).where(like(counters.name, 'claim_mail:%'));
      return rows.map(({ name }) => name.split(':')[1] ?? '').toSorted();
    };
    await take();
    await forget();
    expect(await names()).toEqual(['day', 'hour', 'ip']);
    clock.nowMs += 3 * HOUR_MS;
    await take();
    await forget();
    expect(await names()).toEqual(['day', 'hour', 'ip']);
    expect([await take(), await take()]).toEqual([true, false]);
    clock.nowMs += 72 * HOUR_MS;
    await forget();
    expect(await names()).toEqual([]);
  });
});
