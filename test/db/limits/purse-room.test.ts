import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { microUsdc } from '../../../core/money.ts';
import { PURSE_RETRY_MS, purseRoom, roomWithin, type PurseRooms } from '../../../db/limits/purse-room.ts';
import { storePayoutSettings } from '../../../db/limits/settings.ts';
import { claimProgress } from '../../../db/payments/records/waiting-lines.ts';
import { linkWallet, RELEASED_MAX, storeWallet } from '../../../db/transfers/link-wallet.ts';
import { payWaitingLine } from '../../../db/transfers/waiting.ts';
import { requestWithdrawal } from '../../../db/withdrawals/request.ts';
import { markWithdrawalSigned } from '../../../db/withdrawals/signed.ts';
import { limitsRound } from '../../../worker/limits.ts';
import { createClaimants } from '../claims/claimants.ts';
import { openBooks, type Books } from '../../support/books.ts';
import { payableOf } from '../../support/transfers/payable.ts';
import { onBothDatabases } from '../../support/postgres.ts';

const DOLLAR = 1_000_000n;
const PURSE = `0x${'ab'.repeat(20)}`;
const OWN = `0x${'cd'.repeat(20)}`;
const ALICE = { name: 'alice', stableId: '1' };
const LINK = { network: 'base', address: PURSE, source: 'keep' } as const;

let books: Books;
let identityId: string;

const most = (dollars: bigint | null) =>
  storePayoutSettings(books.store, {
    dailyMicroUsdc: { payer: null, recipient: null },
    purseMaxMicroUsdc: dollars === null ? null : dollars * DOLLAR,
    treasuries: {},
  });
const keep = () => link({});
const link = (change: { address?: string; source?: 'claim' }) =>
  linkWallet(books.store, { identityId, ...LINK, ...change }, books.transferIdOf, books.clock.nowMs);
const send = (...dollars: bigint[]) =>
  books.pay({ payees: dollars.map((each) => ({ ...ALICE, amount: each * DOLLAR })) });
const due = (limit = 10) => payableOf(books, limit);
const payNow = (txnId: number) => payWaitingLine(books.store, txnId, books.transferIdOf, books.clock.nowMs);
const idOf = ({ lines: [line] }: Awaited<ReturnType<typeof send>>) => line?.txnId ?? 0;
/** Stores an address, and leaves what waits where it is. */
const place = (stored: Parameters<typeof storeWallet>[2]) =>
  books.store.tx((db) => storeWallet(db, books.store.tables, stored, books.clock.nowMs));
/** A line that waits although its person has an address of their own. */
async function sendToBob(): Promise<number> {
  const sent = idOf(await books.pay({ payees: [{ name: 'bob', stableId: '2', amount: DOLLAR }] }));
  const bob = { ...LINK, identityId: await books.meet('bob', '2'), address: OWN, source: 'claim' };
  await place(bob);
  return sent;
}
const amounts = async () => (await books.payouts()).map(({ amountMicroUsdc }) => amountMicroUsdc / DOLLAR);
const round = () =>
  limitsRound({
    store: books.store,
    transferIdOf: books.transferIdOf,
    now: () => books.clock.nowMs,
    log: pino({ level: 'silent' }),
  });

