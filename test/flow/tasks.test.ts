import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { encodeTransfer } from '../../chain/base/authorization.ts';
import { TASK_FAILPOINTS, type Failpoint } from '../../core/failpoints.ts';
import { microUsdc } from '../../core/money.ts';
import { findTask, transfersSeen } from '../../db/tasks/find.ts';
import { signingStops } from '../../db/stops.ts';
import { linkWallet } from '../../db/wallets.ts';
import type { Identity } from '../../identity/port.ts';
import { createLocalIdentity } from '../../local/identity.ts';
import { eventually } from '../../scripts/torture/eventually.ts';
import type { BaseWorker } from '../../worker/dependencies.ts';
import { signAuthorization, startBaseChain, toAuthorization, type BaseChain } from '../support/base-chain.ts';
import { startTestService, type TestService, type TestServiceOptions } from '../support/service.ts';
import { mustOpen, offerOn, sendOnBase, signOnBase, transferOnBase, type TestTask } from '../support/tasks.ts';

type Hex = `0x${string}`;
const randomKey = () => `0x${randomBytes(32).toString('hex')}` as Hex;

let chain: BaseChain;
let service: TestService;
let keys: NonNullable<TestServiceOptions['keys']>;
beforeEach(async () => {
  chain = await startBaseChain({ blockTimeMs: 200 });
  keys = { treasuryKey: randomKey(), taskKey: randomKey(), laneKeys: [randomKey(), randomKey()] };
});
afterEach(async () => {
  await service.assertSound();
  await service.close();
  await chain.close();
});

async function start(options: Partial<TestServiceOptions> = {}): Promise<void> {
  service = await startTestService({ rpcUrl: chain.rpcUrl, fundEth: chain.fundEth, keys, ...options });
}

/** As the API opens one: with the head of the chain at that moment. */
async function openOnBase(task: Partial<TestTask> = {}) {
  const { transfers } = service.parts.apiNetwork;
  if (!transfers) throw new Error('tasks are not offered');
  const headBlock = (await transfers.head()) ?? 0;
  const opened = await mustOpen(service.store, {
    networks: [{ network: 'base', address: transfers.address, headBlock }],
    ...task,
  });
  return { ...opened, offer: offerOn(opened.offers, 'base') };
}

const paymentOf = async (taskId: string) => (await findTask(service.store, taskId))?.payment ?? null;

/** Waits until the task is paid; answers what it was told. */
async function untilPaid(taskId: string) {
  await eventually(async () => expect(await paymentOf(taskId)).not.toBeNull(), 20_000);
  const payment = await paymentOf(taskId);
  if (payment === null) throw new Error('it was paid a moment ago');
  return payment;
}

const balances = async () => ({
  task: await chain.usdcBalance(service.parts.task?.address ?? '0x'),
  treasury: await chain.usdcBalance(service.parts.treasury.address),
});

