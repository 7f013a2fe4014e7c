/**
 * The same controls as `../outgoing.test.ts`, on Solana. The rule of death: only a finalized height above the last one of
 * its blockhash proves that a transaction can never land.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Keypair } from '@solana/web3.js';
import { afterEach, describe, expect, test } from 'vitest';
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

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** One for each scenario: which of its transactions is late is a matter of its order. */
async function openChain(): Promise<SolanaChain> {
  const chain = await startSolanaChain({ slotMs: 50 });
  closers.push(() => chain.close());
  return chain;
}

type Options = Partial<SolanaServiceOptions>;

async function serve(chain: SolanaChain, options: Options): Promise<SolanaService> {
  const service = await startSolanaService({ rpcUrl: chain.rpcUrl, fundSol: chain.fundSol, ...options });
  closers.push(() => service.close());
  return service;
}

const newKeys = () => ({ treasuryKey: randomSolanaKey(), taskKey: randomSolanaKey(), feePayerKey: randomSolanaKey() });

/** Its accounts are there already, so the first transaction that it sends is the one that moves money. */
async function start(chain: SolanaChain, options: Options): Promise<SolanaService> {
  const keys = newKeys();
  await chain.fundUsdc(readSolanaKey(keys.treasuryKey).address, microUsdc(9n * USDC));
  await chain.fundUsdc(readSolanaKey(keys.taskKey).address, microUsdc(1n));
  chain.finalize();
  const service = await serve(chain, { keys, ...options });
  await eventually(async () => expect(await readCursor(service.store, 'solana')).not.toBeNull(), WITHIN_MS);
  return service;
}

const beLate = (chain: SolanaChain) => chain.setFault({ kind: 'late', times: 1, blocks: LATE_BLOCKS });

const isLate = (chain: SolanaChain) => eventually(async () => expect(await chain.fired('late')).toBe(1), WITHIN_MS);

/** The blocks until what is late has landed; the worker may look again and again meanwhile. */
async function passBlocks(chain: SolanaChain, pauseMs: number): Promise<void> {
  await isLate(chain);
  for (let passed = 0; passed < LATE_BLOCKS; passed += 10) {
    chain.mine(10);
    await sleep(pauseMs);
  }
  chain.finalize();
}

async function newRecipient(chain: SolanaChain): Promise<string> {
  const address = Keypair.generate().publicKey.toBase58();
  await chain.fundUsdc(address, microUsdc(1n));
  return address;
}

type Leaving = {
  chain: SolanaChain;
  service: SolanaService;
  amount: bigint;
  received: () => Promise<bigint>;
  /** Lets the next generation be signed, where that waits for an operator. */
  renew: () => Promise<void>;
};

type Start = (options: Options) => Promise<Leaving>;

/** A withdrawal of the operator's own money. */
const operatorWithdrawal: Start = async (options) => {
  const chain = await openChain();
  const service = await start(chain, options);
  const treasuries = { solana: service.parts.treasury.address };
  await storePayoutSettings(service.store, { dailyMicroUsdc: { payer: null, recipient: null }, treasuries });
  await beLate(chain);
  const toAddress = await newRecipient(chain);
  const how = { newPayoutId: service.solana.ids.payoutId, nowMs: Date.now() };
  const wanted = { network: 'solana', toAddress, amountMicroUsdc: USDC } as const;
  const { kind } = await withdraw(service.store, wanted, { name: 'withdraw', arguments: [], who: 'a test' }, how);
  expect(kind).toBe('queued');
  service.worker?.wake();
  const received = async () => (await chain.usdcBalance(toAddress)) - 1n;
  return { chain, service, amount: USDC, received, renew: async () => undefined };
};

/** What has been paid to the task address and is in the books: here, what lay there when it was first read. */
const sweep: Start = async (options) => {
  const chain = await openChain();
  const keys = newKeys();
  const [treasury, task] = [readSolanaKey(keys.treasuryKey).address, readSolanaKey(keys.taskKey).address];
  const amount = 3n * USDC;
  await chain.fundUsdc(treasury, microUsdc(1n));
  await chain.fundUsdc(task, microUsdc(amount));
  chain.finalize();
  await beLate(chain);
  const service = await serve(chain, { keys, ...options });
  await isLate(chain);
  // What a second generation would take: money that nothing has explained yet.
  await chain.fundUsdc(task, microUsdc(3n * amount));
  const received = async () => (await chain.usdcBalance(treasury)) - 1n;
  return { chain, service, amount, received, renew: async () => undefined };
};

async function request(chain: SolanaChain, { store, solana }: SolanaService) {
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
    toAddress: await newRecipient(chain),
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
  const chain = await openChain();
  const service = await start(chain, options);
  const row = await request(chain, service);
  await beLate(chain);
  await sign(service, row, 0);
  const renew = async () => {
    await eventually(async () => expect((await findWithdrawal(service.store, row.id))?.status).toBe('dead'), WITHIN_MS);
    expect(await sign(service, row, 1)).toBe(true);
  };
  const received = async () => (await chain.usdcBalance(row.toAddress)) - 1n;
  return { chain, service, amount: USDC, received, renew };
};

const carriersOf = ({ store }: SolanaService) => store.read.select().from(store.tables.carriers);
const openCarriers = async (service: SolanaService) =>
  (await carriersOf(service)).filter(({ status }) => status === 'open');

const LEAVING = { operatorWithdrawal, sweep, walletWithdrawal };

/** Side by side: each has a chain of its own. */
async function ofEach(options: Options, check: (leaving: Leaving) => Promise<void>): Promise<void> {
  const scenarios = Object.entries(LEAVING).map(async ([kind, leave]) => {
    try {
      await check(await leave(options));
    } catch (cause) {
      throw new Error(`it was ${kind}`, { cause });
    }
  });
  await Promise.all(scenarios);
}

describe('a withdrawal by the operator, a sweep and a withdrawal from a wallet, whose transaction is late', () => {
  test('land once', async () => {
    await ofEach({}, async ({ chain, service, amount, received }) => {
      await passBlocks(chain, 200);
      await eventually(async () => expect(await received()).toBe(amount), WITHIN_MS);
      await eventually(async () => expect(await openCarriers(service)).toEqual([]), WITHIN_MS);
      expect(await chain.fired('late')).toBe(1);
      expect(await received()).toBe(amount);
    });
  });

  test('CONTROL: land twice where another one is signed on a time-out', async () => {
    const decorateWorker = (worker: SolanaWorker) => ({ ...worker, rpc: reSigning(worker.rpc) });
    await ofEach({ decorateWorker }, async ({ chain, service, amount, received, renew }) => {
      await renew();
      // Signed while the first is on its way: that it comes late is then all that is left to wait for.
      await eventually(async () => expect((await carriersOf(service)).length).toBeGreaterThan(1), WITHIN_MS);
      await passBlocks(chain, 0);
      await eventually(async () => expect(await received()).toBeGreaterThan(amount), WITHIN_MS);
    });
  });
});

test('CONTROL: a stop that concerns withdrawals too keeps people from money that is their own', async () => {
  const carriers = { ...CARRIERS, withdrawal: { ...CARRIERS.withdrawal, duringStop: 'waits' } } as const;
  const chain = await openChain();
  const started = await start(chain, { carriers });
  await stopSigning(started.store, { reason: 'operator', network: 'all', detail: 'a test' }, Date.now());
  const row = await request(chain, started);
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
