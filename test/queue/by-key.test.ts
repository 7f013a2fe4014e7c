import { expect, test } from 'vitest';
import { createShared } from '../../queue/by-key.ts';

/** Work that ends when it is told to. */
function open() {
  let end = (_error?: Error): void => undefined;
  const work = new Promise<string>((resolve, reject) => {
    end = (error) => (error ? reject(error) : resolve('done'));
  });
  return { work, end };
}

test('those who ask at the same time share one outcome, also a failure, and the next one begins anew', async () => {
  const { share, has, size } = createShared<string, string>();
  const [one, other] = [open(), open()];
  const asked = [share('a', () => one.work), share('a', () => other.work), share('b', () => other.work)];
  expect([has('a'), size()]).toEqual([true, 2]);
  one.end(new Error('no'));
  other.end();
  const outcomes = await Promise.allSettled(asked);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  expect([has('a'), size()]).toEqual([false, 0]);
  expect(await share('a', async () => 'again')).toBe('again');
});

test('idle waits for what is under way, however it ends', async () => {
  const { share, idle } = createShared<string, string>();
  const one = open();
  const asked = share('a', () => one.work).catch(() => 'failed');
  let isIdle = false;
  const waiting = idle().then(() => (isIdle = true));
  await Promise.resolve();
  expect(isIdle).toBe(false);
  one.end(new Error('no'));
  await waiting;
  expect(await asked).toBe('failed');
});
