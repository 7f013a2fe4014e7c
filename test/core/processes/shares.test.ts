import { expect, test } from 'vitest';
import { shareOf } from '../../../core/processes/shares.ts';

const THINGS = ['a', 'b', 'c', 'd'];

/** Each process decides in turn, until none wants anything more. */
function settle(processes: readonly string[], start: Readonly<Record<string, string>> = {}) {
  const holders = new Map(Object.entries(start));
  const holderOf = (thing: string) => holders.get(thing) ?? null;
  for (let rounds = 0; rounds < 10; rounds += 1) {
    let moved = 0;
    for (const process of processes) {
      const { take, giveUp } = shareOf(process, { things: THINGS, holderOf, takers: processes });
      for (const thing of giveUp) holders.delete(thing);
      for (const thing of take) holders.set(thing, process);
      moved += take.length + giveUp.length;
    }
    if (moved === 0) {
      const counts = processes.map((one) => [...holders.values()].filter((holder) => holder === one).length);
      return { counts, rounds, free: THINGS.length - holders.size };
    }
  }
  throw new Error('they never agree');
}

test('a process that is alone has all', () => {
  expect(settle(['one'])).toMatchObject({ counts: [4], free: 0 });
});

test('one with none gets its part from one that has all', () => {
  const all = { a: 'one', b: 'one', c: 'one', d: 'one' };
  expect(settle(['one', 'two'], all)).toMatchObject({ counts: [2, 2], free: 0 });
  expect(settle(['one', 'three', 'two'], all)).toMatchObject({ counts: [2, 1, 1], free: 0 });
});

test('what a dead process had is divided among the living', () => {
  expect(settle(['one', 'two'], { a: 'one', b: 'two' })).toMatchObject({ counts: [2, 2], free: 0 });
});

test('of more processes than things the first ones have one each', () => {
  expect(settle(['1', '2', '3', '4', '5'])).toMatchObject({ counts: [1, 1, 1, 1, 0], free: 0 });
});

test('what others hold is never taken', () => {
  const held = { things: THINGS, holderOf: () => 'two', takers: ['one'] };
  expect(shareOf('one', held)).toEqual({ take: [], giveUp: [] });
});
