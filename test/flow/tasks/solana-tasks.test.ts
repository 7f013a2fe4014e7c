import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keypair } from '@solana/web3.js';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
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

let chain: SolanaChain;
let service: SolanaService;
let keys: SolanaTestKeys;
beforeEach(async () => {
  chain = await startSolanaChain({ slotMs: 50 });
  keys = { treasuryKey: randomSolanaKey(), taskKey: randomSolanaKey(), feePayerKey: randomSolanaKey() };
});
afterEach(async () => {
  await service.assertSound();
  await service.close();
  await chain.close();
});

async function start(options: Partial<SolanaServiceOptions> = {}): Promise<void> {
  service = await startSolanaService({ rpcUrl: chain.rpcUrl, fundSol: chain.fundSol, keys, ...options });
}

const taskAddress = () => service.parts.task?.key.address ?? '';

async function openOnSolana(task: Partial<TestTask> = {}) {
  const { transfers } = service.parts.apiNetwork;
  if (!transfers) throw new Error('tasks are not offered');
  const headBlock = (await transfers.head()) ?? 0;
  const networks = [{ network: 'solana' as const, address: transfers.address, headBlock }];
  const opened = await mustOpen(service.store, { networks, ...task });
  return { ...opened, offer: offerOn(opened.offers, 'solana') };
}

async function untilPaid(taskId: string) {
  const paymentOf = async () => (await findTask(service.store, taskId))?.payment ?? null;
  await eventually(async () => expect(await paymentOf()).not.toBeNull(), 30_000);
  const payment = await paymentOf();
  if (payment === null) throw new Error('it was paid a moment ago');
  return payment;
}

/** Gives everybody who was paid an address on Solana. */
async function linkEverybody(address: string): Promise<void> {
  const { identities } = service.store.tables;
  for (const { id } of await service.store.read.select().from(identities)) {
    const wallet = { identityId: id, network: 'solana' as const, address, source: 'test' };
    await linkWallet(service.store, wallet, service.solana.transferIdOf, Date.now());
  }
  service.worker?.wake();
}

describe('a task that is paid by a plain transfer on Solana', () => {
  test('by its own amount is settled, swept to the treasury and paid out from there', async () => {
    await start();
    const payer = await chain.createKeypair({ usdc: microUsdc(5_000_000n), lamports: 1_000_000_000n });
    const { task, offer } = await openOnSolana({ amount: 1.5 });
    const signature = await transferOnSolana(chain, payer, offer.address, offer.amountMicroUsdc);
    const payment = await untilPaid(task.id);
    expect(payment).toMatchObject({ landedTransaction: signature, payer: payer.publicKey.toBase58() });
    const person = Keypair.generate().publicKey.toBase58();
    await linkEverybody(person);
    await eventually(async () => expect(await chain.usdcBalance(person)).toBe(offer.amountMicroUsdc), 30_000);
    expect(await chain.usdcBalance(taskAddress())).toBe(0n);
  });

  test('by its memo and the exact price, below what is worth a transfer of its own', async () => {
    await start();
    const payer = await chain.createKeypair({ usdc: microUsdc(5_000_000n), lamports: 1_000_000_000n });
    const { task, offer } = await openOnSolana({ amount: 0.01 });
    const other = await openOnSolana({ amount: 0.01 });
    await transferOnSolana(chain, payer, offer.address, 10_000n, task.memo);
    const payment = await untilPaid(task.id);
    expect(payment.answer).toMatchObject({ data: { amount: 0.01 } });
    expect(payment.answer?.['data']).not.toHaveProperty('extra');
    expect((await findTask(service.store, other.task.id))?.task.status).toBe('open');
    // It lies at the task address until a payout needs it.
    expect(await chain.usdcBalance(taskAddress())).toBe(10_000n);
    await payIntoOwnAccount();
  });
});

const STORED = 'sweep.after-store' satisfies Failpoint;

describe('after the service ended', () => {
  // What is stored is sent from its row, and comes to no later point.
  const lives: [string, readonly Failpoint[]][] = [
    ['at the other points of its way, one after the other', TASK_FAILPOINTS.filter((one) => one !== STORED)],
    [`at ${STORED}`, [STORED]],
  ];
  test.each(lives)('%s, the next one goes on: one payment, one sweep, one payout', async (_name, points) => {
    const dir = mkdtempSync(join(tmpdir(), 'pennypost-tasks-'));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    const databasePath = join(dir, 'tasks.sqlite');
    let dying = endingAt(points[0] ?? null);
    await start({ databasePath, decorateWorker: dying.decorateWorker });
    const payer = await chain.createKeypair({ usdc: microUsdc(5_000_000n), lamports: 1_000_000_000n });
    const { task, offer } = await openOnSolana({ amount: 2 });
    await transferOnSolana(chain, payer, offer.address, offer.amountMicroUsdc);
    for (const point of [...points.slice(1), null]) {
      const { isOver } = dying;
      await eventually(async () => expect(isOver()).toBe(true), 30_000);
      await service.close();
      dying = endingAt(point);
      await start({ databasePath, decorateWorker: dying.decorateWorker });
    }
    await untilPaid(task.id);
    const person = Keypair.generate().publicKey.toBase58();
    await linkEverybody(person);
    await eventually(async () => expect(await chain.usdcBalance(person)).toBe(offer.amountMicroUsdc), 30_000);
    expect(await chain.usdcBalance(taskAddress())).toBe(0n);
    const { payments, transfers } = service.store.tables;
    const paid = await service.store.read.select().from(payments);
    const left = await service.store.read.select().from(transfers);
    expect(paid).toHaveLength(1);
    expect(left.map(({ purpose }) => purpose).toSorted()).toEqual(['payout', 'sweep']);
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

/** With an own account, so that the smallest payout can arrive. */
async function payIntoOwnAccount(): Promise<void> {
  const person = Keypair.generate().publicKey.toBase58();
  await chain.rpc('local_openUsdcAccount', person);
  await linkEverybody(person);
  await eventually(async () => expect(await chain.usdcBalance(person)).toBe(10_000n), 30_000);
}
