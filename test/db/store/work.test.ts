import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createWorkScope } from '../../../db/store/work.ts';
import type { Db } from '../../../db/store/store.ts';

type Scope = ReturnType<typeof createWorkScope>;

const LIMIT_MS = 60_000;
const db = {} as Db;

let one: Scope;
let other: Scope;

beforeEach(() => {
  one = createWorkScope();
  other = createWorkScope();
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
  const third = createWorkScope();
  await inside(one, async () => {
    third.disable();
    await nextTurn();
    expect(() => one.refuseInside('tx')).toThrow('tx was called inside a transaction function');
  });
});
