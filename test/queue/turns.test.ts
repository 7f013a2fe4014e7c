import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createTurns } from '../../queue/turns.ts';

const MANY = 200;
/** Of work for each, which the event loop cannot interrupt. */
const EACH_MS = 2;
const TURN_MS = 8;

function work(ms: number): void {
  for (const endMs = performance.now() + ms; performance.now() < endMs;);
}

/** How often the event loop comes round while that goes on, and the longest it stays away. */
async function watchLoop(task: () => Promise<unknown>): Promise<{ rounds: number; longestMs: number }> {
  let isOver = false;
  const watched = { rounds: 0, longestMs: 0 };
  let lastMs = performance.now();
  const look = () => {
    const nowMs = performance.now();
    watched.longestMs = Math.max(watched.longestMs, nowMs - lastMs);
    watched.rounds += 1;
    lastMs = nowMs;
    if (!isOver) setTimeout(look, 0);
  };
  const first = setTimeout(look, 0);
  await task();
  isOver = true;
  clearTimeout(first);
  await sleep(5);
  return watched;
}

/** Works in three pieces, which are one for the event loop. */
async function doOne(turn: () => Promise<void>): Promise<void> {
  await turn();
  for (let piece = 0; piece < 2; piece += 1) {
    work(EACH_MS / 2);
    await Promise.resolve();
  }
}

test('what many do at once lets the event loop go round', async () => {
  const turn = createTurns(TURN_MS);
  const { rounds } = await watchLoop(() => Promise.all(Array.from({ length: MANY }, () => doOne(turn))));
  // Other programs may take the processor meanwhile, which makes the turns fewer and never more than one for each.
  expect(rounds).toBeGreaterThan(20);
});

test('control: without turns it stands still until all is done', async () => {
  const { rounds } = await watchLoop(() =>
    Promise.all(Array.from({ length: MANY }, () => doOne(() => Promise.resolve()))),
  );
  expect(rounds).toBeLessThan(5);
});

test('several go on within a turn, and one after the other, as they came', async () => {
  const turn = createTurns(1_000);
  const order: string[] = [];
  const begin = async (name: string) => {
    await turn();
    order.push(`${name} begins`);
    await Promise.resolve();
    order.push(`${name} waits`);
  };
  const { rounds } = await watchLoop(() => Promise.all(['a', 'b', 'c'].map(begin)));
  expect(order).toEqual(['a begins', 'a waits', 'b begins', 'b waits', 'c begins', 'c waits']);
  expect(rounds).toBeLessThan(5);
});

test('one that fails in its turn takes it from nobody', async () => {
  const turn = createTurns();
  const fail = async () => {
    await turn();
    throw new Error('failed');
  };
  const outcomes = await Promise.allSettled([fail(), doOne(turn), fail(), doOne(turn)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled']);
  await doOne(turn);
});
