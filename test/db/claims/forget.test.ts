import { like } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CLAIM_MS } from '../../../core/claims/claims.ts';
import { declineClaim } from '../../../db/claims/decline.ts';
import { FORGET_AFTER_MS, forgetClaims } from '../../../db/claims/forget.ts';
import { bindMails, lastMailAt, takeMail } from '../../../db/claims/mail-limit.ts';
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

  test('mails whose links are over and counts of past hours are forgotten, those of now are not', async () => {
    const { store, clock } = books;
    const caller = { name: 'ip 192.0.2.1', waitingMicroUsdc: null, hourMax: 3 };
    const take = (linkHash: string) =>
      takeMail(store, { address: 'a@example.com', linkHash, caller, dailyMax: null, nowMs: clock.nowMs });
    const { codeMails, counters } = store.tables;
    const left = async () => {
      const counted = await store.read.select().from(counters).where(like(counters.name, 'claim_mail:%'));
      const mails = await store.read.select().from(codeMails);
      return [counted.length, mails.map(({ linkHash }) => linkHash)];
    };
    await take('first');
    await forget();
    expect(await left()).toEqual([1, ['first']]);
    clock.nowMs += 3 * HOUR_MS;
    await take('second');
    await forget();
    expect(await left()).toEqual([1, ['second']]);
    expect(await take('third')).toMatchObject({ kind: 'refused' });
    clock.nowMs += 3 * HOUR_MS;
    await forget();
    expect(await left()).toEqual([0, []]);
  });

  test('mails go to an address once in ten minutes and five times an hour, of which strangers have four', async () => {
    const { store, clock } = books;
    const nowMs = clock.nowMs - (clock.nowMs % HOUR_MS);
    let count = 0;
    const take = (minute: number, isHolder: boolean) => {
      count += 1;
      const caller = { name: `caller ${count}`, waitingMicroUsdc: isHolder ? 1n : null, hourMax: 1 };
      const mail = { address: 'b@example.com', linkHash: `hash ${count}`, caller, dailyMax: null };
      return takeMail(store, { ...mail, nowMs: nowMs + minute * 60_000 });
    };
    const at = (minute: number) => ({ kind: 'refused', againAtMs: nowMs + minute * 60_000, limit: 'address' });
    const taken = { kind: 'taken' };
    expect([await take(0, false), await take(9, false), await take(10, false)]).toMatchObject([taken, at(10), taken]);
    expect([await take(20, false), await take(30, false), await take(40, false)]).toMatchObject([taken, taken, at(60)]);
    expect([await take(40, true), await take(50, true)]).toMatchObject([taken, at(60)]);
    expect(await take(60, true)).toMatchObject(taken);
  });

  test('a mail that was collected with keeps no other back, and is none that works in the next browser', async () => {
    const { store, clock } = books;
    const nowMs = clock.nowMs - (clock.nowMs % HOUR_MS);
    const address = 'd@example.com';
    let count = 0;
    const take = (minute: number) => {
      count += 1;
      const mail = { address, linkHash: `used ${count}`, caller: null, dailyMax: null };
      return takeMail(store, { ...mail, nowMs: nowMs + minute * 60_000 });
    };
    const collect = () => store.tx((db) => bindMails(db, store.tables, { address, browserId: 'phone' }));
    const lastIn = (browserId: string) => lastMailAt(store, { address, browserId }, nowMs + 60_000);
    await take(0);
    expect(await lastIn('laptop')).toBe(nowMs);
    await collect();
    expect([await lastIn('phone'), await lastIn('laptop')]).toEqual([nowMs, null]);
    expect([await take(1), await take(2)]).toMatchObject([{ kind: 'taken' }, { kind: 'refused' }]);
    for (const minute of [2, 3, 4]) {
      await collect();
      expect(await take(minute)).toMatchObject({ kind: 'taken' });
    }
    await collect();
    expect(await take(5)).toMatchObject({ kind: 'refused', againAtMs: nowMs + HOUR_MS });
  });

  test('of many who ask for a mail to one address at once one gets it', async () => {
    const { store, clock } = books;
    const mail = { address: 'c@example.com', dailyMax: null };
    const asked = Array.from({ length: 10 }, (_, index) =>
      takeMail(store, { ...mail, linkHash: `at once ${index}`, caller: null, nowMs: clock.nowMs }),
    );
    expect((await Promise.all(asked)).filter(({ kind }) => kind === 'taken')).toHaveLength(1);
  });
});