onBothDatabases((fresh, isSqlite) => {
  beforeEach(async () => {
    books = await openBooks(await fresh());
    identityId = await books.meet('alice', '1');
  });
  afterEach(async () => {
    await books.assertSound();
    await books.close();
  });

  describe('a purse', () => {
    test('takes what fits; the rest waits, and comes once something has left', async () => {
      await most(10n);
      await keep();
      for (const dollars of [6n, 5n, 4n]) await send(dollars);
      expect(await amounts()).toEqual([6n, 4n]);
      await books.pay({ payer: PURSE, payees: [{ name: 'bob', stableId: '2', amount: 5n * DOLLAR }] });
      await round();
      expect(new Set(await amounts())).toEqual(new Set([4n, 5n, 6n]));
      await send(1n);
      expect(await amounts()).toHaveLength(3);
    });

    test('that was full never comes before a person with their own address, nor does a closed one', async () => {
      await most(1n);
      await keep();
      const waits = idOf(await send(5n));
      await round();
      books.clock.nowMs += PURSE_RETRY_MS;
      const bobs = await sendToBob();
      expect(await due(1)).toEqual([bobs]);
      expect(await due()).toEqual([bobs, waits]);
      await most(0n);
      expect(await due()).toEqual([bobs]);
    });

    test('looks at the smallest next, so that what is too much hides nothing that fits', async () => {
      await most(0n);
      await keep();
      await send(5n, 6n);
      books.clock.nowMs += 1;
      const fits = idOf(await send(1n));
      await most(1n);
      for (const txnId of await due(2)) expect(await payNow(txnId)).toBeNull();
      // One of a round that is too much spares the round the sums for the others.
      expect(await payNow(fits)).toBeNull();
      books.clock.nowMs += PURSE_RETRY_MS;
      expect(await due(1)).toEqual([fits]);
      expect(await payNow(fits)).not.toBeNull();
    });

    test('is as empty as its address, also after a network of it has another one', async () => {
      const { store, clock } = books;
      await most(10n);
      await keep();
      await place({ identityId, ...LINK, network: 'polygon' });
      await send(10n);
      const id = 'ee'.repeat(16);
      await requestWithdrawal(store, {
        id,
        holderId: 'chat:alice',
        requestKey: id,
        walletId: 'x:1',
        network: 'base',
        fromAddress: PURSE,
        toAddress: OWN,
        amountMicroUsdc: microUsdc(10n * DOLLAR),
        nowMs: clock.nowMs,
      });
      await markWithdrawalSigned(store, id, { generation: 0, nonce: '0x1', validBefore: 1, signature: '0x51' });
      await link({ address: OWN, source: 'claim' });
      const settings = { purseMaxMicroUsdc: 10n * DOLLAR };
      expect(await purseRoom(store.read, store.tables, identityId, settings)).toBe(10n * DOLLAR);
    });

    test('of two at once takes the one that it has room for', async () => {
      await most(1n);
      const [one, two] = await waitingLines();
      await most(10n);
      const made = await Promise.all([payNow(one), payNow(two)]);
      expect(made.filter((id) => id !== null)).toHaveLength(1);
      expect(await amounts()).toEqual([6n]);
    });

    test('asked outside the transaction would take both: the control of the one before', async () => {
      await most(1n);
      const lines = await waitingLines();
      await most(10n);
      const { store, clock, transferIdOf } = books;
      const settings = { purseMaxMicroUsdc: 10n * DOLLAR };
      const rooms = await Promise.all(lines.map(() => purseRoom(store.read, store.tables, identityId, settings)));
      await most(null);
      for (const [index, txnId] of lines.entries()) {
        if ((rooms[index] ?? 0n) >= 6n * DOLLAR) await payWaitingLine(store, txnId, transferIdOf, clock.nowMs);
      }
      expect(await amounts()).toEqual([6n, 6n]);
    });

    if (!isSqlite) return;

    test('takes what fits of one payment, its books summed up once', async () => {
      const { store } = books;
      await most(10n);
      await keep();
      await send(6n, 5n, 4n, 1n);
      expect(new Set(await amounts())).toEqual(new Set([6n, 4n]));
      const rooms: PurseRooms = new Map();
      const settings = { dailyMicroUsdc: { payer: null, recipient: null }, treasuries: {} };
      const asked = { identityId, addresses: [PURSE], settings: { ...settings, purseMaxMicroUsdc: 11n * DOLLAR } };
      const room = () => roomWithin(store.read, store.tables, rooms, asked);
      expect(await room()).toBe(DOLLAR);
      const next = idOf(await send(1n));
      await most(11n);
      expect(await payNow(next)).not.toBeNull();
      expect(await room()).toBe(DOLLAR);
    });

    test('without a limit takes all, and a closed one nothing new', async () => {
      await most(null);
      await keep();
      await send(5_000n);
      await most(0n);
      await send(1n);
      expect(await amounts()).toEqual([5_000n]);
      // What was sent out of it makes no room in a closed one.
      await books.pay({ payer: PURSE, payees: [{ name: 'bob', stableId: '2', amount: 6_000n * DOLLAR }] });
      await round();
      expect(await amounts()).toEqual([5_000n]);
    });

    test('that is full holds nothing back from an address of the person’s own', async () => {
      await most(1n);
      await keep();
      await send(5n);
      expect(await amounts()).toEqual([]);
      await link({ address: OWN, source: 'claim' });
      expect((await books.payouts()).map(({ toAddress }) => toAddress)).toEqual([OWN]);
    });

    test('that is full stands back, so that its lines are not before what can be paid', async () => {
      await most(1n);
      await keep();
      await send(5n);
      expect(await due()).toHaveLength(1);
      await round();
      expect(await due()).toEqual([]);
      books.clock.nowMs += PURSE_RETRY_MS;
      expect(await due()).toHaveLength(1);
    });

    test('stands back only where it is full, and its next address not at all', async () => {
      const { store, clock } = books;
      const fullUntil = async () => (await store.read.select().from(store.tables.wallets))[0]?.fullUntilMs;
      await most(10n);
      await place({ identityId, ...LINK, network: 'polygon' });
      const waits = idOf(await send(5n));
      expect(await payNow(waits)).toBeNull();
      expect(await fullUntil()).toBeNull();
      await most(1n);
      expect(await payNow(waits)).toBeNull();
      expect(await fullUntil()).toBe(clock.nowMs + PURSE_RETRY_MS);
      await place({ identityId, ...LINK, network: 'polygon', address: OWN });
      expect(await fullUntil()).toBeNull();
    });

    test('without room lets no claim hold money back from its payer; with room it does not expire', async () => {
      const { store, clock } = books;
      await most(1n);
      // More than one transaction pays out stand before the one that fits: it is left to the worker.
      const [sent] = (await send(...Array.from({ length: RELEASED_MAX }, () => 5n))).lines;
      clock.nowMs += 1;
      const fits = idOf(await send(1n));
      const untilMs = sent?.expiresAtMs ?? 0;
      clock.nowMs = untilMs - 60_000;
      const people = createClaimants(books);
      await people.confirm({ ...(await people.ready(ALICE, { keep: true })), links: [LINK] });
      const rows = await store.read.select().from(store.tables.lines);
      const extended = rows.filter(({ expiresAtMs }) => expiresAtMs > untilMs + 1);
      expect(extended.map(({ txnId }) => txnId)).toEqual([fits]);
    });

    test('without room is what a claim says it waits for', async () => {
      await most(1n);
      await send(5n);
      const people = createClaimants(books);
      const claim = await people.ready(ALICE, { keep: true });
      await people.confirm({ ...claim, links: [LINK] });
      const purse = { networks: ['base'], room: DOLLAR, maxMicroUsdc: DOLLAR } as const;
      const told = await claimProgress(books.store, { claimId: claim.claimId, reached: ['base'], purse });
      expect(told).toMatchObject({ isPaid: false, waitsForRoute: { purseMaxMicroUsdc: DOLLAR } });
    });
  });

  async function waitingLines(): Promise<[number, number]> {
    await keep();
    const sent = [await send(6n), await send(6n)];
    const [one, two] = sent.flatMap(({ lines }) => lines.map(({ txnId }) => txnId));
    if (one === undefined || two === undefined) throw new Error('each payment has a line');
    return [one, two];
  }
});
