import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findWallet, watchedWallets } from '../../../bot/shared/wallets.ts';
import { REPLACEMENT_WAIT_MS } from '../../../core/claims/claims.ts';
import { microUsdc } from '../../../core/money.ts';
import { HOLDER_WAIT_MS } from '../../../core/wallets/holder-wait.ts';
import { RAISE_WAIT_MS } from '../../../core/wallets/spending-limits.ts';
import { ADDRESS_WAIT_MS, isKnownAddress } from '../../../core/wallets/withdrawal-wait.ts';
import { applyDueChanges } from '../../../db/claims/changes.ts';
import { ensureUser } from '../../../db/chats/users.ts';
import { beginWaitsAnew } from '../../../db/operator/safety.ts';
import { readCounter } from '../../../db/store/counters.ts';
import { stopSigning } from '../../../db/store/stops.ts';
import { dueItems } from '../../../db/store/outbox.ts';
import { addHolder, sessionsOf } from '../../../db/wallets/holders.ts';
import { PASSKEY_WAIT_MS, WITHOUT_PASSKEY_MS } from '../../../core/wallets/passkeys.ts';
import { passkeysOf } from '../../../db/wallets/passkeys.ts';
import { endLocks, findLock, lockSpending } from '../../../db/wallets/spending-locks.ts';
import { callOff } from '../../../db/withdrawals/cancel.ts';
import { findWithdrawal } from '../../../db/withdrawals/find.ts';
import { atOnceCounter, openCounter } from '../../../db/withdrawals/limits.ts';
import { requestWithdrawal } from '../../../db/withdrawals/request.ts';
import { addressStanding } from '../../../db/withdrawals/standing.ts';
import { openBooks, START_MS, type Books } from '../../support/books.ts';

const HOUR_MS = 3_600_000;
const NOW_MS = START_MS + HOUR_MS;
const WALLET = 'x:7';
const ADDRESS = `0x${'ab'.repeat(20)}`;

let books: Books;
let keys = 0;
beforeEach(async () => {
  books = await openBooks();
});
afterEach(() => books.close());

const restart = () => books.store.tx((db) => beginWaitsAnew(db, books.store, NOW_MS));

async function request(amount: bigint, toAddress = ADDRESS): Promise<string> {
  keys += 1;
  const id = keys.toString(16).padStart(32, '0');
  const place = { network: 'base' as const, fromAddress: `0x${'cd'.repeat(20)}`, toAddress };
  const asked = { id, holderId: 'chat:1', requestKey: `${keys}`, walletId: WALLET, amountMicroUsdc: microUsdc(amount) };
  await requestWithdrawal(books.store, { ...asked, ...place, nowMs: START_MS });
  return id;
}

const hold = (holderId: string, atMs: number) =>
  books.store.tx((db) =>
    addHolder(db, books.store.tables, { holderId, walletId: WALLET, identityId: 'id', name: 'x:alice' }, atMs),
  );

const reconciled = () =>
  books.store.tx((db) => db.insert(books.store.tables.reconciliations).values({ noticedAtMs: START_MS, atMs: NOW_MS }));

