import { afterEach, beforeEach, expect, test } from 'vitest';
import { createWithdrawals, type Withdrawals } from '../../bot/withdrawals.ts';
import { createSigner } from '../../bot/signer.ts';
import type { Store } from '../../db/store.ts';
import { fakeClock, fakeWallets, openTestStore, PINNED } from './harness.ts';
import { die, forgeWithdrawal, rowOf } from './withdrawal-rows.ts';

const HOUR_MS = 3_600_000;
let store: Store;
let closing: AbortController;
let clock: ReturnType<typeof fakeClock>;
let withdrawals: Withdrawals;
let wallets: ReturnType<typeof fakeWallets>;
let logged: string[];

beforeEach(async () => {
  store = await openTestStore();
  closing = new AbortController();
  clock = fakeClock(closing.signal);
  wallets = fakeWallets();
  logged = [];
  const log = (_facts: Record<string, unknown>, message: string) => void logged.push(message);
  const signer = createSigner({ store, base: { ...wallets.base, pinned: PINNED }, now: clock.now });
  withdrawals = createWithdrawals({
    store,
    signer,
    clock,
    closing: closing.signal,
    log: { info: log, warn: log, error: log },
  });
});
afterEach(() => store.close());

test('asked at the same time, one signature is made and stored', async () => {
  const id = await forgeWithdrawal(store);
  await Promise.all([withdrawals.sign(id), withdrawals.resume(), withdrawals.sign(id)]);
  expect(await rowOf(store, id)).toMatchObject({ status: 'signed', generation: 0, nonce: `0x${id}/0` });
  await withdrawals.resume();
  expect(wallets.signed).toHaveLength(1);
});

test('what is dead is signed again five times, and then it is over', async () => {
  const id = await forgeWithdrawal(store);
  await withdrawals.resume();
  for (let generation = 1; generation <= 5; generation++) {
    await die(store, id);
    await withdrawals.resume();
    expect(await rowOf(store, id)).toMatchObject({ status: 'signed', generation });
  }
  await die(store, id);
  await withdrawals.resume();
  expect(await rowOf(store, id)).toMatchObject({ status: 'failed', failure: 'gave_up', generation: 5 });
  expect(wallets.signed).toHaveLength(6);
});

test('an hour after it was asked for, nothing is signed any more', async () => {
  const [dead, never] = [await forgeWithdrawal(store), await forgeWithdrawal(store)];
  await withdrawals.sign(dead);
  await die(store, dead);
  clock.pass(HOUR_MS);
  await withdrawals.resume();
  for (const id of [dead, never]) {
    expect(await rowOf(store, id)).toMatchObject({ status: 'failed', failure: 'gave_up' });
  }
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
  await withdrawals.resume();
  expect(await rowOf(store, asked)).toMatchObject({ status: 'paid', landedTransaction: null });
  expect(await rowOf(store, dead)).toMatchObject({ status: 'paid', landedTransaction: '0x4f' });
  expect(await rowOf(store, unsure)).toMatchObject({ status: 'requested' });
  expect(wallets.signed).toEqual([]);
});

test('one that the guard refuses keeps no other from its signature', async () => {
  const [forged, fine] = [await forgeWithdrawal(store, { walletId: 'x:7' }), await forgeWithdrawal(store)];
  await withdrawals.resume();
  expect([(await rowOf(store, forged)).status, (await rowOf(store, fine)).status]).toEqual(['requested', 'signed']);
  expect(logged).toEqual(['withdrawal not signed; it is tried again']);
});
