import { afterEach, beforeEach, expect, test } from 'vitest';
import { createWithdrawals, HEAR_FIRST_MS } from '../../../bot/wallets/withdrawals.ts';
import type { Runner } from '../../../queue/runner.ts';
import { createSigner } from '../../../bot/signing/signer.ts';
import type { Store } from '../../../db/store/store.ts';
import { callOff } from '../../../db/withdrawals/cancel.ts';
import { markUnsentDead } from '../../../db/withdrawals/end.ts';
import { waitsForAccountUntil } from '../../../db/withdrawals/find.ts';
import { markTold } from '../../../db/withdrawals/notified.ts';
import { fakeClock, fakeWallets, openTestStore, PINNED, START_MS } from '../harness.ts';
import { die, forgeWithdrawal, HOLDER, rowOf } from '../withdrawal-rows.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
let store: Store;
let closing: AbortController;
let clock: ReturnType<typeof fakeClock>;
let withdrawals: Runner;
let wallets: ReturnType<typeof fakeWallets>;
let logged: string[];

beforeEach(async () => {
  store = await openTestStore();
  closing = new AbortController();
  clock = fakeClock(closing.signal);
  wallets = fakeWallets();
  logged = [];
  withdrawals = start();
});
afterEach(() => store.close());

function start(): Runner {
  const log = (_facts: Record<string, unknown>, message: string) => void logged.push(message);
  const signer = createSigner({ store, base: { ...wallets.base, pinned: PINNED }, now: clock.now });
  return createWithdrawals({
    store,
    signer,
    clock,
    closing: closing.signal,
    log: { info: log, warn: log, error: log },
  });
}

test('asked at the same time, one signature is made and stored', async () => {
  const id = await forgeWithdrawal(store);
  await Promise.all([withdrawals.run(id), withdrawals.look(), withdrawals.run(id)]);
  expect(await rowOf(store, id)).toMatchObject({ status: 'signed', generation: 0, nonce: `0x${id}/0` });
  await withdrawals.look();
  expect(wallets.signed).toHaveLength(1);
});

test('what is dead is signed again five times, and then it is over', async () => {
  const id = await forgeWithdrawal(store);
  await withdrawals.look();
  for (let generation = 1; generation <= 5; generation++) {
    await die(store, id);
    await withdrawals.look();
    expect(await rowOf(store, id)).toMatchObject({ status: 'signed', generation });
  }
  await die(store, id);
  await withdrawals.look();
  expect(await rowOf(store, id)).toMatchObject({ status: 'failed', failure: 'gave_up', generation: 6 });
  expect(wallets.signed).toHaveLength(6);
});

test('one that waits for an account is signed the day after, though it is older than an hour', async () => {
  const id = await forgeWithdrawal(store);
  await withdrawals.look();
  const untilMs = START_MS + DAY_MS;
  expect(await markUnsentDead(store, await rowOf(store, id), { reason: 'account_quota', untilMs })).toBe(true);
  await withdrawals.look();
  expect(waitsForAccountUntil(await rowOf(store, id))).toBe(untilMs);
  clock.pass(DAY_MS);
  await withdrawals.look();
  expect(await rowOf(store, id)).toMatchObject({ status: 'signed', generation: 1, heldReason: null });
});

test('an hour after it was asked for, nothing is signed any more', async () => {
  // Its address is known since yesterday.
  await forgeWithdrawal(store, { status: 'failed' });
  const now = { createdAtMs: START_MS };
  const [dead, never] = [await forgeWithdrawal(store, now), await forgeWithdrawal(store, now)];
  await withdrawals.run(dead);
  await die(store, dead);
  clock.pass(HOUR_MS);
  await withdrawals.look();
  for (const id of [dead, never]) {
    expect(await rowOf(store, id)).toMatchObject({ status: 'failed', failure: 'gave_up' });
  }
  expect(wallets.signed).toHaveLength(1);
});

test('what has to wait is signed when its time has come, and not before', async () => {
  const id = await forgeWithdrawal(store, { createdAtMs: START_MS, notBeforeMs: START_MS + DAY_MS });
  clock.pass(DAY_MS - 1);
  await withdrawals.run(id);
  await withdrawals.look();
  expect([(await rowOf(store, id)).status, wallets.signed.length, logged]).toEqual(['requested', 0, []]);
  clock.pass(1);
  await withdrawals.look();
  expect(await rowOf(store, id)).toMatchObject({ status: 'signed', generation: 0 });
});

