import { expect, test } from 'vitest';
import { afterLook, NOTHING_SEEN, queueTimeMs, settledPerSecond } from '../../../core/payments/pace.ts';

test('a lone payment that is stuck is no measure of its network: one a second is believed at least', () => {
  let pace = NOTHING_SEEN;
  for (let atMs = 0; atMs <= 120_000; atMs += 1_000) {
    pace = afterLook(pace, { atMs, waiting: 1, oldestMs: 0, settled: 5 });
  }
  expect(pace.measured).toEqual({ perSecond: 0, atMs: 120_000 });
  expect(settledPerSecond(pace, 120_000)).toBe(1);
  expect(queueTimeMs(pace, 1, 120_000)).toBe(1_000);
});
