/** Money out of personal wallets, with our fee payer's signature: whatever is asked, lost or stopped, it moves once. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { address as toAddress } from '@solana/kit';
import { Keypair } from '@solana/web3.js';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createSolanaPersonalWallets } from '../../../chain/solana/personal-wallets.ts';
import { solanaProfile } from '../../../chain/solana/messages/profile.ts';
import { coSignWithdrawal, withdrawalMemo } from '../../../chain/solana/transactions/withdrawal-transaction.ts';
import { microUsdc } from '../../../core/money.ts';
import { openedBefore } from '../../../db/costs/openings.ts';
import { readCounter } from '../../../db/store/counters.ts';
import { stopSigning } from '../../../db/store/stops.ts';
import { findWithdrawal, type WithdrawalRow } from '../../../db/withdrawals/find.ts';
import { requestWithdrawal } from '../../../db/withdrawals/request.ts';
import { markWithdrawalSigned } from '../../../db/withdrawals/signed.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import type { SolanaWorker } from '../../../worker/dependencies.ts';
import { accountsCounter } from '../../../worker/solana/counters.ts';
import { startSolanaChain, type SolanaChain } from '../../support/chains/solana-chain.ts';
import {
  randomSolanaKey,
  startSolanaService,
  type SolanaService,
  type SolanaServiceOptions,
} from '../../support/solana-service.ts';

const profile = solanaProfile('local');
const wallets = createSolanaPersonalWallets({ seed: randomBytes(32), profile });

const dir = mkdtempSync(join(tmpdir(), 'pennypost-withdrawals-'));
let chain: SolanaChain;
let services: SolanaService[] = [];
beforeAll(async () => {
  chain = await startSolanaChain({ slotMs: 50 });
});
afterEach(async () => {
  await chain.clearFaults();
  for (const service of services) await service.close();
  services = [];
});
afterAll(async () => {
  await chain.close();
  rmSync(dir, { recursive: true, force: true });
});

async function start(options: Partial<SolanaServiceOptions> = {}): Promise<SolanaService> {
  const service = await startSolanaService({ rpcUrl: chain.rpcUrl, fundSol: chain.fundSol, ...options });
  services.push(service);
  return service;
}

async function stop(service: SolanaService): Promise<void> {
  services = services.filter((one) => one !== service);
  await service.close();
}

/** Two of them share a database and keys, one after the other. */
const lasting = () => ({
  databasePath: join(dir, `${randomBytes(6).toString('hex')}.sqlite`),
  keys: { treasuryKey: randomSolanaKey(), feePayerKey: randomSolanaKey() },
});

/** A worker whose broadcasts reach nobody. */
const muted = (worker: SolanaWorker) => ({ ...worker, rpc: { ...worker.rpc, sendRaw: async () => undefined } });

async function newWallet(usdc = 2_000_000n): Promise<{ walletId: string; address: string }> {
  const walletId = `x:${randomBytes(6).toString('hex')}`;
  const address = wallets.addressOf(walletId);
  await chain.fundUsdc(address, microUsdc(usdc));
  return { walletId, address };
}

const stranger = () => Keypair.generate().publicKey.toBase58();

type Asked = { walletId: string; to: string; amount?: bigint; requestKey?: string };

function request(service: SolanaService, { walletId, to, amount = 1_500_000n, requestKey = 'one' }: Asked) {
  return requestWithdrawal(service.store, {
    id: service.solana.ids.withdrawalId(),
    holderId: `chat:${walletId}`,
    requestKey,
    walletId,
    network: 'solana',
    fromAddress: wallets.addressOf(walletId),
    toAddress: to,
    amountMicroUsdc: microUsdc(amount),
    nowMs: Date.now(),
  });
}

type Signing = { generation?: number; opensAccount?: boolean };

async function signFor(service: SolanaService, row: WithdrawalRow, { generation = 0, opensAccount = true }: Signing) {
  const { blockhash, lastValidHeight } = await service.parts.rpc.latestBlockhash();
  const signature = await wallets.signWithdrawal(row.walletId, {
    to: row.toAddress,
    feePayer: service.parts.feePayer.address,
    amountMicroUsdc: row.amountMicroUsdc,
    blockhash,
    memo: withdrawalMemo({ id: row.id, generation }),
    opensAccount,
  });
  return { generation, nonce: null, validBefore: lastValidHeight, signature };
}

async function sign(service: SolanaService, row: WithdrawalRow, signing: Signing = {}): Promise<boolean> {
  return markWithdrawalSigned(service.store, row.id, await signFor(service, row, signing));
}

