/**
 * The same controls as `../outgoing.test.ts`, on Solana. The rule of death: only a finalized height above the last one of
 * its blockhash proves that a transaction can never land.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Keypair } from '@solana/web3.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readSolanaKey } from '../../../chain/solana/messages/key.ts';
import { solanaProfile } from '../../../chain/solana/messages/profile.ts';
import { createSolanaPersonalWallets } from '../../../chain/solana/personal-wallets.ts';
import { withdrawalMemo } from '../../../chain/solana/transactions/withdrawal-transaction.ts';
import { CARRIERS } from '../../../core/transfers/carriers.ts';
import { microUsdc } from '../../../core/money.ts';
import { withdraw } from '../../../db/operator/withdraw.ts';
import { storePayoutSettings } from '../../../db/limits/settings.ts';
import { readCursor } from '../../../db/scan/cursor.ts';
import { stopSigning } from '../../../db/store/stops.ts';
import { findWithdrawal } from '../../../db/withdrawals/find.ts';
import { requestWithdrawal } from '../../../db/withdrawals/request.ts';
import { markWithdrawalSigned } from '../../../db/withdrawals/signed.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import type { SolanaWorker } from '../../../worker/dependencies.ts';
import { startSolanaChain, type SolanaChain } from '../../support/chains/solana-chain.ts';
import {
  randomSolanaKey,
  startSolanaService,
  type SolanaService,
  type SolanaServiceOptions,
} from '../../support/solana-service.ts';
import { reSigning } from './re-signing.ts';

const WITHIN_MS = 30_000;
const USDC = 1_000_000n;
/** Slots until the first transaction lands: longer than an impatient worker waits, shorter than its blockhash lives. */
const LATE_BLOCKS = 100;

const profile = solanaProfile('local');
const wallets = createSolanaPersonalWallets({ seed: randomBytes(32), profile });

let chain: SolanaChain;
let service: SolanaService | null = null;
beforeEach(async () => {
  chain = await startSolanaChain({ slotMs: 50 });
});
afterEach(async () => {
  await service?.close();
  service = null;
  await chain.close();
});

type Options = Partial<SolanaServiceOptions>;

/** Its accounts are there already, so the first transaction that it sends is the one that moves money. */
async function start(options: Options): Promise<SolanaService> {
  const keys = { treasuryKey: randomSolanaKey(), taskKey: randomSolanaKey(), feePayerKey: randomSolanaKey() };
  await chain.fundUsdc(readSolanaKey(keys.treasuryKey).address, microUsdc(9n * USDC));
  await chain.fundUsdc(readSolanaKey(keys.taskKey).address, microUsdc(1n));
  chain.finalize();
  service = await startSolanaService({ rpcUrl: chain.rpcUrl, fundSol: chain.fundSol, keys, ...options });
  const { store } = service;
  await eventually(async () => expect(await readCursor(store, 'solana')).not.toBeNull(), WITHIN_MS);
  return service;
}

const beLate = () => chain.setFault({ kind: 'late', times: 1, blocks: LATE_BLOCKS });

/** The blocks until what is late has landed; the worker looks again and again meanwhile. */
async function passBlocks(): Promise<void> {
  await eventually(async () => expect(await chain.fired('late')).toBe(1), WITHIN_MS);
  for (let passed = 0; passed < LATE_BLOCKS; passed += 10) {
    chain.mine(10);
    await sleep(200);
  }
  chain.finalize();
}

async function newRecipient(): Promise<string> {
  const address = Keypair.generate().publicKey.toBase58();
  await chain.fundUsdc(address, microUsdc(1n));
  return address;
}

type Leaving = {
  service: SolanaService;
  amount: bigint;
  received: () => Promise<bigint>;
  /** Lets the next generation be signed, where that waits for an operator. */
  renew: () => Promise<void>;
};

type Start = (options: Options) => Promise<Leaving>;

/** A withdrawal of the operator's own money. */
const operatorWithdrawal: Start = async (options) => {
  const started = await start(options);
  const treasuries = { solana: started.parts.treasury.address };
  await storePayoutSettings(started.store, { dailyMicroUsdc: { payer: null, recipient: null }, treasuries });
  await beLate();
  const toAddress = await newRecipient();
  const how = { newPayoutId: started.solana.ids.payoutId, nowMs: Date.now() };
  const wanted = { network: 'solana', toAddress, amountMicroUsdc: USDC } as const;
  const { kind } = await withdraw(started.store, wanted, { name: 'withdraw', arguments: [], who: 'a test' }, how);
  expect(kind).toBe('queued');
  started.worker?.wake();
  const received = async () => (await chain.usdcBalance(toAddress)) - 1n;
  return { service: started, amount: USDC, received, renew: async () => undefined };
};

