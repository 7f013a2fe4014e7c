import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HOLDER_WAIT_MS, LAPSED_HOLDER_WAIT_MS } from '../../../core/wallets/holder-wait.ts';
import { ADDRESS_LAPSE_MS, PROOF_FRESH_MS } from '../../../core/claims/claims.ts';
import { findWallet, payingWalletOf, walletsSeen, watchedWallets } from '../../../bot/shared/wallets.ts';
import {
  dropOtherHolders,
  endWaitingHolders,
  leaveWallet,
  sessionsOf,
  walletsOfHolder,
  walletsSeenBy,
} from '../../../db/wallets/holders.ts';
import { storePayoutSettings } from '../../../db/limits/settings.ts';
import { idsOfPerson } from '../../../db/wallets/spending-locks.ts';
import { liveWallets } from '../../../db/identities/live-wallets.ts';
import { dueItems } from '../../../db/store/outbox.ts';
import { openBooks, TREASURY, type Books } from '../../support/books.ts';
import { onBothDatabases } from '../../support/postgres.ts';
import { createClaimants, newAddress, type Claimants } from '../claims/claimants.ts';

const ALICE = { name: 'alice', stableId: '1' };
const MAIL = { platform: 'email', name: 'a@example.com', stableId: 'a@example.com' } as const;
const WALLET = 'x:1';

const DOLLAR = 1_000_000n;
/** All that is kept for a name lies at one address. */
const PURSE = newAddress();

let books: Books;
let people: Claimants;

/** In this browser, by the same proof as ever. */
async function prove(
  holderId: string,
  payout: { keep: true } | { open: true },
  person: typeof ALICE | typeof MAIL = ALICE,
) {
  const links = 'keep' in payout ? ([{ network: 'base', address: PURSE, source: 'keep' }] as const) : [];
  const walletId = 'platform' in person ? `${person.platform}:${person.stableId}` : WALLET;
  const holder = { holderId, walletId, name: person.name };
  return people.confirm({ ...(await people.ready(person, payout)), links, holder });
}
const leave = (holderId: string, walletId = WALLET) =>
  books.store.tx((db) => leaveWallet(db, books.store.tables, { walletId, holderId }, now()));
const keep = (holderId: string) => prove(holderId, { keep: true });
const signIn = (holderId: string) => prove(holderId, { open: true });
const now = () => books.clock.nowMs;
const maySpend = async (userId: string) =>
  (await findWallet(books.store, { userId, walletId: WALLET }, now())) !== null;
const sees = async (holderId: string) => (await walletsSeenBy(books.store, holderId)).map(({ walletId }) => walletId);
const notices = async () =>
  (await dueItems(books.store, now(), 100)).filter(({ topic }) => topic === 'holder_added').length;