async function rowOf(service: SolanaService, id: string): Promise<WithdrawalRow> {
  const row = await findWithdrawal(service.store, id);
  if (row === null) throw new Error(`there is no withdrawal ${id}`);
  return row;
}

/** What was sent has landed, or lands in the next of these blocks; they make it final. */
const hurry = ({ status }: WithdrawalRow) => void (status === 'sent' && chain.mine(5));

const becomes = (service: SolanaService, id: string, status: string) =>
  eventually(async () => {
    const row = await rowOf(service, id);
    if (status === 'paid') hurry(row);
    expect(row.status).toBe(status);
  }, 15_000);

const carriersOf = (service: SolanaService) => service.store.read.select().from(service.store.tables.carriers);

// One worker carries all of them. The first sees its books empty, and the last stops it from signing.
describe('one after the other', () => {
  let service: SolanaService;
  beforeAll(async () => {
    service = await startSolanaService({ rpcUrl: chain.rpcUrl, fundSol: chain.fundSol });
    // Our account is read: from here on a fault meets withdrawals only.
    await eventually(async () => {
      const begun = await service.store.read.$count(service.store.tables.scanCursors);
      if (begun !== 1) throw new Error('the scan has not begun');
    });
  });
  afterAll(() => service?.close());

  test('asked and signed twice, with lost replies, it is paid once; our books see what the fee payer gave only', async () => {
    const { walletId, address } = await newWallet();
    const to = stranger();
    const feePayer = service.parts.feePayer.address;
    const before = await chain.lamports(feePayer);
    await chain.setFault({ kind: 'lose_reply', method: 'sendTransaction', times: 2 });
    const row = await request(service, { walletId, to });
    expect((await request(service, { walletId, to })).id).toBe(row.id);
    expect([await sign(service, row), await sign(service, row)]).toEqual([true, false]);
    await becomes(service, row.id, 'paid');
    expect(await chain.fired('lose_reply')).toBeGreaterThan(0);
    const [carrier] = await carriersOf(service);
    const [sent] = await service.store.read.select().from(service.store.tables.carrierTransactions);
    expect(carrier).toMatchObject({ kind: 'withdrawal', status: 'final' });
    expect((await rowOf(service, row.id)).landedTransaction).toBe(sent?.hash);
    expect([await chain.usdcBalance(to), await chain.usdcBalance(address)]).toEqual([1_500_000n, 500_000n]);
    const { postings } = service.store.tables;
    const booked = await service.store.read.select().from(postings);
    const spent = before - (await chain.lamports(feePayer));
    expect(new Set(booked.map(({ amount }) => amount))).toEqual(new Set([-spent, spent]));
    expect(await readCounter(service.store, accountsCounter(Date.now()))).toBe(1n);
    expect(await service.store.read.select().from(service.store.tables.observedTransfers)).toEqual([]);
    await service.assertSound();
  });

  test('one whose transaction can never land is dead, is signed again and again, and is paid once', async () => {
    const others = new Set((await carriersOf(service)).map(({ id }) => id));
    const { walletId, address } = await newWallet(3_000_000n);
    const to = stranger();
    const row = await request(service, { walletId, to });
    await chain.setFault({ kind: 'drop' });
    for (const generation of [0, 1, 2]) {
      expect(await sign(service, row, { generation })).toBe(true);
      await becomes(service, row.id, 'sent');
      expect(await sign(service, row, { generation: generation + 1 })).toBe(false);
      chain.expireBlockhashes();
      await becomes(service, row.id, 'dead');
    }
    await chain.clearFaults();
    expect(await sign(service, row, { generation: 3 })).toBe(true);
    await becomes(service, row.id, 'paid');
    expect([await chain.usdcBalance(to), await chain.usdcBalance(address)]).toEqual([1_500_000n, 1_500_000n]);
    const own = (await carriersOf(service)).filter(({ id }) => !others.has(id));
    expect(own.map(({ status }) => status).toSorted()).toEqual(['dead', 'dead', 'dead', 'final']);
  });

  test('one that fails on the chain may be signed again a few times, and not for ever', async () => {
    const { walletId, address } = await newWallet();
    const to = stranger();
    const row = await request(service, { walletId, to });
    for (const generation of [0, 1, 2]) {
      await chain.setFault({ kind: 'hold' });
      await sign(service, row, { generation });
      await becomes(service, row.id, 'sent');
      await eventually(async () => expect((await chain.waiting()).held).toBeGreaterThan(0));
      // Barred between its simulation and its landing.
      await chain.freezeUsdc(address);
      await chain.clearFaults();
      await chain.release();
      chain.finalize();
      await becomes(service, row.id, generation < 2 ? 'dead' : 'failed');
      await chain.thawUsdc(address);
    }
    expect(await rowOf(service, row.id)).toMatchObject({ failure: 'failed_on_chain' });
    expect([await chain.usdcBalance(to), await chain.usdcBalance(address)]).toEqual([0n, 2_000_000n]);
    await service.assertSound();
  });

  test('one account is opened for who holds a wallet: its rent is ours; while signing is stopped withdrawals go on', async () => {
    const { walletId } = await newWallet(9_000_000n);
    const before = await readCounter(service.store, accountsCounter(Date.now()));
    const rows = [];
    for (const requestKey of ['one', 'two']) {
      const row = await request(service, { walletId, to: stranger(), requestKey });
      await sign(service, row);
      rows.push(row);
    }
    const [first, second] = rows.map(({ id }) => id) as [string, string];
    await becomes(service, first, 'paid');
    await becomes(service, second, 'failed');
    expect(await rowOf(service, second)).toMatchObject({ failure: 'no_token_account' });
    expect(await readCounter(service.store, accountsCounter(Date.now()))).toBe(before + 1n);
    await stopSigning(service.store, { reason: 'unexplained_outflow', network: 'all', detail: 'a test' }, Date.now());
    const other = await newWallet();
    const to = stranger();
    const elsewhere = await request(service, { ...other, to });
    await sign(service, elsewhere);
    await becomes(service, elsewhere.id, 'paid');
    expect(await chain.usdcBalance(to)).toBe(1_500_000n);
  });
});

