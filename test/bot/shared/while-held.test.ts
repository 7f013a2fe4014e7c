import { expect, test } from 'vitest';
import { whileHeld } from '../../../bot/shared/while-held.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** A right that comes and goes, and what is done under it. */
function world() {
  const listeners: (() => void)[] = [];
  const state = { isHeld: false, done: [] as string[], ended: () => {} };
  const change = (isHeld: boolean) => {
    state.isHeld = isHeld;
    for (const listener of listeners) listener();
  };
  const onChange = (listener: () => void) => void listeners.push(listener);
  const hold = { isHeld: () => state.isHeld, onTaken: onChange, onLost: onChange };
  const begin = () => {
    state.done.push('begun');
    return {
      close: async () => {
        await new Promise<void>((resolve) => (state.ended = resolve));
        state.done.push('ended');
      },
    };
  };
  const following = whileHeld(hold, begin, log);
  return { state, change, following };
}

test('it is done while it is held, and one period ends before the next begins', async () => {
  const { state, change, following } = world();
  await new Promise((resolve) => setImmediate(resolve));
  expect(state.done).toEqual([]);
  change(true);
  await eventually(async () => expect(state.done).toEqual(['begun']));
  change(false);
  await new Promise((resolve) => setImmediate(resolve));
  change(true);
  await new Promise((resolve) => setImmediate(resolve));
  expect(state.done).toEqual(['begun']);
  state.ended();
  await eventually(async () => expect(state.done).toEqual(['begun', 'ended', 'begun']));
  const closed = following.close();
  await new Promise((resolve) => setImmediate(resolve));
  state.ended();
  await closed;
  change(true);
  await new Promise((resolve) => setImmediate(resolve));
  expect(state.done).toEqual(['begun', 'ended', 'begun', 'ended']);
});

test('a process that is alone does it from the beginning', async () => {
  const done: string[] = [];
  const following = whileHeld(
    undefined,
    () => {
      done.push('begun');
      return { close: async () => void done.push('ended') };
    },
    log,
  );
  await eventually(async () => expect(done).toEqual(['begun']));
  await following.close();
  expect(done).toEqual(['begun', 'ended']);
});
