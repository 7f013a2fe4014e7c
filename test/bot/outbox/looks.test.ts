import { expect, test } from 'vitest';
import { createLooks } from '../../../bot/outbox/looks.ts';

/** Looks that end when the test says how, the oldest first. */
function stage() {
  let begun = 0;
  const ends: ((error?: Error) => void)[] = [];
  const look = createLooks(() => {
    begun += 1;
    return new Promise((resolve, reject) => void ends.push((error) => (error ? reject(error) : resolve())));
  });
  return { look, begun: () => begun, end: (error?: Error) => ends.shift()?.(error) };
}
const many = (look: () => Promise<void>) => Promise.all(Array.from({ length: 100 }, look));

test('those that are asked for at once are one; one more begins after it, for what was written since', async () => {
  const { look, begun, end } = stage();
  const first = many(look);
  await expect.poll(begun).toBe(1);
  let isSeen = false;
  const second = many(look).then(() => (isSeen = true));
  end();
  await first;
  expect(isSeen).toBe(false);
  await expect.poll(begun).toBe(2);
  end();
  await second;
  expect(begun()).toBe(2);
});

test('one that fails says so to those who asked for it, and the next begins all the same', async () => {
  const { look, begun, end } = stage();
  const failed = look();
  await expect.poll(begun).toBe(1);
  const next = look();
  end(new Error('the database is away'));
  await expect(failed).rejects.toThrow('the database is away');
  await expect.poll(begun).toBe(2);
  end();
  await next;
});
