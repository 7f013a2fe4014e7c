import { describe, expect, test } from 'vitest';
import { createStreamPlaces, type StreamPlaces } from '../../../queue/stream-places.ts';

const LIMITS = { total: 100, perCaller: 20, perSubject: 40 };
const NONE = { total: Infinity, perCaller: Infinity, perSubject: Infinity };

/** Opens so many streams and answers whether each is still there. */
function listen(places: StreamPlaces, count: number, of: (index: number) => { caller: string; subject: string }) {
  const open = Array.from({ length: count }, () => true);
  for (const index of open.keys()) places.take({ ...of(index), end: () => (open[index] = false) });
  return { open: () => open.filter(Boolean).length };
}

const people = (index: number) => ({ caller: `person ${index}`, subject: 'a known receipt' });

describe('a caller that opens streams without end', () => {
  test.each([
    ['of one page', (index: number) => ({ caller: 'attacker', subject: index < 0 ? '' : 'a known receipt' })],
    ['of many pages', (index: number) => ({ caller: 'attacker', subject: `claim ${index}` })],
  ])('%s pushes out its own oldest, and nobody else', (_name, attack) => {
    const places = createStreamPlaces(LIMITS);
    const honest = listen(places, 20, people);
    const attacker = listen(places, 1_000, attack);
    expect([honest.open(), attacker.open(), places.open()]).toEqual([20, 20, 40]);
  });

  test('from ten addresses leaves those who have one', () => {
    const places = createStreamPlaces(LIMITS);
    const honest = listen(places, 20, people);
    listen(places, 1_000, (index) => ({ caller: `attacker ${index % 10}`, subject: `claim ${index}` }));
    expect([honest.open(), places.open()]).toEqual([20, 100]);
    expect(listen(places, 5, (index) => ({ caller: `late ${index}`, subject: 'their claim' })).open()).toBe(5);
  });

  test('CONTROL: without limits it has as many as it opens', () => {
    const places = createStreamPlaces(NONE);
    expect(listen(places, 1_000, () => ({ caller: 'attacker', subject: 'one' })).open()).toBe(1_000);
  });
});

test('a place that is given back is free again', () => {
  const places = createStreamPlaces({ ...LIMITS, total: 1 });
  const leave = places.take({ caller: 'one', subject: 'one', end: () => expect.unreachable() });
  leave();
  expect(listen(places, 1, people).open()).toBe(1);
});
