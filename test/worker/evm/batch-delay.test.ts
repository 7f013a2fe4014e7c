/** How long batches of a crowd gather, and which of them do. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TIGHT_ITEMS_MAX } from '../../../chain/evm/rpc/fees.ts';
import type { Lane } from '../../../chain/signing/evm.ts';
import { CARRIERS } from '../../../core/transfers/carriers.ts';
import type { EvmWorker } from '../../../worker/dependencies.ts';
import { settlementRound } from '../../../worker/evm/engine.ts';
import { createBatchDelay } from '../../../worker/evm/lanes/batch-delay.ts';
import type { LaneScheduler } from '../../../worker/evm/lanes/lane-scheduler.ts';
import { openBooks, type Books } from '../../support/books.ts';

const BLOCK_MS = 2_000;

/** Blocks come at every full 2 s; `perMs` payments a millisecond, until `untilMs`. */
function crowd({ perMs, untilMs, startMs = 0, isKnown = true }: Crowd) {
  let [nowMs, come] = [startMs, 0];
  const pause = async (ms: number) => {
    nowMs += ms;
    arrive();
  };
  const blockLeft = () => (isKnown ? 1 - (nowMs % BLOCK_MS) / BLOCK_MS : 0);
  const delay = createBatchDelay({ now: () => nowMs, blockMs: BLOCK_MS, blockLeft, pause });
  function arrive() {
    const due = Math.floor((Math.min(nowMs, untilMs) - startMs) * perMs);
    for (; come < due; come += 1) delay.noteArrival();
  }
  async function took(step: () => Promise<void>): Promise<number> {
    const beforeMs = nowMs;
    await step();
    return nowMs - beforeMs;
  }
  return { delay, took, pause, come: () => come };
}
type Crowd = { perMs: number; untilMs: number; startMs?: number; isKnown?: boolean };

test('a lone payment waits for nobody', async () => {
  const { delay, took } = crowd({ perMs: 0, untilMs: 0 });
  delay.noteArrival();
  expect(await took(() => delay.wait())).toBe(0);
  expect(await took(() => delay.gather())).toBe(0);
});

test('a batch behind another gathers until it can be full', async () => {
  const { delay, took, pause, come } = crowd({ perMs: 0.5, untilMs: BLOCK_MS });
  await pause(100);
  expect(await took(() => delay.wait())).toBeLessThanOrEqual(60);
  delay.noteSent(come());
  const ms = await took(() => delay.gather());
  expect(ms).toBeGreaterThanOrEqual(TIGHT_ITEMS_MAX / 0.5);
  expect(ms).toBeLessThan(TIGHT_ITEMS_MAX / 0.5 + 150);
});

test('those that the one before left behind count', async () => {
  const { delay, took, pause, come } = crowd({ perMs: 1, untilMs: 500 });
  await pause(500);
  delay.noteSent(come() - TIGHT_ITEMS_MAX);
  expect(await took(() => delay.gather())).toBe(0);
});

test('it leaves once nobody comes any more', async () => {
  const { delay, took, pause } = crowd({ perMs: 0.5, untilMs: 160 });
  await pause(100);
  delay.noteSent(50);
  expect(await took(() => delay.gather())).toBe(300);
});

test('it leaves before the block', async () => {
  const { delay, took, pause } = crowd({ perMs: 0.1, untilMs: 10_000 });
  await pause(900);
  delay.noteSent(90);
  expect(await took(() => delay.gather())).toBe(200);
  expect(await took(() => delay.gather())).toBe(0);
});

test('a round that another block has overtaken does not gather for the one after it', async () => {
  const { delay, took, pause } = crowd({ perMs: 0.05, untilMs: 10_000 });
  await pause(1_000);
  await delay.gather();
  await pause(1_100);
  expect(await took(() => delay.gather())).toBe(0);
  delay.begin();
  expect(await took(() => delay.gather())).toBe(900);
});

test('those that leave alone are not gathered for a second time', async () => {
  const { delay, took, pause } = crowd({ perMs: 0.5, untilMs: 10_000 });
  await pause(100);
  expect(await took(() => delay.gather())).toBeGreaterThan(0);
  delay.noteSent(100);
  expect(await took(() => delay.gather())).toBe(0);
});

test('where nobody knows when a block comes, it does not gather', async () => {
  const { delay, took, pause } = crowd({ perMs: 1, untilMs: 1_000, isKnown: false });
  await pause(100);
  expect(await took(() => delay.gather())).toBe(0);
});

let books: Books;
beforeAll(async () => void (books = await openBooks()));
afterAll(() => books.close());

test.each([
  ['all lanes are free', 2, 1, 0],
  ['one is on its way', 1, 1, 1],
  ['none is free', 0, 0, 0],
])('the first batch gathers for nobody: %s', async (_name, free, looks, gathered) => {
  const lanes = [{ address: '0x01' }, { address: '0x02' }] as unknown as Lane[];
  const holder = { want: () => ({ isHeld: () => false, onTaken: () => undefined }) };
  const { store, clock } = books;
  const rpc = { payerStates: async () => [] };
  const profile = { network: 'base' };
  const settings = { carriers: CARRIERS };
  const worker = { store, lanes, holder, profile, rpc, settings, now: () => clock.nowMs } as unknown as EvmWorker;
  const counted = { looks: 0, gathered: 0 };
  const scheduler: LaneScheduler = {
    start: async () => undefined,
    freeLanes: async () => ({ free: lanes.slice(0, free), othersWait: free < lanes.length }),
    send: async () => 'sent',
    sentCount: () => 0,
    keepMoving: async () => undefined,
  };
  const delay = {
    begin: () => undefined,
    gather: async () => void (counted.gathered += 1),
    noteSent: () => void (counted.looks += 1),
  };
  await settlementRound(worker, scheduler, delay);
  // Nothing waits, so the first look ends the round.
  expect(counted).toEqual({ looks, gathered });
});
