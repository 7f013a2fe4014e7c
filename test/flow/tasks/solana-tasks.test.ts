import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keypair } from '@solana/web3.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { readSolanaKey } from '../../../chain/solana/messages/key.ts';
import { TASK_FAILPOINTS, type Failpoint } from '../../../core/failpoints.ts';
import { microUsdc } from '../../../core/money.ts';
import { readCursor } from '../../../db/scan/cursor.ts';
import { findTask } from '../../../db/tasks/find.ts';
import { linkWallet } from '../../../db/transfers/link-wallet.ts';
import { dyingAt } from '../../support/chains/dying.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import type { SolanaWorker } from '../../../worker/dependencies.ts';
import { startSolanaChain, type SolanaChain } from '../../support/chains/solana-chain.ts';
import {
  randomSolanaKey,
  startSolanaService,
  type SolanaService,
  type SolanaServiceOptions,
  type SolanaTestKeys,
} from '../../support/solana-service.ts';
import { mustOpen, offerOn, transferOnSolana, type TestTask } from '../../support/tasks/tasks.ts';

/** All share it: each test has keys of its own. */
let chain: SolanaChain;
let service: SolanaService;
let keys: SolanaTestKeys;
beforeAll(async () => {
  chain = await startSolanaChain({ slotMs: 50 });
});
afterAll(async () => {
  await chain.close();
});
beforeEach(() => {
  keys = { treasuryKey: randomSolanaKey(), taskKey: randomSolanaKey(), feePayerKey: randomSolanaKey() };
});
afterEach(async () => {
  await service.assertSound();
  await service.close();
});

async function start(options: Partial<SolanaServiceOptions> = {}): Promise<void> {
  service = await startSolanaService({ rpcUrl: chain.rpcUrl, fundSol: chain.fundSol, keys, ...options });
}

const taskAddress = () => service.parts.task?.key.address ?? '';

async function openOnSolana(task: Partial<TestTask> = {}) {
  const { transfers } = service.parts.apiNetwork;
  if (!transfers) throw new Error('tasks are not offered');
  // What is final before the first look at the chain counts as the operator's own; no network serves before.
  await eventually(async () => expect(await readCursor(service.store, 'solana')).not.toBeNull(), 20_000);
  const headBlock = (await transfers.head()) ?? 0;
  const networks = [{ network: 'solana' as const, address: transfers.address, headBlock }];
  const opened = await mustOpen(service.store, { networks, ...task });
  return { ...opened, offer: offerOn(opened.offers, 'solana') };
}

const newPayer = () => chain.createKeypair({ usdc: microUsdc(5_000_000n), lamports: 1_000_000_000n });

const newAddress = () => Keypair.generate().publicKey.toBase58();

type Sum = { address: string; amountMicroUsdc: bigint };

/** A transfer that can no longer vanish. */
async function transfer(from: Keypair, { address, amountMicroUsdc }: Sum, memo: string | null = null): Promise<string> {
  const signature = await transferOnSolana(chain, from, address, amountMicroUsdc, memo);
  chain.finalize();
  return signature;
}

async function untilPaid(taskId: string) {
  const paymentOf = async () => (await findTask(service.store, taskId))?.payment ?? null;
  await eventually(async () => expect(await paymentOf()).not.toBeNull(), 30_000);
  const payment = await paymentOf();
  if (payment === null) throw new Error('it was paid a moment ago');
  return payment;
}

/** Gives who was paid under this name an address on Solana. */
async function link(name: string, address: string): Promise<void> {
  const { identities } = service.store.tables;
  for (const { id, key } of await service.store.read.select().from(identities)) {
    if (key !== name) continue;
    const wallet = { identityId: id, network: 'solana' as const, address, source: 'test' };
    await linkWallet(service.store, wallet, service.solana.transferIdOf, Date.now());
  }
  service.worker?.wake();
}