describe('a task that is paid by a plain transfer on Base', () => {
  test('is settled, swept to the treasury and paid out from there', async () => {
    await start();
    const payer = await chain.createAccount({ usdc: microUsdc(5_000_000n) });
    const person = await chain.createAccount({ wei: 0n });
    const { task, offer } = await openOnBase({ amount: 1.5 });
    expect(offer.amountMicroUsdc).toBeGreaterThan(1_500_000n);
    expect(offer.amountMicroUsdc % 1_000n).not.toBe(0n);
    const hash = await transferOnBase(chain, payer, offer.address, offer.amountMicroUsdc);
    const payment = await untilPaid(task.id);
    const extra = Number(offer.amountMicroUsdc - 1_500_000n) / 1_000_000;
    expect(payment.landedTransaction).toBe(hash);
    expect(payment.answer).toMatchObject({ code: 200, data: { amount: 1.5 + extra, extra, status: 'pending_claim' } });
    await linkEverybody(person.address);
    await eventually(async () => expect(await chain.usdcBalance(person.address)).toBe(offer.amountMicroUsdc), 20_000);
    await eventually(async () => expect(await balances()).toEqual({ task: 0n, treasury: 0n }), 20_000);
  });

  test('too small to be worth a transfer of its own is swept when its payout needs it', async () => {
    await start();
    const payer = await chain.createAccount({ usdc: microUsdc(5_000_000n) });
    const person = await chain.createAccount({ wei: 0n });
    const { task, offer } = await openOnBase({ amount: 0.01 });
    await transferOnBase(chain, payer, offer.address, offer.amountMicroUsdc);
    await untilPaid(task.id);
    expect(await balances()).toEqual({ task: offer.amountMicroUsdc, treasury: 0n });
    await linkEverybody(person.address);
    await eventually(async () => expect(await chain.usdcBalance(person.address)).toBe(offer.amountMicroUsdc), 20_000);
    expect(await balances()).toEqual({ task: 0n, treasury: 0n });
  });

  test('is not paid out with other money at the treasury that nothing explains', async () => {
    let isHeld = false;
    const decorateWorker = (worker: BaseWorker): BaseWorker => {
      const { rpc } = worker;
      const from = (worker.task?.address ?? '').slice(2);
      /** While sweeps are held, each looks as if it would fail. */
      const simulateBatch: typeof rpc.simulateBatch = async (batch) => {
        const results = await rpc.simulateBatch(batch);
        return isHeld && batch.calls.some((call) => call.includes(from)) ? [{ success: false, data: '0x' }] : results;
      };
      return { ...worker, rpc: { ...rpc, simulateBatch } };
    };
    await start({ decorateWorker });
    const payer = await chain.createAccount({ usdc: microUsdc(9_000_000n) });
    const person = await chain.createAccount({ wei: 0n });
    const { task: known, offer: first } = await openOnBase({ amount: 0.01 });
    await transferOnBase(chain, payer, first.address, first.amountMicroUsdc);
    await untilPaid(known.id);
    await linkEverybody(person.address);
    await eventually(async () => expect(await chain.usdcBalance(person.address)).toBe(first.amountMicroUsdc), 20_000);
    isHeld = true;
    const stray = 2_000_000n;
    await transferOnBase(chain, payer, service.parts.treasury.address, stray);
    const { task, offer } = await openOnBase({ amount: 0.5 });
    await transferOnBase(chain, payer, offer.address, offer.amountMicroUsdc);
    await untilPaid(task.id);
    const { number } = await chain.client.getBlock();
    await eventually(async () => expect((await chain.client.getBlock()).number).toBeGreaterThan(number + 10n), 20_000);
    expect(await balances()).toEqual({ task: offer.amountMicroUsdc, treasury: stray });
    isHeld = false;
    const wanted = first.amountMicroUsdc + offer.amountMicroUsdc;
    await eventually(async () => expect(await chain.usdcBalance(person.address)).toBe(wanted), 20_000);
    expect(await balances()).toEqual({ task: 0n, treasury: stray });
    expect(await signingStops(service.store)).toEqual([]);
  });

  test('and loses its block after it was matched is settled again when it lands again', async () => {
    // A block comes when it is wanted: what is matched must not be final before it is lost.
    await chain.close();
    chain = await startBaseChain({ blockTimeMs: 0 });
    await start();
    const payer = await chain.createAccount({ usdc: microUsdc(5_000_000n) });
    const { task, offer } = await openOnBase({ amount: 0.5 });
    const raw = await signOnBase(chain, payer, offer.address, offer.amountMicroUsdc);
    const hash = await chain.client.sendRawTransaction({ serializedTransaction: raw });
    await chain.mine(2);
    const before = await untilPaid(task.id);
    expect(before.status).toBe('settled');
    await chain.reorg(2);
    await eventually(async () => expect((await paymentOf(task.id))?.status).toBe('settling'), 20_000);
    expect(await balances()).toEqual({ task: 0n, treasury: 0n });
    await chain.client.sendRawTransaction({ serializedTransaction: raw });
    await chain.mine(4);
    await eventually(async () => expect((await paymentOf(task.id))?.status).toBe('final'), 20_000);
    expect(await paymentOf(task.id)).toMatchObject({ id: before.id, landedTransaction: hash, answer: before.answer });
    expect(await balances()).toEqual({ task: offer.amountMicroUsdc, treasury: 0n });
  });

  test('is one of several at once: two of one price, and what fits none waits for the operator', async () => {
    await start();
    const payer = await chain.createAccount({ usdc: microUsdc(9_000_000n) });
    const [first, second] = [await openOnBase({ receiver: 'alice' }), await openOnBase({ receiver: 'bob' })];
    const stray = await transferOnBase(chain, payer, first.offer.address, 1_000_000n);
    const ofSecond = await transferOnBase(chain, payer, first.offer.address, second.offer.amountMicroUsdc);
    const ofFirst = await transferOnBase(chain, payer, first.offer.address, first.offer.amountMicroUsdc);
    expect((await untilPaid(first.task.id)).landedTransaction).toBe(ofFirst);
    expect((await untilPaid(second.task.id)).landedTransaction).toBe(ofSecond);
    await eventually(async () => expect((await balances()).task).toBe(1_000_000n), 20_000);
    expect(await transfersSeen(service.store, 'base', stray)).toMatchObject([{ consumedBy: null }]);
  });

  test('by a signed authorization that somebody else sent, as wallets without gas do', async () => {
    await start();
    const payer = await chain.createAccount({ usdc: microUsdc(2_000_000n), wei: 0n });
    const { task, offer } = await openOnBase();
    const to = offer.address as Hex;
    const authorization = toAuthorization({ from: payer.address, to, value: offer.amountMicroUsdc });
    const signature = await signAuthorization(payer, authorization);
    const message = { ...authorization, validAfter: 0, validBefore: Number(authorization.validBefore) };
    const relayer = await chain.createAccount();
    await sendOnBase(chain, relayer, encodeTransfer(message, signature));
    expect((await untilPaid(task.id)).payer).toBe(payer.address.toLowerCase());
  });

  test('and whose receiver nobody has goes back to where its caller said', async () => {
    const identity: Identity = { ...createLocalIdentity('configured'), resolve: async () => ({ kind: 'not-found' }) };
    await start({ identity });
    const payer = await chain.createAccount({ usdc: microUsdc(2_000_000n) });
    const address = (await chain.createAccount({ wei: 0n })).address.toLowerCase();
    const { task, offer } = await openOnBase({ refund: { network: 'base', address } });
    await transferOnBase(chain, payer, offer.address, offer.amountMicroUsdc);
    await untilPaid(task.id);
    await eventually(async () => expect(await chain.usdcBalance(address as Hex)).toBe(offer.amountMicroUsdc), 30_000);
  });
});

