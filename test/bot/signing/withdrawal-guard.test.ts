import type { Network } from '../../../core/networks.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSigner } from '../../../bot/signing/signer.ts';
import { AlreadyLanded } from '../../../bot/signing/signing.ts';
import { WITHDRAWAL_CAPS } from '../../../chain/solana/transactions/withdrawal-transaction.ts';
import { addHolder } from '../../../db/wallets/holders.ts';
import { openMigrated } from '../../support/databases/migrated.ts';
import { stopSigning } from '../../../db/store/stops.ts';
import { markWithdrawalSigned } from '../../../db/withdrawals/signed.ts';
import type { Store } from '../../../db/store/store.ts';
import {
  fakeWallets,
  LAST_VALID_HEIGHT,
  openTestStore,
  PINNED,
  PINNED_SOLANA,
  START_MS,
  WITH_ACCOUNT,
} from '../harness.ts';
import { die, forgeWithdrawal, HOLDER, SOLANA_STRANGER, STRANGER } from '../withdrawal-rows.ts';

const wallets = fakeWallets();
const { signed, withdrawn, landings, lookedFor } = wallets;
const base = { ...wallets.base, pinned: PINNED };
const solana = { ...wallets.solana, pinned: PINNED_SOLANA };
let store: Store;
let signer: ReturnType<typeof createSigner>;

beforeAll(async () => {
  store = await openTestStore();
  signer = createSigner({ store, base, solana, now: () => START_MS });
});
afterAll(() => store.close());

test('on Base it signs what the row says, for an hour, under the nonce of its generation', async () => {
  const id = await forgeWithdrawal(store);
  const validBefore = START_MS / 1_000 + 3_600;
  const nonce = `0x${id}/0`;
  expect(await signer.signWithdrawal(id)).toMatchObject({ generation: 0, nonce, validBefore });
  const { asset, chainId, name, version } = PINNED;
  const from = base.addressOf(HOLDER);
  const terms = { from, to: STRANGER, value: 1_500_000n, validAfter: 0, validBefore, nonce };
  expect(signed.at(-1)).toEqual({ walletId: HOLDER, authorization: { ...terms, asset, chainId, name, version } });
});

test('a gift is signed to the address of its treasury alone, which no row can rename', async () => {
  const treasury = 'discord-guild:4200';
  const gift = await forgeWithdrawal(store, { toTreasury: treasury, toAddress: base.addressOf(treasury) });
  expect(await signer.signWithdrawal(gift)).toMatchObject({ generation: 0 });
  for (const toTreasury of [treasury, HOLDER]) {
    const forged = await forgeWithdrawal(store, { toTreasury, toAddress: STRANGER });
    await expect(signer.signWithdrawal(forged)).rejects.toThrow('the signer refuses');
  }
});

test.each([
  ['opens the account of a recipient who has none', SOLANA_STRANGER, true],
  ['opens none where there is one', WITH_ACCOUNT, false],
])('on Solana it %s, and says until which block it is good', async (_title, toAddress, opensAccount) => {
  const id = await forgeWithdrawal(store, { network: 'solana' as const, toAddress });
  const memo = `${id}/0`;
  expect(await signer.signWithdrawal(id)).toEqual({
    generation: 0,
    nonce: null,
    validBefore: LAST_VALID_HEIGHT,
    signature: `signed ${memo}`,
  });
  const { feePayer } = PINNED_SOLANA;
  const withdrawal = { to: toAddress, feePayer, amountMicroUsdc: 1_500_000n, memo, opensAccount };
  expect(withdrawn.at(-1)).toMatchObject({ walletId: HOLDER, withdrawal });
});

test('what is dead is signed in its next generation', async () => {
  const id = await forgeWithdrawal(store);
  await markWithdrawalSigned(store, id, await signer.signWithdrawal(id));
  await die(store, id);
  expect(await signer.signWithdrawal(id)).toMatchObject({ generation: 1, nonce: `0x${id}/1` });
});

describe('what these books, restored from a backup, believe unsigned', () => {
  test.each<Network>(['base', 'solana'])('is not signed on %s once the chain shows that it moved', async (network) => {
    const id = await forgeWithdrawal(store, { network });
    landings.set(id, { transaction: 'landed', isFinal: true });
    const before = [signed.length, withdrawn.length];
    await expect(signer.signWithdrawal(id)).rejects.toBeInstanceOf(AlreadyLanded);
    landings.set(id, { transaction: 'landed', isFinal: false });
    await expect(signer.signWithdrawal(id)).rejects.toThrow('the signer refuses');
    expect([signed.length, withdrawn.length]).toEqual(before);
  });

  test('is looked for from the generation on that would be signed', async () => {
    const id = await forgeWithdrawal(store, { status: 'dead', generation: 3 });
    await signer.signWithdrawal(id);
    const fromAddress = base.addressOf(HOLDER);
    expect(lookedFor.at(-1)).toEqual({ id, generation: 3, fromAddress, sinceMs: START_MS });
  });
});