test('a worker that dies between storing and sending leaves the bytes to the next one, which pays once', async () => {
  const shared = lasting();
  const dying = await start({ ...shared, decorateWorker: muted });
  const { walletId } = await newWallet();
  const to = stranger();
  const row = await request(dying, { walletId, to });
  await sign(dying, row);
  await becomes(dying, row.id, 'sent');
  await stop(dying);
  expect(await chain.usdcBalance(to)).toBe(0n);
  // Seconds later, or it would not be sent again yet.
  const service = await start({ ...shared, now: () => Date.now() + 3_000 });
  await eventually(async () => expect(await chain.usdcBalance(to)).toBe(1_500_000n));
  await becomes(service, row.id, 'paid');
  expect(await chain.usdcBalance(to)).toBe(1_500_000n);
  expect(await carriersOf(service)).toHaveLength(1);
});

test('what would fail is refused before our fee payer signs, in a word', async () => {
  const service = await start({ accounts: { dailyMax: 1 } });
  const failureOf = async (asked: Asked, signing: Signing = {}, as: Partial<WithdrawalRow> = {}) => {
    const row = await request(service, asked);
    expect(await markWithdrawalSigned(service.store, row.id, await signFor(service, { ...row, ...as }, signing))).toBe(
      true,
    );
    return eventually(async () => {
      const now = await rowOf(service, row.id);
      hurry(now);
      const { status, failure, heldReason } = now;
      expect(['failed', 'paid', 'dead']).toContain(status);
      return failure ?? heldReason ?? status;
    }, 15_000);
  };
  const holder = await newWallet(1n);
  const refused = await Promise.all([
    failureOf({ ...(await newWallet(1_000_000n)), to: holder.address }),
    failureOf({ ...(await newWallet()), to: holder.address }, {}, { amountMicroUsdc: 1_000_000n }),
    failureOf({ ...(await newWallet()), to: service.parts.treasury.address }),
    failureOf({ ...(await newWallet()), to: stranger() }, { opensAccount: false }),
    // Not worth an account, which costs us more than that.
    failureOf({ ...(await newWallet()), to: stranger(), amount: 999_999n }),
  ]);
  const ours = ['invalid_signature', 'forbidden_address'];
  expect(refused).toEqual(['insufficient_funds', ...ours, 'no_token_account', 'no_token_account']);
  expect(await failureOf({ ...(await newWallet()), to: stranger() })).toBe('paid');
  const later = await Promise.all([
    // Today has no more: it waits for a day that has.
    failureOf({ ...(await newWallet()), to: stranger() }),
    // An account that is there could be closed again before it lands, so what may open one counts.
    failureOf({ ...(await newWallet()), to: holder.address }),
    failureOf({ ...(await newWallet()), to: holder.address }, { opensAccount: false }),
  ]);
  expect(later).toEqual(['account_quota', 'account_quota', 'paid']);
  await chain.freezeUsdc(holder.address);
  expect(await failureOf({ ...(await newWallet()), to: holder.address })).toBe('recipient_blacklisted');
  expect(await carriersOf(service)).toHaveLength(2);
});