describe('a withdrawal that these books believe asked for', () => {
  test.each([
    ['waits', 20_000_000n],
    ['could leave at once', 5_000_000n],
  ])('and that %s waits in full again, and its holders are told again', async (_what, amount) => {
    const id = await request(amount);
    await hold('discord:1', START_MS);
    const { outbox } = books.store.tables;
    await books.store.tx((db) => db.update(outbox).set({ doneAtMs: START_MS }));
    await restart();
    const row = await findWithdrawal(books.store, id);
    expect(row).toMatchObject({ notBeforeMs: NOW_MS + ADDRESS_WAIT_MS, countedOn: null, status: 'requested' });
    const events = await books.store.read.select().from(outbox);
    const again = events.filter(({ doneAtMs }) => doneAtMs === null).map(({ topic }) => topic);
    expect(again.toSorted()).toEqual(['withdrawal_notice', 'withdrawal_requested']);
    const open = (isPutOff: boolean) => readCounter(books.store, openCounter(WALLET, isPutOff));
    expect([await open(false), await open(true)]).toEqual([0n, 1n]);
    expect(await readCounter(books.store, atOnceCounter(WALLET, '2027-01-15'))).toBe(0n);
    expect((await callOff(books.store, { walletId: WALLET }, NOW_MS)).ended).toHaveLength(1);
    expect([await open(false), await open(true)]).toEqual([0n, 0n]);
  });

  test('and that the passkey of the wallet has not agreed to waits as long as it would without a restore', async () => {
    const { passkeys } = books.store.tables;
    const key = { walletId: WALLET, identityId: 'id', publicKey: 'key', counter: 0, transports: [], addedBy: 'chat:1' };
    const waited = { createdAtMs: START_MS - 2, holdsFromMs: START_MS - 1, endsAtMs: null };
    await books.store.tx((db) => db.insert(passkeys).values({ id: 'waited', ...key, ...waited }));
    const id = await request(20_000_000n);
    expect(await findWithdrawal(books.store, id)).toMatchObject({ notBeforeMs: START_MS + WITHOUT_PASSKEY_MS });
    await restart();
    expect(await findWithdrawal(books.store, id)).toMatchObject({ notBeforeMs: NOW_MS + WITHOUT_PASSKEY_MS });
  });

  test('to an address that was known has an address that is known in a day', async () => {
    const id = await request(5_000_000n);
    const { walletWithdrawals } = books.store.tables;
    await books.store.tx((db) => db.update(walletWithdrawals).set({ notifiedAtMs: 1, status: 'paid' }));
    await restart();
    const place = { walletId: WALLET, network: 'base' as const, toAddress: ADDRESS };
    const standing = await addressStanding(books.store.read, books.store.tables, place);
    expect(await findWithdrawal(books.store, id)).toMatchObject({ status: 'paid' });
    expect([isKnownAddress(standing, NOW_MS), isKnownAddress(standing, NOW_MS + ADDRESS_WAIT_MS)]).toEqual([
      false,
      true,
    ]);
  });
});

test('a raised limit begins its wait anew, also one that held, and a lower one stays', async () => {
  const { walletLimits } = books.store.tables;
  const limits = { tip: { now: '1000000', raise: { to: '5000000', atMs: START_MS } }, day: { now: '2000000' } };
  const changed = { limits, revision: 1, changedBy: 'chat:1', changedAtMs: 1 };
  await books.store.tx((db) => db.insert(walletLimits).values({ walletId: WALLET, ...changed }));
  await restart();
  const [row] = await books.store.read.select().from(walletLimits);
  const raise = { to: '5000000', atMs: NOW_MS + RAISE_WAIT_MS };
  expect(row).toMatchObject({ limits: { tip: { now: '1000000', raise }, day: { now: '2000000' } }, revision: 2 });
});

test('a new address begins its wait anew, and counts for nobody before the books are reconciled', async () => {
  const { walletChanges } = books.store.tables;
  const identityId = await books.meet('alice', '1');
  const change = { identityId, network: 'base' as const, address: ADDRESS, source: 'claim', claimId: 'c' };
  await books.store.tx((db) => db.insert(walletChanges).values({ ...change, effectiveAtMs: START_MS }));
  await stopSigning(books.store, { reason: 'database_restored', network: 'all', detail: 'a test' }, START_MS);
  const apply = (nowMs: number) => applyDueChanges(books.store, { transferIdOf: books.transferIdOf, nowMs });
  expect(await apply(NOW_MS)).toBe(0);
  await books.store.tx((db) => db.delete(books.store.tables.signingStops));
  await restart();
  expect(await apply(NOW_MS + REPLACEMENT_WAIT_MS - 1)).toBe(0);
  expect(await apply(NOW_MS + REPLACEMENT_WAIT_MS)).toBe(1);
});

test('every personal wallet is locked for tips until its person unlocks it, whatever end its lock had', async () => {
  await ensureUser(books.store, { id: 'chat:1', transport: 'web', walletAddress: ADDRESS, createdAtMs: 1 });
  await hold('chat:1', START_MS);
  await lockSpending(books.store, [WALLET], { lockedBy: 'chat:1', nowMs: 1 });
  await endLocks(books.store, [WALLET], { untilMs: 2, nowMs: 1 });
  await restart();
  const lockOf = (walletId: string) =>
    findLock(books.store.read, books.store.tables, { userId: 'chat:9', walletId }, NOW_MS);
  expect([await lockOf(WALLET), await lockOf('chat:1'), await lockOf('chat:2')]).toEqual([
    { untilMs: null },
    { untilMs: null },
    null,
  ]);
});

