import { expect, test } from 'vitest';
import { showCurrent } from '../../../bot/shared/show-current.ts';

type State = { at: number; seen: string };

/** `moves`: what another process has made of it, and shown, by each time that this one shows something. */
async function show(moves: (State | null)[], first?: State) {
  let state: State | null = { at: 1, seen: 'a' };
  const shown: number[] = [];
  const end = await showCurrent<State>({
    ...(first && { first }),
    read: async () => state,
    async show({ at }) {
      shown.push(at);
      if (moves.length > 0) state = moves.shift() ?? null;
    },
    faceOf: ({ seen }) => seen,
  });
  return { shown, end };
}

test('what stands as it was read is shown once', async () => {
  expect(await show([])).toEqual({ shown: [1], end: { at: 1, seen: 'a' } });
});

test('what was known is shown first, and then what is there', async () => {
  expect((await show([], { at: 0, seen: '' })).shown).toEqual([0, 1]);
});

test('what another process has shown meanwhile is shown over it', async () => {
  const [two, three] = [
    { at: 2, seen: 'b' },
    { at: 3, seen: 'c' },
  ];
  expect(await show([two, three])).toEqual({ shown: [1, 2, 3], end: three });
});

test('a change that nobody sees, and one that takes it away, show nothing more', async () => {
  expect((await show([{ at: 2, seen: 'a' }])).shown).toEqual([1]);
  expect((await show([null])).shown).toEqual([1]);
});

test('what never rests is left to the next look', async () => {
  const moves = Array.from({ length: 20 }, (_, index) => ({ at: index + 2, seen: String(index) }));
  expect(await show(moves)).toEqual({ shown: [1, 2, 3, 4, 5], end: { at: 5, seen: '3' } });
});