test('a withdrawal nobody was told of in time waits until a day after a holder is told, and is not given up meanwhile', async () => {
  const row = { createdAtMs: START_MS, notBeforeMs: START_MS + DAY_MS, notifiedAtMs: null };
  const id = await forgeWithdrawal(store, row);
  for (let days = 1; days <= 3; days++) {
    clock.pass(DAY_MS);
    await withdrawals.look();
    expect(await rowOf(store, id)).toMatchObject({ status: 'requested', notBeforeMs: clock.now() + DAY_MS });
  }
  clock.pass(HOUR_MS);
  await markTold(store, id, clock.now());
  clock.pass(DAY_MS - 1);
  await withdrawals.look();
  expect([(await rowOf(store, id)).status, wallets.signed.length]).toEqual(['requested', 0]);
  clock.pass(1);
  await withdrawals.look();
  expect(await rowOf(store, id)).toMatchObject({ status: 'signed' });
  expect(new Set(logged)).toEqual(new Set(['withdrawal waits on, because who holds the wallet was not told in time']));
});

test('a withdrawal announced for tomorrow survives an hour without us, but not a day', async () => {
  const row = { createdAtMs: START_MS, notBeforeMs: START_MS + DAY_MS };
  const [late, never] = [await forgeWithdrawal(store, row), await forgeWithdrawal(store, row)];
  clock.pass(DAY_MS + 23 * HOUR_MS);
  await withdrawals.run(late);
  expect(await rowOf(store, late)).toMatchObject({ status: 'signed' });
  clock.pass(HOUR_MS);
  await withdrawals.run(never);
  expect(await rowOf(store, never)).toMatchObject({ status: 'failed', failure: 'gave_up' });
});

test('what came due while nobody could be heard is signed when what was said meanwhile has been heard', async () => {
  const row = { createdAtMs: START_MS, notBeforeMs: START_MS + DAY_MS };
  const stopped = await forgeWithdrawal(store, row);
  const other = await forgeWithdrawal(store, { ...row, walletId: 'chat:bob', holderId: 'chat:bob' });
  clock.pass(DAY_MS + 1);
  withdrawals = start();
  await withdrawals.look();
  expect(wallets.signed).toEqual([]);
  await callOff(store, { walletId: HOLDER }, clock.now());
  clock.pass(HEAR_FIRST_MS);
  await withdrawals.look();
  expect(await rowOf(store, other)).toMatchObject({ status: 'signed' });
  expect(await rowOf(store, stopped)).toMatchObject({ status: 'failed', failure: 'cancelled' });
  expect(wallets.signed).toHaveLength(1);
});

test('however many wait for tomorrow, what may leave now is found', async () => {
  const later = { createdAtMs: START_MS, notBeforeMs: START_MS + DAY_MS };
  for (let count = 0; count < 120; count++) await forgeWithdrawal(store, later);
  const now = await forgeWithdrawal(store, { walletId: 'chat:bob', holderId: 'chat:bob' });
  await withdrawals.look();
  expect(await rowOf(store, now)).toMatchObject({ status: 'signed' });
  expect(wallets.signed).toHaveLength(1);
});

test('what has landed before these books knew of it is paid, and nothing is signed', async () => {
  const [asked, dead, unsure] = [
    await forgeWithdrawal(store),
    await forgeWithdrawal(store, { status: 'dead' }),
    await forgeWithdrawal(store),
  ];
  wallets.landings.set(asked, { transaction: null, isFinal: true });
  wallets.landings.set(dead, { transaction: '0x4f', isFinal: true });
  wallets.landings.set(unsure, { transaction: '0x50', isFinal: false });
  await withdrawals.look();
  expect(await rowOf(store, asked)).toMatchObject({ status: 'paid', landedTransaction: null });
  expect(await rowOf(store, dead)).toMatchObject({ status: 'paid', landedTransaction: '0x4f' });
  expect(await rowOf(store, unsure)).toMatchObject({ status: 'requested' });
  expect(wallets.signed).toEqual([]);
});

test('one that the guard refuses keeps no other from its signature', async () => {
  const [forged, fine] = [await forgeWithdrawal(store, { walletId: 'x:7' }), await forgeWithdrawal(store)];
  await withdrawals.look();
  expect([(await rowOf(store, forged)).status, (await rowOf(store, fine)).status]).toEqual(['requested', 'signed']);
  expect(logged).toEqual(['withdrawal not signed; it is tried again']);
});

test('a hundred that are refused again and again keep no other from its turn', async () => {
  for (let count = 0; count < 100; count++)
    await forgeWithdrawal(store, { walletId: 'x:7', notBeforeMs: START_MS - 1 });
  const fine = await forgeWithdrawal(store);
  await withdrawals.look();
  expect(await rowOf(store, fine)).toMatchObject({ status: 'requested' });
  await withdrawals.look();
  expect(await rowOf(store, fine)).toMatchObject({ status: 'signed' });
});
