import { expect, test } from 'vitest';
import { createGather } from '../../queue/gather.ts';

function world(most: number) {
  const rounds: string[][] = [];
  const ask = createGather<string>(async (keys) => {
    rounds.push([...keys]);
    if (keys.includes('broken')) throw new Error('no database');
    return new Map(keys.filter((key) => key !== 'missing').map((key) => [key, `row of ${key}`]));
  }, most);
  return { rounds, ask };
}

test('what is asked for in one turn is read at once, each key once', async () => {
  const { rounds, ask } = world(10);
  const rows = await Promise.all(['a', 'b', 'a', 'missing'].map(ask));
  expect(rows).toEqual(['row of a', 'row of b', 'row of a', null]);
  expect(rounds).toEqual([['a', 'b', 'missing']]);
});

test('a caller who asks while a round is read is in the next one: its answer is newer than its question', async () => {
  const { rounds, ask } = world(10);
  await ask('a');
  await ask('a');
  expect(rounds).toEqual([['a'], ['a']]);
});

test('a round has a limited number of keys, and a failure ends no other', async () => {
  const { rounds, ask } = world(2);
  const all = await Promise.allSettled(['a', 'b', 'broken', 'c', 'd'].map(ask));
  expect(rounds).toEqual([['a', 'b'], ['broken', 'c'], ['d']]);
  expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected', 'fulfilled']);
  expect(await ask('e')).toBe('row of e');
});
