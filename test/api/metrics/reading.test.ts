import { beforeEach, describe, expect, test } from 'vitest';
import { createReading } from '../../../api/metrics/reading.ts';

let nowMs: number;
let reads: { resolve: (value: string) => void; reject: (error: Error) => void; closing: AbortSignal }[];
let failures: unknown[];
beforeEach(() => {
  nowMs = 1_000;
  reads = [];
  failures = [];
});

/** A reading that ends when the test says so. */
function start(waitMs = 60_000) {
  return createReading({
    read: (closing) => new Promise<string>((resolve, reject) => void reads.push({ resolve, reject, closing })),
    restFactor: 100,
    waitMs,
    monotonicMs: () => nowMs,
    onFailure: (error) => void failures.push(error),
  });
}

/** Asks, and lets the reading that this starts take so long. */
async function read(reading: ReturnType<typeof start>, value: string, tookMs = 0): Promise<string | null> {
  const count = reads.length;
  const asked = reading.latest();
  expect(reads).toHaveLength(count + 1);
  nowMs += tookMs;
  reads.at(-1)?.resolve(value);
  return asked;
}

test('those who ask at the same time share a reading', async () => {
  const reading = start();
  const asked = [reading.latest(), reading.latest()];
  expect(reads).toHaveLength(1);
  reads[0]?.resolve('one');
  expect(await Promise.all(asked)).toEqual(['one', 'one']);
});

describe('it is read again', () => {
  test('after five seconds', async () => {
    const reading = start();
    await read(reading, 'one');
    nowMs += 4_999;
    expect(await reading.latest()).toBe('one');
    nowMs += 1;
    expect(await read(reading, 'two')).toBe('two');
  });

  test('after a hundred times as long as it took, when that is more', async () => {
    const reading = start();
    await read(reading, 'one', 300);
    nowMs += 29_999;
    expect(await reading.latest()).toBe('one');
    expect(reads).toHaveLength(1);
    nowMs += 1;
    expect(await read(reading, 'two')).toBe('two');
  });

  test('five seconds after a failure, however long that took', async () => {
    const reading = start();
    await read(reading, 'one');
    nowMs += 5_000;
    const asked = reading.latest();
    nowMs += 10_000;
    const failure = new Error('the disk is gone');
    reads.at(-1)?.reject(failure);
    expect(await asked).toBeNull();
    expect(failures).toEqual([failure]);
    nowMs += 4_999;
    expect(await reading.latest()).toBeNull();
    nowMs += 1;
    expect(await read(reading, 'two')).toBe('two');
  });
});

test('nobody waits longer than they should: they get what was known, and a later one the rest', async () => {
  const reading = start(1);
  expect(await reading.latest()).toBeNull();
  expect(await reading.latest()).toBeNull();
  expect(reads).toHaveLength(1);
  reads[0]?.resolve('one');
  expect(await reading.latest()).toBe('one');
});

describe('closing', () => {
  test('waits for what is being read, tells it, and starts nothing more', async () => {
    const reading = start();
    const asked = reading.latest();
    let isClosed = false;
    const closed = reading.close().then(() => (isClosed = true));
    await new Promise((resolve) => void setImmediate(resolve));
    expect([reads[0]?.closing.aborted, isClosed]).toEqual([true, false]);
    reads[0]?.reject(new Error('told to end'));
    await closed;
    expect(await asked).toBeNull();
    expect(failures).toEqual([]);
    nowMs += 1_000_000;
    expect(await reading.latest()).toBeNull();
    expect(reads).toHaveLength(1);
  });

  test('has nothing to wait for when nothing is being read', async () => {
    const reading = start();
    await read(reading, 'one');
    await reading.close();
    expect(await reading.latest()).toBe('one');
  });
});
