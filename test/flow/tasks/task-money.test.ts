import { eq } from 'drizzle-orm';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { TASK_FAILPOINTS, type Failpoint } from '../../../core/failpoints.ts';
import { openingBalance } from '../../../core/ledger.ts';
import { microUsdc } from '../../../core/money.ts';
import { postEntry } from '../../../db/ledger/ledger.ts';
import { signingStops } from '../../../db/store/stops.ts';
import { dyingAt } from '../../support/chains/dying.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import type { EvmWorker } from '../../../worker/dependencies.ts';
import { signOnEvm, transferOnBase } from '../../support/tasks/tasks.ts';
import { useTaskWorld } from '../../support/tasks/task-world.ts';

const world = useTaskWorld();

describe('money at the task address', () => {
  test('that loses its block after it was matched is settled again when it lands again; books that say otherwise are noticed', async () => {
    // A block comes when it is wanted: what is matched must not be final before it is lost.
    await world.standStill();
    await world.start();
    const payer = await world.chain.createAccount({ usdc: microUsdc(5_000_000n) });
    const { task, offer } = await world.openOnBase({ amount: 0.5 });
    const raw = await signOnEvm(world.chain, payer, offer.address, offer.amountMicroUsdc);
    const hash = await world.chain.client.sendRawTransaction({ serializedTransaction: raw });
    await world.chain.mine(2);
    const before = await world.untilPaid(task.id);
    expect(before.status).toBe('settled');
    await world.chain.reorg(2);
    await eventually(async () => expect((await world.paymentOf(task.id))?.status).toBe('settling'), 20_000);
    expect(await world.balances()).toEqual({ task: 0n, treasury: 0n });
    await world.chain.client.sendRawTransaction({ serializedTransaction: raw });
    await world.chain.mine(4);
    await eventually(async () => expect((await world.paymentOf(task.id))?.status).toBe('final'), 20_000);
    expect(await world.paymentOf(task.id)).toMatchObject({
      id: before.id,
      landedTransaction: hash,
      answer: before.answer,
    });
    expect(await world.balances()).toEqual({ task: offer.amountMicroUsdc, treasury: 0n });
    await spoilBooks();
  });
});

/** The books say something else about the task address than the chain, for a moment. */
async function spoilBooks(): Promise<void> {
  const network = 'base' as const;
  const address = world.service.parts.task?.address ?? '';
  const entry = openingBalance({ network, address, amount: 1n });
  const { store } = world.service;
  const post = (wrong: typeof entry) => store.tx((db) => postEntry(db, store.tables, wrong, Date.now()));
  await post(entry);
  await expect(world.service.assertSound()).rejects.toThrow('ledger = chain');
  const reversed = entry.postings.map((posting) => ({ ...posting, amount: -posting.amount }));
  await post({ cause: 'again', postings: reversed });
}

const STORED = 'sweep.after-store' satisfies Failpoint;