test('a task is paid by its memo and the exact price, or by its own amount, is swept when a payout needs it or it is worth it, and paid out', async () => {
  await start();
  const payer = await newPayer();
  const small = await openOnSolana({ amount: 0.01 });
  const other = await openOnSolana({ amount: 0.01 });
  await transfer(payer, { address: small.offer.address, amountMicroUsdc: 10_000n }, small.task.memo);
  const payment = await untilPaid(small.task.id);
  expect(payment.answer).toMatchObject({ data: { amount: 0.01 } });
  expect(payment.answer?.['data']).not.toHaveProperty('extra');
  expect((await findTask(service.store, other.task.id))?.task.status).toBe('open');
  // It lies at the task address until a payout needs it.
  expect(await chain.usdcBalance(taskAddress())).toBe(10_000n);
  const [alice, bob] = [newAddress(), newAddress()];
  // The smallest payout can arrive only where an account is.
  await chain.rpc('local_openUsdcAccount', alice);
  await link('alice', alice);
  await eventually(async () => expect(await chain.usdcBalance(alice)).toBe(10_000n), 30_000);

  const large = await openOnSolana({ receiver: 'bob', amount: 1.5 });
  const signature = await transfer(payer, large.offer);
  const paid = await untilPaid(large.task.id);
  expect(paid).toMatchObject({ landedTransaction: signature, payer: payer.publicKey.toBase58() });
  await link('bob', bob);
  const { amountMicroUsdc } = large.offer;
  await eventually(async () => expect(await chain.usdcBalance(bob)).toBe(amountMicroUsdc), 30_000);
  expect(await chain.usdcBalance(taskAddress())).toBe(0n);
});

const STORED = 'sweep.after-store' satisfies Failpoint;

describe('after the service ended', () => {
  test('at each point of its way, the next one goes on: one payment, one sweep, one payout of each task', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'pennypost-tasks-'));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    const live = async (point: Failpoint | null) => {
      const { isOver, decorateWorker } = endingAt(point);
      await start({ databasePath: join(dir, 'tasks.sqlite'), decorateWorker });
      return async () => {
        await eventually(async () => expect(isOver()).toBe(true), 30_000);
        await service.close();
      };
    };
    const payer = await newPayer();
    let total = 0n;
    const payTask = async (receiver: string) => {
      const { task, offer } = await openOnSolana({ receiver, amount: 2 });
      await transfer(payer, offer);
      total += offer.amountMicroUsdc;
      return task.id;
    };
    const [earliest = null, ...later] = TASK_FAILPOINTS.filter((point) => point !== STORED);
    let end = await live(earliest);
    const taskIds = [await payTask('ann')];
    for (const point of later) {
      await end();
      end = await live(point);
    }
    await end();
    // What is stored is sent from its row, and comes to no later point: another task ends there.
    end = await live(STORED);
    taskIds.push(await payTask('ben'));
    await end();
    await live(null);
    for (const id of taskIds) await untilPaid(id);
    const person = newAddress();
    await Promise.all([link('ann', person), link('ben', person)]);
    await eventually(async () => expect(await chain.usdcBalance(person)).toBe(total), 30_000);
    expect(await chain.usdcBalance(taskAddress())).toBe(0n);
    const { payments, transfers } = service.store.tables;
    const paid = await service.store.read.select().from(payments);
    const left = await service.store.read.select().from(transfers);
    expect(paid).toHaveLength(2);
    expect(left.map(({ purpose }) => purpose).toSorted()).toEqual(['payout', 'payout', 'sweep', 'sweep']);
  });

  test('without its task key before, the address comes to the books with what it holds', async () => {
    const { taskKey, ...others } = keys;
    const dir = mkdtempSync(join(tmpdir(), 'pennypost-tasks-'));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    const databasePath = join(dir, 'tasks.sqlite');
    await start({ databasePath, keys: others });
    await eventually(async () => expect(await readCursor(service.store, 'solana')).not.toBeNull(), 20_000);
    await service.close();
    await chain.fundUsdc(readSolanaKey(taskKey ?? '').address, microUsdc(3_000_000n));
    chain.finalize();
    await start({ databasePath });
    // The operator's own from then on, it goes to the treasury like everything else.
    await eventually(async () => expect(await chain.usdcBalance(treasuryAddress())).toBe(3_000_000n), 30_000);
  });
});

/** A worker whose step ends whenever it comes to this point. */
function endingAt(point: Failpoint | null) {
  const { failpoint, isOver } = dyingAt(point);
  return { isOver, decorateWorker: (worker: SolanaWorker): SolanaWorker => ({ ...worker, failpoint }) };
}

const treasuryAddress = () => readSolanaKey(keys.treasuryKey).address;