/** What has been paid to the task address and is in the books: here, what lay there when it was first read. */
const sweep: Start = async (options) => {
  const keys = { treasuryKey: randomSolanaKey(), taskKey: randomSolanaKey(), feePayerKey: randomSolanaKey() };
  const [treasury, task] = [readSolanaKey(keys.treasuryKey).address, readSolanaKey(keys.taskKey).address];
  const amount = 3n * USDC;
  await chain.fundUsdc(treasury, microUsdc(1n));
  await chain.fundUsdc(task, microUsdc(amount));
  chain.finalize();
  await beLate();
  const started = await startSolanaService({ rpcUrl: chain.rpcUrl, fundSol: chain.fundSol, keys, ...options });
  service = started;
  await eventually(async () => expect(await chain.fired('late')).toBe(1), WITHIN_MS);
  // What a second generation would take: money that nothing has explained yet.
  await chain.fundUsdc(task, microUsdc(3n * amount));
  const received = async () => (await chain.usdcBalance(treasury)) - 1n;
  return { service: started, amount, received, renew: async () => undefined };
};

async function request({ store, solana }: SolanaService) {
  const walletId = `x:${randomBytes(6).toString('hex')}`;
  const fromAddress = wallets.addressOf(walletId);
  await chain.fundUsdc(fromAddress, microUsdc(9n * USDC));
  return requestWithdrawal(store, {
    id: solana.ids.withdrawalId(),
    holderId: `chat:${walletId}`,
    requestKey: 'one',
    walletId,
    network: 'solana',
    fromAddress,
    toAddress: await newRecipient(),
    amountMicroUsdc: microUsdc(USDC),
    nowMs: Date.now(),
  });
}

type Asked = Awaited<ReturnType<typeof request>>;

async function sign({ store, parts }: SolanaService, row: Asked, generation: number): Promise<boolean> {
  const { blockhash, lastValidHeight } = await parts.rpc.latestBlockhash();
  const signature = await wallets.signWithdrawal(row.walletId, {
    to: row.toAddress,
    feePayer: parts.feePayer.address,
    amountMicroUsdc: row.amountMicroUsdc,
    blockhash,
    memo: withdrawalMemo({ id: row.id, generation }),
    opensAccount: false,
  });
  return markWithdrawalSigned(store, row.id, { generation, nonce: null, validBefore: lastValidHeight, signature });
}

/** A withdrawal from a personal wallet. */
const walletWithdrawal: Start = async (options) => {
  const started = await start(options);
  const row = await request(started);
  await beLate();
  await sign(started, row, 0);
  const renew = async () => {
    await eventually(async () => expect((await findWithdrawal(started.store, row.id))?.status).toBe('dead'), WITHIN_MS);
    expect(await sign(started, row, 1)).toBe(true);
  };
  const received = async () => (await chain.usdcBalance(row.toAddress)) - 1n;
  return { service: started, amount: USDC, received, renew };
};

const openCarriers = async ({ store }: SolanaService) =>
  (await store.read.select().from(store.tables.carriers)).filter(({ status }) => status === 'open');

describe.each([
  ['a withdrawal by the operator', operatorWithdrawal],
  ['a sweep', sweep],
  ['a withdrawal from a wallet', walletWithdrawal],
] as const)('%s whose transaction is late', (_name, leave) => {
  test('lands once', async () => {
    const leaving = await leave({});
    await passBlocks();
    await eventually(async () => expect(await leaving.received()).toBe(leaving.amount), WITHIN_MS);
    await eventually(async () => expect(await openCarriers(leaving.service)).toEqual([]), WITHIN_MS);
    expect(await chain.fired('late')).toBe(1);
    expect(await leaving.received()).toBe(leaving.amount);
  });

  test('CONTROL: lands twice where another one is signed on a time-out', async () => {
    const decorateWorker = (worker: SolanaWorker) => ({ ...worker, rpc: reSigning(worker.rpc) });
    const leaving = await leave({ decorateWorker });
    await leaving.renew();
    await passBlocks();
    await eventually(async () => expect(await leaving.received()).toBeGreaterThan(leaving.amount), WITHIN_MS);
  });
});

test('CONTROL: a stop that concerns withdrawals too keeps people from money that is their own', async () => {
  const carriers = { ...CARRIERS, withdrawal: { ...CARRIERS.withdrawal, duringStop: 'waits' } } as const;
  const started = await start({ carriers });
  await stopSigning(started.store, { reason: 'operator', network: 'all', detail: 'a test' }, Date.now());
  const row = await request(started);
  await sign(started, row, 0);
  const { height } = await started.parts.rpc.finalized();
  // Several rounds of withdrawals go by.
  await eventually(
    async () => expect((await started.parts.rpc.finalized()).height).toBeGreaterThan(height + 60),
    WITHIN_MS,
  );
  expect((await findWithdrawal(started.store, row.id))?.status).toBe('signed');
  expect(await chain.usdcBalance(row.toAddress)).toBe(1n);
});
