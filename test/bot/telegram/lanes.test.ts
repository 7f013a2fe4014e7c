import { expect, test, vi } from 'vitest';
import { AGAIN, SHOWN, type Turn } from '../../../bot/telegram/delivery.ts';
import { createLanes } from '../../../bot/telegram/lanes.ts';
import { createPace } from '../../../bot/telegram/pace.ts';
import { NO_LIMITS } from './telegram-harness.ts';

function create(turn: (key: string) => Promise<Turn>) {
  const nowMs = () => Date.now();
  return createLanes({ pace: createPace(NO_LIMITS, nowMs), turn, nowMs });
}

test('everybody in a chat has a turn before anybody has a second', async () => {
  const turns: string[] = [];
  const lanes = create(async (key) => {
    turns.push(key);
    return turns.length <= 3 ? AGAIN : SHOWN;
  });
  for (const key of ['a', 'b', 'c']) lanes.add(1, key, 0);
  await vi.waitFor(() => expect(lanes.size()).toBe(0));
  expect(turns).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
});

test('what is asked for again while it waits is one turn, while it is under way one more', async () => {
  const turns: string[] = [];
  let finish = () => {};
  const lanes = create(async (key) => {
    turns.push(key);
    await new Promise<void>((resolve) => (finish = resolve));
    return SHOWN;
  });
  lanes.add(1, 'a', 0);
  lanes.add(1, 'a', 0);
  await vi.waitFor(() => expect(turns).toEqual(['a']));
  lanes.add(1, 'a', 0);
  lanes.add(1, 'a', 0);
  finish();
  await vi.waitFor(() => expect(turns).toEqual(['a', 'a']));
  finish();
  await vi.waitFor(() => expect(lanes.size()).toBe(0));
});

test('a chat is told one thing at a time, others do not wait for it', async () => {
  const begun: string[] = [];
  const finish: (() => void)[] = [];
  const lanes = create(async (key) => {
    begun.push(key);
    await new Promise<void>((resolve) => finish.push(resolve));
    return SHOWN;
  });
  lanes.add(1, 'a1', 0);
  lanes.add(1, 'a2', 0);
  lanes.add(2, 'b1', 0);
  await vi.waitFor(() => expect(begun).toEqual(['a1', 'b1']));
  for (const each of finish.splice(0)) each();
  await vi.waitFor(() => expect(begun).toEqual(['a1', 'b1', 'a2']));
  for (const each of finish.splice(0)) each();
  await lanes.close();
});

test('closed, it finishes what is under way and begins nothing', async () => {
  const turns: string[] = [];
  const lanes = create(async (key) => {
    turns.push(key);
    return SHOWN;
  });
  lanes.add(1, 'a', 0);
  await lanes.close();
  lanes.add(1, 'b', 0);
  expect(turns).toEqual([]);
});