/** Two that are signed, of which one has landed: as if the database were a backup from before it was sent. */
async function signTwo(idle: SolanaService) {
  const [old, landed] = [await newWallet(), await newWallet()];
  const [to, landedTo] = [stranger(), stranger()];
  const rows = { old: await request(idle, { ...old, to }), landed: await request(idle, { ...landed, to: landedTo }) };
  await sign(idle, rows.old);
  const signed = await signFor(idle, rows.landed, {});
  await markWithdrawalSigned(idle.store, rows.landed.id, signed);
  const sent = await coSignWithdrawal(signed.signature, idle.parts.feePayer, profile);
  await idle.parts.rpc.sendRaw(sent.wire);
  await eventually(async () => expect(await chain.usdcBalance(landedTo)).toBe(1_500_000n));
  return { rows, to, landedTo, landed, sent };
}

/** A node that has lost all blocks but the newest, while it `forgets`. */
const forgetful = (node: { forgets: boolean }) => (worker: SolanaWorker) => {
  const ledgerStart = async () => (node.forgets ? chain.chain.blocks.last() : worker.rpc.ledgerStart());
  return { ...worker, rpc: { ...worker.rpc, ledgerStart } };
};

test('one that was signed too long ago and never sent is dead by a node that has its blocks, unless the chain knows it', async () => {
  const shared = lasting();
  const idle = await start({ ...shared, runWorker: false });
  const { rows, to, landedTo, landed } = await signTwo(idle);
  chain.expireBlockhashes();
  const node = { forgets: true };
  const service = await start({ ...shared, decorateWorker: forgetful(node) });
  await becomes(service, rows.landed.id, 'paid');
  expect(await chain.usdcBalance(landedTo)).toBe(1_500_000n);
  // Its account was opened at our cost, so it counts like any other.
  expect(await openedBefore(service.store, 'solana', { owners: [landedTo], persons: [landed.walletId] })).toEqual(
    new Set([landedTo, landed.walletId]),
  );
  await eventually(async () => {
    expect((await rowOf(service, rows.old.id)).nextTryAtMs).toBeGreaterThan(Date.now() + 30_000);
  });
  expect((await rowOf(service, rows.old.id)).status).toBe('signed');
  node.forgets = false;
  const { transfers } = service.store.tables;
  await service.store.tx((db) => db.update(transfers).set({ nextTryAtMs: 0 }).where(eq(transfers.id, rows.old.id)));
  await becomes(service, rows.old.id, 'dead');
  expect(await sign(service, rows.old, { generation: 1 })).toBe(true);
  await becomes(service, rows.old.id, 'paid');
  expect(await chain.usdcBalance(to)).toBe(1_500_000n);
});

test('one that names a fee payer who was replaced is signed anew, unless the chain knows it', async () => {
  const shared = lasting();
  const idle = await start({ ...shared, runWorker: false });
  const { rows, to, landedTo, sent } = await signTwo(idle);
  await stop(idle);
  // What the former one had is the operator's to take away.
  chain.chain.setAccount(toAddress(idle.parts.feePayer.address), null);
  let aheadMs = 0;
  const now = () => Date.now() + aheadMs;
  const service = await start({ ...shared, keys: { ...shared.keys, feePayerKey: randomSolanaKey() }, now });
  await eventually(async () => {
    // Both were looked at, and put off.
    for (const { id } of [rows.old, rows.landed]) expect((await rowOf(service, id)).nextTryAtMs).toBeGreaterThan(0);
  });
  expect(service.parts.feePayer.address).not.toBe(idle.parts.feePayer.address);
  // While its blockhash is good, the former key could still sign it.
  for (const { id } of [rows.old, rows.landed]) expect((await rowOf(service, id)).status).toBe('signed');
  chain.expireBlockhashes();
  aheadMs = 3_000;
  await becomes(service, rows.old.id, 'dead');
  await becomes(service, rows.landed.id, 'paid');
  expect((await rowOf(service, rows.landed.id)).landedTransaction).toBe(sent.signature);
  expect(await sign(service, rows.old, { generation: 1 })).toBe(true);
  await becomes(service, rows.old.id, 'paid');
  expect([await chain.usdcBalance(to), await chain.usdcBalance(landedTo)]).toEqual([1_500_000n, 1_500_000n]);
  expect(await carriersOf(service)).toHaveLength(1);
  await service.assertSound();
});
