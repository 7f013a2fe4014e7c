import { expect, test } from 'vitest';
import { createTurns } from '../../../bot/inbox/turns.ts';

function gate() {
  let open = () => {};
  const closed = new Promise<void>((resolve) => (open = resolve));
  return { closed, open: () => open() };
}

test('work waits until no first word is under way', async () => {
  const turns = createTurns();
  const [one, two] = [gate(), gate()];
  const done: string[] = [];
  const firsts = [one, two].map(({ closed }, index) =>
    turns.first(async () => {
      await closed;
      done.push(`first ${index}`);
    }),
  );
  const work = turns.later(async () => void done.push('work'));
  one.open();
  await firsts[0];
  expect(done).toEqual(['first 0']);
  two.open();
  await Promise.all([...firsts, work]);
  expect(done).toEqual(['first 0', 'first 1', 'work']);
});

test('a first word that hangs holds nobody up for long', async () => {
  const turns = createTurns();
  void turns.first(() => new Promise(() => undefined));
  await expect(turns.later(async () => 'done')).resolves.toBe('done');
});

test('at most sixteen work at once, and what fails makes room', async () => {
  const turns = createTurns();
  const gates = Array.from({ length: 20 }, gate);
  let started = 0;
  const works = gates.map(({ closed }) =>
    turns.later(async () => {
      started++;
      await closed;
      throw new Error('failed');
    }),
  );
  const settled = Promise.allSettled(works);
  await expect.poll(() => started).toBe(16);
  for (const { open } of gates) open();
  await settled;
  expect(started).toBe(20);
});
