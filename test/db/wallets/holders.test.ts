import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HOLDER_WAIT_MS, LAPSED_HOLDER_WAIT_MS } from '../../../core/wallets/holder-wait.ts';
import { ADDRESS_LAPSE_MS } from '../../../core/claims/claims.ts';
import { findWallet, payingWalletOf, watchedWallets } from '../../../bot/shared/wallets.ts';
import {
  dropOtherHolders,
  endWaitingHolders,
  leaveWallet,
  sessionsOf,
  walletsOfHolder,
  walletsSeenBy,
} from '../../../db/wallets/holders.ts';
import { idsOfPerson } from '../../../db/wallets/spending-locks.ts';
import { liveWallets } from '../../../db/identities/live-wallets.ts';
import { dueItems } from '../../../db/store/outbox.ts';
import { openBooks, type Books } from '../../support/books.ts';
import { onBothDatabases } from '../../support/postgres.ts';
import { createClaimants, newAddress, type Claimants } from '../claims/claimants.ts';

const ALICE = { name: 'alice', stableId: '1' };
const MAIL = { platform: 'email', name: 'a@example.com', stableId: 'a@example.com' } as const;
const WALLET = 'x:1';

let books: Books;
let people: Claimants;

/** In this browser, by the same proof as ever. */
async function prove(
  holderId: string,
  payout: { keep: true } | { open: true },
  person: typeof ALICE | typeof MAIL = ALICE,
) {
  const links = 'keep' in payout ? ([{ network: 'base', address: newAddress(), source: 'keep' }] as const) : [];
  const walletId = 'platform' in person ? `${person.platform}:${person.stableId}` : WALLET;
  const holder = { holderId, walletId, name: person.name };
  return people.confirm({ ...(await people.ready(person, payout)), links, holder });
}
const keep = (holderId: string) => prove(holderId, { keep: true });
const signIn = (holderId: string) => prove(holderId, { open: true });
const now = () => books.clock.nowMs;
const maySpend = async (userId: string) =>
  (await findWallet(books.store, { userId, walletId: WALLET }, now())) !== null;
const sees = async (holderId: string) => (await walletsSeenBy(books.store, holderId)).map(({ walletId }) => walletId);
const notices = async () =>
  (await dueItems(books.store, now(), 100)).filter(({ topic }) => topic === 'holder_added').length;

onBothDatabases((fresh) => {
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

  test('who signs in where nothing was ever kept only looks, and is not the first', async () => {
    await signIn('chat:thief');
    expect(await sees('chat:thief')).toEqual([WALLET]);
    await keep('chat:1');
    expect([await maySpend('chat:1'), await maySpend('chat:thief')]).toEqual([true, false]);
  });

  test('who keeps money first spends it at once, and who was in before waits from then on', async () => {
    await signIn('chat:thief');
    books.clock.nowMs += HOLDER_WAIT_MS;
    expect(await maySpend('chat:thief')).toBe(true);
    await books.pay({ payees: [{ name: 'alice', stableId: '1' }] });
    await keep('chat:1');
    expect([await maySpend('chat:1'), await maySpend('chat:thief')]).toEqual([true, false]);
    expect(await endWaitingHolders(books.store, { walletId: WALLET, holderId: 'chat:1' }, now())).toBe(1);
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

  describe('somebody new', () => {
    beforeEach(async () => {
      await keep('chat:1');
      await signIn('chat:new');
    });

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

    test('may leave, and the last place stays, so that nobody is the first twice', async () => {
      expect(await leaveWallet(books.store, { walletId: WALLET, holderId: 'chat:1' })).toBe(true);
      expect(await leaveWallet(books.store, { walletId: WALLET, holderId: 'chat:new' })).toBe(false);
      await signIn('chat:third');
      expect(await maySpend('chat:third')).toBe(false);
    });
  });

  test('a mailbox that nobody used for half a year shows, and moves nothing for a week', async () => {
    await prove('chat:1', { keep: true }, MAIL);
    books.clock.nowMs += ADDRESS_LAPSE_MS;
    await prove('chat:2', { open: true }, MAIL);
    const walletId = `email:${MAIL.name}`;
    const may = async () => (await findWallet(books.store, { userId: 'chat:2', walletId }, now())) !== null;
    expect([await sees('chat:2'), await may()]).toEqual([[walletId], false]);
    books.clock.nowMs += LAPSED_HOLDER_WAIT_MS - 1;
    expect(await may()).toBe(false);
    books.clock.nowMs += 1;
    expect(await may()).toBe(true);
  });
});