test('a holder who came after the first only looks again, and the others are told again', async () => {
  await hold('chat:1', START_MS);
  const later = (holderId: string, spendsFromMs: number) =>
    books.store.tx((db) => {
      const holder = { holderId, walletId: WALLET, identityId: 'id', name: 'x:alice' };
      return addHolder(db, books.store.tables, holder, START_MS, spendsFromMs);
    });
  await later('chat:2', START_MS + 1);
  await later('chat:3', NOW_MS + 3 * HOLDER_WAIT_MS);
  await restart();
  const sessions = await sessionsOf(books.store, WALLET);
  expect(new Map(sessions.map(({ holderId, fromMs }) => [holderId, fromMs]))).toEqual(
    new Map([
      ['chat:1', 0],
      ['chat:2', NOW_MS + HOLDER_WAIT_MS],
      ['chat:3', NOW_MS + 3 * HOLDER_WAIT_MS],
    ]),
  );
  const told = (await dueItems(books.store, NOW_MS, 100)).filter(({ topic }) => topic === 'holder_added');
  expect(told).toHaveLength(2);
});

test('a passkey that had to wait waits again and is told of again, one that was to go stays, and one that was given up before is gone', async () => {
  await hold('chat:1', START_MS);
  const { passkeys } = books.store.tables;
  const key = { walletId: WALLET, identityId: 'id', publicKey: 'key', counter: 0, transports: [], addedBy: 'chat:1' };
  const times = { createdAtMs: START_MS, holdsFromMs: START_MS, endsAtMs: null };
  await books.store.tx((db) =>
    db.insert(passkeys).values([
      { id: 'at once', ...key, ...times, endsAtMs: NOW_MS + 1 },
      { id: 'waited', ...key, ...times, holdsFromMs: START_MS + 1 },
      { id: 'ended a moment ago', ...key, ...times, endsAtMs: NOW_MS - 1 },
      { id: 'given up before', ...key, ...times, endsAtMs: NOW_MS - WITHOUT_PASSKEY_MS },
    ]),
  );
  await restart();
  const rows = await passkeysOf(books.store.read, books.store.tables, WALLET, NOW_MS);
  expect(rows.map(({ id, holdsFromMs, endsAtMs }) => [id, holdsFromMs, endsAtMs])).toEqual([
    ['at once', START_MS, null],
    ['ended a moment ago', START_MS, null],
    ['waited', NOW_MS + PASSKEY_WAIT_MS, null],
  ]);
  const told = (await dueItems(books.store, NOW_MS, 100)).filter(({ topic }) => topic === 'passkey_changed');
  expect(told).toHaveLength(1);
});

test('a kept wallet is proven again before anything leaves it, and what leaves may be called off without', async () => {
  await hold('chat:1', START_MS);
  const mayPay = async () => (await findWallet(books.store, { userId: 'chat:1', walletId: WALLET }, NOW_MS)) !== null;
  const mayCallOff = async () =>
    (await watchedWallets(books.store, 'chat:1', NOW_MS)).some(({ walletId }) => walletId === WALLET);
  expect([await mayPay(), await mayCallOff()]).toEqual([true, true]);
  await reconciled();
  expect([await mayPay(), await mayCallOff()]).toEqual([false, true]);
  await hold('chat:1', NOW_MS + 1);
  expect([await mayPay(), await mayCallOff()]).toEqual([true, true]);
});

test("an account's own wallet needs no new proof", async () => {
  const own = { holderId: 'discord:1', walletId: 'discord:1', identityId: 'id', name: 'discord:1' };
  await books.store.tx((db) => addHolder(db, books.store.tables, own, START_MS));
  await reconciled();
  expect(await findWallet(books.store, { userId: 'discord:1', walletId: 'discord:1' }, NOW_MS)).not.toBeNull();
});

test('an address of a treasury counts a day after the books were reconciled, and a cancelled one never', async () => {
  const { treasuryAddresses } = books.store.tables;
  const place = { walletId: 'discord-guild:1', network: 'base' as const, address: ADDRESS, setBy: '1' };
  const said = { transport: 'discord', chatId: '1', messageId: '1', setAtMs: 1, announcedAtMs: 1 };
  const row = (id: string) => ({ id, requestKey: id, ...place, ...said });
  await books.store.tx((db) =>
    db.insert(treasuryAddresses).values([row('a'), { ...row('b'), cancelledBy: '1', cancelledAtMs: 2 }]),
  );
  await restart();
  const announced = async (id: string) => {
    const [found] = await books.store.read.select().from(treasuryAddresses).where(eq(treasuryAddresses.id, id));
    return found?.announcedAtMs;
  };
  expect([await announced('a'), await announced('b')]).toEqual([NOW_MS, 1]);
});