describe('after the service ended', () => {
  test.each(TASK_FAILPOINTS)('at %s, the next one goes on: one payment, one sweep, one payout', async (point) => {
    const dir = mkdtempSync(join(tmpdir(), 'pennypost-tasks-'));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    const databasePath = join(dir, 'tasks.sqlite');
    let struck = 0;
    const failpoint = (name: Failpoint) => {
      if (name !== point) return;
      struck += 1;
      throw new Error(`the service ends at ${point}`);
    };
    await start({ databasePath, decorateWorker: (worker) => ({ ...worker, failpoint }) });
    const payer = await chain.createAccount({ usdc: microUsdc(5_000_000n) });
    const person = await chain.createAccount({ wei: 0n });
    const { task, offer } = await openOnBase({ amount: 2 });
    await transferOnBase(chain, payer, offer.address, offer.amountMicroUsdc);
    await eventually(async () => expect(struck).toBeGreaterThan(0), 20_000);
    await service.close();
    await start({ databasePath });
    await untilPaid(task.id);
    await linkEverybody(person.address);
    await eventually(async () => expect(await chain.usdcBalance(person.address)).toBe(offer.amountMicroUsdc), 20_000);
    await eventually(async () => expect(await balances()).toEqual({ task: 0n, treasury: 0n }), 20_000);
    const { payments, payouts, sweeps } = service.store.tables;
    const rows = await Promise.all([payments, payouts, sweeps].map((table) => service.store.read.select().from(table)));
    expect(rows.map(({ length }) => length)).toEqual([1, 1, 1]);
  });
});

/** Gives everybody who was paid an address on Base. */
async function linkEverybody(address: string): Promise<void> {
  const { identities } = service.store.tables;
  for (const { id } of await service.store.read.select().from(identities)) {
    const wallet = { identityId: id, network: 'base', address: address.toLowerCase(), source: 'test' };
    await linkWallet(service.store, wallet, service.base.ids.payoutId, Date.now());
  }
  service.worker?.wake();
}
