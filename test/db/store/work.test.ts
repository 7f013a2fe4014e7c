import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createWorkContext, createWorkScope, type WorkContext } from '../../../db/store/work.ts';
import type { Db } from '../../../db/store/store.ts';

type Scope = ReturnType<typeof createWorkScope>;

const LIMIT_MS = 60_000;
const db = {} as Db;

/** Their own: what other files of this process leave under way would count here. */
let context: WorkContext;
let one: Scope;
let other: Scope;

beforeEach(() => {
  context = createWorkContext();
  one = createWorkScope(context);
  other = createWorkScope(context);
});

afterEach(() => {
  one.disable();
  other.disable();
});

async function inside<T>(scope: Scope, work: () => Promise<T>): Promise<T> {
  const { value, failure } = await scope.bind(work)(db, LIMIT_MS);
  if (failure) throw failure.error;
  return value as T;
}

test('a transaction of one store may use another, and each is refused within its own, however deep', async () => {
  await inside(one, async () => {
    expect(() => other.refuseInside('tx')).not.toThrow();
    await inside(other, async () => {
      await nextTurn();
      expect(() => other.refuseInside('tx')).toThrow('tx was called inside a transaction function');
      expect(() => one.refuseInside('tx')).toThrow('tx was called inside a transaction function');
    });
    expect(() => other.refuseInside('tx')).not.toThrow();
    expect(() => one.refuseInside('tx')).toThrow('tx was called inside a transaction function');
  });
  expect(() => one.refuseInside('tx')).not.toThrow();
});

test('what a function leaves running is outside once it has ended', async () => {
  let goOn = () => {};
  const ended = new Promise<void>((resolve) => (goOn = resolve));
  let left = Promise.resolve();
  await inside(one, async () => {
    left = ended.then(() => one.refuseInside('tx'));
  });
  goOn();
  await expect(left).resolves.toBeUndefined();
});

test('a store that is closed takes nothing from those that are open', async () => {
  const third = createWorkScope(context);
  await inside(one, async () => {
    third.disable();
    await nextTurn();
    expect(() => one.refuseInside('tx')).toThrow('tx was called inside a transaction function');
  });
});

test('promises are followed only as long as a function is under way', async () => {
  const unfollow = vi.spyOn(context.current, 'disable');
  try {
    await inside(one, async () => {
      await inside(other, async () => {});
      expect(unfollow).not.toHaveBeenCalled();
      expect(() => one.refuseInside('tx')).toThrow('tx was called inside a transaction function');
    });
    expect(unfollow).toHaveBeenCalledOnce();
    await inside(other, async () => {
      await nextTurn();
      expect(() => other.refuseInside('tx')).toThrow('tx was called inside a transaction function');
    });
    expect(unfollow).toHaveBeenCalledTimes(2);
  } finally {
    unfollow.mockRestore();
  }
});

test('one that is late stays inside for good, whatever ends beside it', async () => {
  let goOn = () => {};
  let refused: unknown = null;
  const { isLate } = await one.bind(async () => {
    await new Promise<void>((resolve) => (goOn = resolve));
    try {
      one.refuseInside('tx');
    } catch (error) {
      refused = error;
    }
  })(db, 1);
  expect(isLate).toBe(true);
  await inside(other, async () => {});
  goOn();
  await nextTurn();
  expect(refused).toMatchObject({ message: 'tx was called inside a transaction function' });
});
