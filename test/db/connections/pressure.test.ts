import { expect, test } from 'vitest';
import { createPressure } from '../../../db/connections/pressure.ts';

test('who cannot wait is told when those who wait now will have begun, at the pace of the last seconds', () => {
  const clock = { nowMs: 0 };
  const pressure = createPressure(() => clock.nowMs);
  const retryAfter = () => pressure.overloaded().context.retryAfterSeconds;
  // Nothing has ever begun: nobody knows, so not for ever.
  const waiting = Array.from({ length: 40 }, () => pressure.enter());
  expect(retryAfter()).toBe(60);
  for (let second = 1; second <= 6; second += 1) {
    clock.nowMs = second * 1_000;
    waiting.pop()?.(true);
    pressure.enter()(true);
  }
  // Two a second begin, and 34 wait.
  expect(retryAfter()).toBe(17);
  for (const leave of waiting.splice(0)) {
    leave(false);
    leave(false);
  }
  expect(retryAfter()).toBe(1);
  expect(pressure.overloaded().status).toBe(503);
});