describe('money of tasks', () => {
  test('whose service ended at each point of their way is one payment, one sweep, one payout of each', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'pennypost-tasks-'));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    const databasePath = join(dir, 'tasks.sqlite');
    const live = async (point: Failpoint) => {
      const { isOver, decorateWorker } = endingAt(point);
      await world.start({ databasePath, decorateWorker });
      return async () => {
        await eventually(async () => expect(isOver()).toBe(true), 20_000);
        await world.service.close();
      };
    };
    const payer = await world.chain.createAccount({ usdc: microUsdc(9_000_000n) });
    const person = await world.chain.createAccount({ wei: 0n });
    let total = 0n;
    const payTask = async (receiver: string) => {
      const { task, offer } = await world.openOnBase({ receiver, amount: 2 });
      await transferOnBase(world.chain, payer, offer.address, offer.amountMicroUsdc);
      total += offer.amountMicroUsdc;
      return task.id;
    };
    const isSwept = () =>
      eventually(async () => expect(await world.balances()).toEqual({ task: 0n, treasury: total }), 20_000);

    const [first, ...others] = TASK_FAILPOINTS.filter((one) => one !== STORED);
    if (first === undefined) throw new Error('a task passes no point');
    let end = await live(first);
    const firstId = await payTask('ann');
    // What is stored is sent from its row, and comes to no later point: another task ends there.
    for (const point of [...others, STORED] satisfies Failpoint[]) {
      await end();
      end = await live(point);
    }
    await world.untilPaid(firstId);
    await isSwept();
    const secondId = await payTask('ben');
    await end();
    const { hold, decorateWorker } = sweepHolder();
    await world.start({ databasePath, decorateWorker });
    await world.untilPaid(secondId);
    await isSwept();
    await world.linkEverybody(person.address);
    await eventually(async () => expect(await world.chain.usdcBalance(person.address)).toBe(total), 20_000);
    await eventually(async () => expect(await world.balances()).toEqual({ task: 0n, treasury: 0n }), 20_000);
    const { payments, transfers } = world.service.store.tables;
    const paid = await world.service.store.read.select().from(payments);
    const left = await world.service.store.read.select().from(transfers);
    expect(paid).toHaveLength(2);
    expect(left.map(({ purpose }) => purpose).toSorted()).toEqual(['payout', 'payout', 'sweep', 'sweep']);
    await sweepsAgainWhatRanOut(hold, person.address);
  });

  /** It is not paid out with other money at the treasury; its sweep runs out unused, and the next one moves it. */
  async function sweepsAgainWhatRanOut(hold: (wanted: boolean) => void, person: `0x${string}`): Promise<void> {
    const { read, tables } = world.service.store;
    const ofPurpose = (purpose: 'payout' | 'sweep') =>
      read.select().from(tables.transfers).where(eq(tables.transfers.purpose, purpose));
    const former = new Set((await ofPurpose('sweep')).map(({ id }) => id));
    const sweep = async () => (await ofPurpose('sweep')).find(({ id }) => !former.has(id));
    const payer = await world.chain.createAccount({ usdc: microUsdc(9_000_000n) });
    hold(true);
    const stray = 2_000_000n;
    await transferOnBase(world.chain, payer, world.service.parts.treasury.address, stray);
    const { task, offer } = await world.openOnBase({ amount: 0.5 });
    await transferOnBase(world.chain, payer, offer.address, offer.amountMicroUsdc);
    await world.untilPaid(task.id);
    const wanted = (await world.chain.usdcBalance(person)) + offer.amountMicroUsdc;
    await world.linkEverybody(person);
    // Each look at the payout that finds no money for it puts it off.
    const looks = new Set<number>();
    await eventually(async () => {
      for (const { status, nextTryAtMs } of await ofPurpose('payout'))
        if (status === 'queued' && nextTryAtMs > 0) looks.add(nextTryAtMs);
      expect(looks.size).toBeGreaterThan(2);
    }, 20_000);
    await eventually(async () => expect(await sweep()).toMatchObject({ status: 'assigned', generation: 0 }), 20_000);
    await world.chain.mine(2);
    expect(await world.balances()).toEqual({ task: offer.amountMicroUsdc, treasury: stray });
    await world.chain.advanceTime(3_700);
    await eventually(async () => expect((await sweep())?.generation).toBe(1), 20_000);
    hold(false);
    await eventually(async () => expect(await world.chain.usdcBalance(person)).toBe(wanted), 20_000);
    await eventually(async () => expect(await sweep()).toMatchObject({ status: 'final', generation: 1 }), 20_000);
    expect(await world.balances()).toEqual({ task: 0n, treasury: stray });
    expect(await signingStops(world.service.store)).toEqual([]);
  }
});

/** A worker whose step ends whenever it comes to this point. */
function endingAt(point: Failpoint) {
  const { failpoint, isOver } = dyingAt(point);
  return { isOver, decorateWorker: (worker: EvmWorker): EvmWorker => ({ ...worker, failpoint }) };
}

/** While it holds them, each sweep looks to our worker as if it would fail. */
function sweepHolder() {
  let isHeld = false;
  const decorateWorker = (worker: EvmWorker): EvmWorker => {
    const { rpc } = worker;
    const from = (worker.task?.address ?? '').slice(2);
    const simulateBatch: typeof rpc.simulateBatch = async (batch) => {
      const results = await rpc.simulateBatch(batch);
      return isHeld && batch.calls.some((call) => call.includes(from)) ? [{ success: false, data: '0x' }] : results;
    };
    return { ...worker, rpc: { ...rpc, simulateBatch } };
  };
  const hold = (wanted: boolean) => {
    isHeld = wanted;
  };
  return { hold, decorateWorker };
}
