import { expect, test, vi } from 'vitest';
import { createPlaces } from '../../../db/connections/places.ts';

test('no more are in than there are places, in the order in which they came, and the urgent first', async () => {
  const places = createPlaces(2);
  const came: string[] = [];
  const enter = async (name: string, isUrgent = false) => {
    const giveBack = await places.take({ isUrgent });
    came.push(name);
    return giveBack;
  };
  const [first, second] = [await enter('first'), await enter('second')];
  const others = [enter('third'), enter('fourth'), enter('urgent', true)];
  await Promise.resolve();
  expect(came).toEqual(['first', 'second']);
  first?.();
  // A place is given back once, however often that is said.
  first?.();
  (await others[2])?.();
  await others[0];
  expect(came).toEqual(['first', 'second', 'urgent', 'third']);
  second?.();
  await others[1];
  expect(came.at(-1)).toBe('fourth');
});

test('who waits too long gets none, and no place is lost with them', async () => {
  vi.useFakeTimers();
  try {
    const places = createPlaces(1);
    const giveBack = await places.take();
    const late = places.take({ withinMs: 100 });
    const patient = places.take({ withinMs: 1_000 });
    await vi.advanceTimersByTimeAsync(100);
    expect(await late).toBeNull();
    giveBack?.();
    (await patient)?.();
    expect(await places.take({ withinMs: 1 })).not.toBeNull();
  } finally {
    vi.useRealTimers();
  }
});
