import { eq } from 'drizzle-orm';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { TASK_FAILPOINTS, type Failpoint } from '../../../core/failpoints.ts';
import { openingBalance } from '../../../core/ledger.ts';
import { microUsdc } from '../../../core/money.ts';
import { postEntry } from '../../../db/ledger/ledger.ts';
import { readCursor } from '../../../db/scan/cursor.ts';
import { signingStops } from '../../../db/store/stops.ts';
import { dyingAt } from '../../support/chains/dying.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import type { EvmWorker } from '../../../worker/dependencies.ts';
import { signOnEvm, transferOnBase } from '../../support/tasks/tasks.ts';
import { useTaskWorld } from '../../support/tasks/task-world.ts';

const world = useTaskWorld();

describe('money at the task address', () => {
  test('is not paid out with other money at the treasury that nothing explains', async () => {
    const { hold, decorateWorker } = sweepHolder();
    await world.start({ decorateWorker });
    const payer = await world.chain.createAccount({ usdc: microUsdc(9_000_000n) });
    const person = await world.chain.createAccount({ wei: 0n });
    const { task: known, offer: first } = await world.openOnBase({ amount: 0.01 });
    await transferOnBase(world.chain, payer, first.address, first.amountMicroUsdc);
    await world.untilPaid(known.id);
    await world.linkEverybody(person.address);
    await eventually(
      async () => expect(await world.chain.usdcBalance(person.address)).toBe(first.amountMicroUsdc),
      20_000,
    );
    hold(true);
    const stray = 2_000_000n;
    await transferOnBase(world.chain, payer, world.service.parts.treasury.address, stray);
    const { task, offer } = await world.openOnBase({ amount: 0.5 });
    await transferOnBase(world.chain, payer, offer.address, offer.amountMicroUsdc);
    await world.untilPaid(task.id);
    // Each look at the payout that finds no money for it puts it off.
    const looks = new Set<number>();
    await eventually(async () => {
      const { read, tables } = world.service.store;
      for (const { status, nextTryAtMs } of await read.select().from(tables.transfers))
        if (status === 'queued' && nextTryAtMs > 0) looks.add(nextTryAtMs);
      expect(looks.size).toBeGreaterThan(2);
    }, 20_000);
    await world.chain.mine(2);
    expect(await world.balances()).toEqual({ task: offer.amountMicroUsdc, treasury: stray });
    hold(false);
    const wanted = first.amountMicroUsdc + offer.amountMicroUsdc;
    await eventually(async () => expect(await world.chain.usdcBalance(person.address)).toBe(wanted), 20_000);
    expect(await world.balances()).toEqual({ task: 0n, treasury: stray });
    expect(await signingStops(world.service.store)).toEqual([]);
  });

  test('is swept in the next generation when the first has run out unused', async () => {
    const { hold, decorateWorker } = sweepHolder();
    await world.start({ decorateWorker });
    const payer = await world.chain.createAccount({ usdc: microUsdc(5_000_000n) });
    const { task, offer } = await world.openOnBase({ amount: 2 });
    hold(true);
    await transferOnBase(world.chain, payer, offer.address, offer.amountMicroUsdc);
    await world.untilPaid(task.id);
    const { transfers } = world.service.store.tables;
    const isSweep = eq(transfers.purpose, 'sweep');
    const sweep = async () => (await world.service.store.read.select().from(transfers).where(isSweep))[0];
    await eventually(async () => expect(await sweep()).toMatchObject({ status: 'assigned', generation: 0 }), 20_000);
    await world.chain.advanceTime(3_700);
    await eventually(async () => expect((await sweep())?.generation).toBe(1), 20_000);
    hold(false);
    await eventually(async () => expect(await sweep()).toMatchObject({ status: 'final', generation: 1 }), 20_000);
    expect(await world.balances()).toEqual({ task: 0n, treasury: offer.amountMicroUsdc });
  });

  test('that loses its block after it was matched is settled again when it lands again', async () => {
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
  });
});

test('books that say something else about the task address than the chain stop signing', async () => {
  await world.start();
  const network = 'base' as const;
  await eventually(async () => expect(await readCursor(world.service.store, network)).not.toBeNull(), 20_000);
  const address = world.service.parts.task?.address ?? '';
  const entry = openingBalance({ network, address, amount: 1n });
  const { store } = world.service;
  const post = (wrong: typeof entry) => store.tx((db) => postEntry(db, store.tables, wrong, Date.now()));
  await post(entry);
  await expect(world.service.assertSound()).rejects.toThrow('ledger = chain');
  const reversed = entry.postings.map((posting) => ({ ...posting, amount: -posting.amount }));
  await post({ cause: 'again', postings: reversed });
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
    await world.start({ databasePath, decorateWorker: dying.decorateWorker });
    const payer = await world.chain.createAccount({ usdc: microUsdc(5_000_000n) });
    const person = await world.chain.createAccount({ wei: 0n });
    const { task, offer } = await world.openOnBase({ amount: 2 });
    await transferOnBase(world.chain, payer, offer.address, offer.amountMicroUsdc);
    for (const point of [...points.slice(1), null]) {
      const { isOver } = dying;
      await eventually(async () => expect(isOver()).toBe(true), 20_000);
      await world.service.close();
      dying = endingAt(point);
      await world.start({ databasePath, decorateWorker: dying.decorateWorker });
    }
    await world.untilPaid(task.id);
    await world.linkEverybody(person.address);
    await eventually(
      async () => expect(await world.chain.usdcBalance(person.address)).toBe(offer.amountMicroUsdc),
      20_000,
    );
    await eventually(async () => expect(await world.balances()).toEqual({ task: 0n, treasury: 0n }), 20_000);
    const { payments, transfers } = world.service.store.tables;
    const paid = await world.service.store.read.select().from(payments);
    const left = await world.service.store.read.select().from(transfers);
    expect(paid).toHaveLength(1);
    expect(left.map(({ purpose }) => purpose).toSorted()).toEqual(['payout', 'sweep']);
  });
});

/** A worker whose step ends whenever it comes to this point. */
function endingAt(point: Failpoint | null) {
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
