import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import type { Db } from './store.ts';

export type Failure = { error: unknown };
export type WorkResult = { value: unknown; failure: Failure | null; isLate: boolean };
/** Runs the caller's function once. Never rejects; a function that does not finish in time is a failure. */
export type BoundWork = (db: Db, limitMs: number) => Promise<WorkResult>;

/** Knows whether a call comes from inside a transaction function, across all its awaits. */
export function createWorkScope() {
  const current = new AsyncLocalStorage<{ running: boolean }>();

  /** To wait there for another transaction could be to wait for ever, and what that one writes would outlive this one. */
  function refuseInside(what: string): void {
    if (current.getStore()?.running) throw new Error(`${what} was called inside a transaction function`);
  }

  /** To be called by the function's owner: the function runs in the async context of this call. */
  function bind(work: (db: Db) => Promise<unknown>): BoundWork {
    const caller = new AsyncResource('transaction');
    return async (db, limitMs) => {
      const scope = { running: true };
      const inScope = () => current.run(scope, work, db);
      const result = await settle(() => caller.runInAsyncScope(inScope), limitMs);
      // One that is late stays "inside" for good: whatever it still tries is refused.
      if (!result.isLate) scope.running = false;
      return result;
    };
  }

  return { refuseInside, bind, disable: () => current.disable() };
}

async function settle(run: () => Promise<unknown>, limitMs: number): Promise<WorkResult> {
  let timer: NodeJS.Timeout | undefined;
  let isLate = false;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      isLate = true;
      reject(new Error(`a transaction function did not finish in ${limitMs} ms`));
    }, limitMs);
  });
  try {
    return { value: await Promise.race([run(), limit]), failure: null, isLate };
  } catch (error) {
    return { value: undefined, failure: { error }, isLate };
  } finally {
    clearTimeout(timer);
  }
}