onBothDatabases((fresh, isSqlite) => {
  beforeEach(async () => {
    books = await openBooks(await fresh());
    people = createClaimants(books);
  });
  afterEach(() => books.close());

  test.each([
    ['signs in', signIn],
    ['proves the name again and keeps money too', keep],
  ])(
    'a second browser that %s looks at once and spends a day later, and the others are told',
    async (_title, enter) => {
      await keep('chat:1');
      expect([await maySpend('chat:1'), await notices()]).toEqual([true, 0]);
      await enter('chat:2');
      const looks = async () => [
        await sees('chat:2'),
        await maySpend('chat:2'),
        (await walletsOfHolder(books.store, 'chat:2', now())).length,
        await payingWalletOf(books.store, 'chat:2', now()),
        (await watchedWallets(books.store, 'chat:2', now())).some(({ walletId }) => walletId === WALLET),
        (await idsOfPerson(books.store, 'chat:2', now())).includes(WALLET),
      ];
      expect(await looks()).toEqual([[WALLET], false, 0, 'chat:2', false, false]);
      expect([await maySpend('chat:1'), await notices()]).toEqual([true, 1]);
      books.clock.nowMs += HOLDER_WAIT_MS - 1;
      // A repeated proof makes it neither sooner nor later.
      await enter('chat:2');
      expect(await maySpend('chat:2')).toBe(false);
      books.clock.nowMs += 1;
      expect(await looks()).toEqual([[WALLET], true, 1, WALLET, true, true]);
    },
  );

  test('the first to keep money spends it at once, and earlier holders wait from then on', async () => {
    await signIn('chat:thief');
    books.clock.nowMs += HOLDER_WAIT_MS;
    expect(await maySpend('chat:thief')).toBe(true);
    await books.pay({ payees: [{ name: 'alice', stableId: '1' }] });
    await keep('chat:1');
    expect([await maySpend('chat:1'), await maySpend('chat:thief')]).toEqual([true, false]);
    expect(await endWaitingHolders(books.store, { walletId: WALLET, holderId: 'chat:1' }, now())).toBe(1);
  });

  describe('a stranger who keeps money that the full purse has no room for', () => {
    const spenders = async () =>
      (await sessionsOf(books.store, WALLET)).filter(({ fromMs }) => fromMs <= now()).map(({ holderId }) => holderId);
    /** The first dollar fills it. */
    const tip = () => books.pay({ payees: [{ name: 'alice', stableId: '1', amount: DOLLAR }] });
    const drop = (holderId: string) => dropOtherHolders(books.store, { walletId: WALLET, holderId }, now());
    beforeEach(() =>
      storePayoutSettings(books.store, {
        dailyMicroUsdc: { payer: null, recipient: null },
        purseMaxMicroUsdc: DOLLAR,
        treasuries: { base: TREASURY },
      }),
    );

    /** The owner goes on in another browser than the one that kept the first dollar. */
    async function moveOn(giveUp: () => Promise<boolean>): Promise<void> {
      await tip();
      await keep('chat:1');
      await signIn('chat:2');
      books.clock.nowMs += HOLDER_WAIT_MS;
      await signIn('chat:2');
      expect(await giveUp()).toBe(true);
      await tip();
      // As if what lies there had come past us.
      const { transfers } = books.store.tables;
      await books.store.tx((db) => db.update(transfers).set({ toAddress: newAddress() }));
    }

    test('waits where the owner kept before any came, and it came by itself', async () => {
      await keep('chat:1');
      await tip();
      await tip();
      await keep('chat:thief');
      expect(await spenders()).toEqual(['chat:1']);
    });

    if (!isSqlite) return;

    test.each([
      ['signed out', () => leave('chat:1')],
      ['was dropped', () => drop('chat:2')],
    ])('waits, also when the browser that kept the first of it %s', async (_title, giveUp) => {
      await moveOn(giveUp);
      await keep('chat:thief');
      expect(await spenders()).toEqual(['chat:2']);
    });

    test('CONTROL: where nobody remembers that money is kept there, spends at once, and the owner waits', async () => {
      await moveOn(() => leave('chat:1'));
      const { walletHolders } = books.store.tables;
      await books.store.tx((db) => db.update(walletHolders).set({ spendsFromMs: now() }));
      await keep('chat:thief');
      expect(await spenders()).toEqual(['chat:thief']);
    });

    test('CONTROL: is the first where none has come yet', async () => {
      await keep('chat:1');
      await books.store.tx((db) => db.delete(books.store.tables.wallets));
      await tip();
      await keep('chat:thief');
      expect(await spenders()).toEqual(['chat:thief']);
    });
  });

  describe('a new person', () => {
    beforeEach(async () => {
      await keep('chat:1');
      await signIn('chat:new');
    });

    test('may leave, and the last place that may spend stays, so that nobody is the first twice', async () => {
      expect(await leave('chat:1')).toBe(false);
      expect(await leave('chat:new')).toBe(true);
      await signIn('chat:new');
      books.clock.nowMs += HOLDER_WAIT_MS;
      expect([await leave('chat:1'), await leave('chat:new')]).toEqual([true, false]);
      await keep('chat:third');
      expect([await maySpend('chat:new'), await maySpend('chat:third')]).toEqual([true, false]);
    });

    if (!isSqlite) return;

    test('is ended by any place that may spend, and has to wait anew', async () => {
      expect(await endWaitingHolders(books.store, { walletId: WALLET, holderId: 'chat:1' }, now())).toBe(1);
      expect([await sees('chat:new'), await sees('chat:1')]).toEqual([[], [WALLET]]);
      books.clock.nowMs += HOLDER_WAIT_MS - 1;
      await signIn('chat:new');
      books.clock.nowMs += 1;
      expect(await maySpend('chat:new')).toBe(false);
      // It is told of again.
      expect(await notices()).toBe(2);
    });

    test('ends nobody and drops nobody, however fresh the proof', async () => {
      await signIn('chat:other');
      const own = { walletId: WALLET, holderId: 'chat:new' };
      expect(await endWaitingHolders(books.store, own, now())).toBe(0);
      expect(await dropOtherHolders(books.store, own, now())).toBe(false);
      expect((await sessionsOf(books.store, WALLET)).map(({ holderId }) => holderId).toSorted()).toEqual([
        'chat:1',
        'chat:new',
        'chat:other',
      ]);
    });
  });

  test('a mailbox that nobody used for half a year shows and moves nothing for a week', async () => {
    await prove('chat:1', { keep: true }, MAIL);
    books.clock.nowMs += ADDRESS_LAPSE_MS;
    await prove('chat:2', { open: true }, MAIL);
    const walletId = `email:${MAIL.name}`;
    const may = async () => (await findWallet(books.store, { userId: 'chat:2', walletId }, now())) !== null;
    const looks = async (userId: string) =>
      (await walletsSeen(books.store, userId, now())).some((seen) => seen.walletId === walletId);
    expect([await looks('chat:1'), await looks('chat:2'), await may()]).toEqual([true, false, false]);
    books.clock.nowMs += LAPSED_HOLDER_WAIT_MS - 1;
    await prove('chat:2', { open: true }, MAIL);
    expect([await looks('chat:2'), await may()]).toEqual([false, false]);
    books.clock.nowMs += 1;
    expect([await looks('chat:2'), await may()]).toEqual([true, true]);
  });

  describe('a mailbox that nobody used for half a year', () => {
    const walletId = `email:${MAIL.name}`;
    const spends = async (userId: string) => (await findWallet(books.store, { userId, walletId }, now())) !== null;
    beforeEach(async () => {
      await books.pay({ payees: [{ platform: 'email', name: MAIL.name, stableId: MAIL.name }] });
      await prove('chat:1', { keep: true }, MAIL);
      books.clock.nowMs += ADDRESS_LAPSE_MS;
    });

    test('is not taken from its holders at once, who are told and can end the newcomer', async () => {
      await books.pay({ payees: [{ platform: 'email', name: MAIL.name, stableId: MAIL.name }] });
      await prove('chat:new', { keep: true }, MAIL);
      expect([await spends('chat:1'), await spends('chat:new'), await notices()]).toEqual([true, false, 1]);
      expect(await endWaitingHolders(books.store, { walletId, holderId: 'chat:1' }, now())).toBe(1);
    });

    if (!isSqlite) return;

    test.each([
      ['keeps money there', () => prove('chat:new', { keep: true }, MAIL)],
      ['gives an address of their own', () => people.collect(MAIL, newAddress())],
    ])('is no quicker the second time after who comes first %s', async (_title, first) => {
      await first();
      await leave('chat:new', walletId);
      await prove('chat:again', { open: true }, MAIL);
      books.clock.nowMs += LAPSED_HOLDER_WAIT_MS - 1;
      expect(await spends('chat:again')).toBe(false);
      books.clock.nowMs += 1;
      expect(await spends('chat:again')).toBe(true);
    });

    test('is lapsed only for who could spend: one that just keeps a first sum there waits no week', async () => {
      const fresh = { ...MAIL, name: 'b@example.com', stableId: 'b@example.com' };
      await prove('chat:1', { open: true }, fresh);
      await books.pay({ payees: [{ platform: 'email', name: fresh.name, stableId: fresh.name }] });
      await prove('chat:1', { keep: true }, fresh);
      const own = { userId: 'chat:1', walletId: `email:${fresh.name}` };
      expect(await findWallet(books.store, own, now())).not.toBeNull();
    });
  });

  test('a holder who came while nothing was kept keeps nobody out without a fresh proof, and is dropped in the end', async () => {
    await keep('chat:first');
    books.clock.nowMs += PROOF_FRESH_MS;
    await signIn('chat:owner');
    const first = { walletId: WALLET, holderId: 'chat:first' };
    expect(await endWaitingHolders(books.store, first, now())).toBeNull();
    expect(await sees('chat:owner')).toEqual([WALLET]);
    books.clock.nowMs += HOLDER_WAIT_MS;
    await signIn('chat:owner');
    expect(await dropOtherHolders(books.store, { walletId: WALLET, holderId: 'chat:owner' }, now())).toBe(true);
    expect([await maySpend('chat:first'), await maySpend('chat:owner')]).toEqual([false, true]);
  });

  if (!isSqlite) return;

  test('a holder who signs in where nothing was ever kept only looks, and is not the first', async () => {
    await signIn('chat:thief');
    expect(await sees('chat:thief')).toEqual([WALLET]);
    await keep('chat:1');
    expect([await maySpend('chat:1'), await maySpend('chat:thief')]).toEqual([true, false]);
  });

  test('signing in does not change where money goes', async () => {
    await people.collect(ALICE, newAddress());
    await keep('chat:1');
    const identity = await books.meet('alice', '1');
    const goes = () => liveWallets(books.store.read, books.store.tables, identity, now());
    const before = await goes();
    await signIn('chat:2');
    expect(await goes()).toEqual(before);
  });
});