test('on Solana each generation offers more for its place, as much as the worker agrees to', async () => {
  const offers = [];
  for (const generation of [0, 1, 2, 3]) {
    const id = await forgeWithdrawal(store, { network: 'solana' as const, status: 'dead', generation });
    await signer.signWithdrawal(id);
    offers.push(withdrawn.at(-1)?.withdrawal.microLamportsPerUnit);
  }
  expect(offers).toEqual([10_000, 20_000, 40_000, 40_000]);
  expect(Math.max(...offers.map(Number))).toBeLessThanOrEqual(WITHDRAWAL_CAPS.microLamportsPerUnit);
});

test('a wallet that was kept for a name pays the person who proved the name', async () => {
  const id = await forgeWithdrawal(store, { walletId: 'x:8' });
  await expect(signer.signWithdrawal(id)).rejects.toThrow('a wallet that chat:alice holds');
  const holder = { holderId: HOLDER, walletId: 'x:8', identityId: 'person_8', name: 'x:alice' };
  await store.tx((db) => addHolder(db, store.tables, holder, START_MS));
  await signer.signWithdrawal(id);
  expect(signed.at(-1)?.walletId).toBe('x:8');
});

describe('refuses', () => {
  const keep = (holderId: string) =>
    store.tx((db) =>
      addHolder(db, store.tables, { holderId, walletId: 'x:7', identityId: 'p', name: 'x:bob' }, START_MS),
    );

  test.each<[string, Parameters<typeof forgeWithdrawal>[1]]>([
    ['a wallet that another person holds', { walletId: 'x:7' }],
    ['the own wallet of another browser', { walletId: 'chat:bob' }],
    ['a person’s id that passes itself off as its holder', { holderId: 'x:7', walletId: 'x:7' }],
    ['another wallet’s address', { fromAddress: base.addressOf('x:7') }],
    ['our own address as the target', { toAddress: PINNED.payTo }],
    ['the wallet’s own address as the target', { toAddress: base.addressOf(HOLDER).toUpperCase().replace('0X', '0x') }],
    ['our own address on Solana', { network: 'solana' as const, toAddress: PINNED_SOLANA.payTo }],
    ['a network that nobody knows', { network: String('bitcoin') as Network }],
    ['what is signed already', { status: 'signed' }],
    ['what is on its way', { status: 'sent' }],
    ['what is paid', { status: 'paid' }],
    ['what is over', { status: 'failed' }],
  ])('%s', async (_title, change) => {
    await keep('chat:bob');
    const before = [signed.length, withdrawn.length];
    const id = await forgeWithdrawal(store, change);
    await expect(signer.signWithdrawal(id)).rejects.toThrow('the signer refuses');
    expect([signed.length, withdrawn.length]).toEqual(before);
  });

  test.each([
    ['nothing', 0n],
    ['less than nothing', -1_500_000n],
  ])('%s, where the database has let that in', async (_title, amount) => {
    const folder = mkdtempSync(join(tmpdir(), 'pennypost-guard-'));
    const path = join(folder, 'test.sqlite');
    const forged = await openMigrated({ kind: 'sqlite', path });
    const id = await forgeWithdrawal(forged);
    const database = new Database(path);
    database.pragma('ignore_check_constraints = ON');
    database.prepare('update wallet_withdrawals set amount_micro_usdc = ? where id = ?').run(amount, id);
    database.close();
    const careful = createSigner({ store: forged, base, solana, now: () => START_MS });
    await expect(careful.signWithdrawal(id)).rejects.toThrow('more than nothing');
    await forged.close();
    rmSync(folder, { recursive: true });
  });

  test('a withdrawal that it does not know, and a network that is switched off', async () => {
    await expect(signer.signWithdrawal('f'.repeat(32))).rejects.toThrow('a withdrawal of ours');
    const only = createSigner({ store, solana, now: () => START_MS });
    await expect(only.signWithdrawal(await forgeWithdrawal(store))).rejects.toThrow('a network that is offered');
  });
});

test('in a restored database nothing is signed, because it may have been called off in the lost time', async () => {
  const id = await forgeWithdrawal(store);
  await stopSigning(store, { reason: 'operator', network: 'all', detail: 'a test' }, START_MS);
  await stopSigning(store, { reason: 'database_restored', network: 'all', detail: 'a test' }, START_MS);
  const before = signed.length;
  await expect(signer.signWithdrawal(id)).rejects.toThrow('one from a backup');
  expect(signed.length).toBe(before);
  await clearStops();
  expect(await signer.signWithdrawal(id)).toMatchObject({ generation: 0 });
});

const clearStops = () => store.tx((db) => db.delete(store.tables.signingStops));
