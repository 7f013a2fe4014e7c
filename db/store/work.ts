import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import type { Db } from './store.ts';

export type Failure = { error: unknown };
export type WorkResult = { value: unknown; failure: Failure | null; isLate: boolean };
/** Runs the caller's function once. Never rejects; a function that does not finish in time is a failure. */
export type BoundWork = (db: Db, limitMs: number) => Promise<WorkResult>;

/** A function under way in a transaction of a store, and the one of another store that it runs inside of. */
type Inside = { store: object; running: boolean; outer: Inside | undefined };

/** What the scopes of a process share. */
export const createWorkContext = () => ({ current: new AsyncLocalStorage<Inside>(), openStores: 0, underWay: 0 });
export type WorkContext = ReturnType<typeof createWorkContext>;

/**
 * One for all stores of the process, and only while a function is under way: in use it makes every promise of the process
 * slower (Node 20), and ten of them a promise without work twenty times.
 */
const ofThisProcess = createWorkContext();

/** Knows whether a call comes from inside a transaction function of this store, across all its awaits. */
export function createWorkScope(context: WorkContext = ofThisProcess) {
  const store = {};
  const { current } = context;
  context.openStores += 1;

  /** To wait there for another transaction could be to wait for ever, and what that one writes would outlive this one. */
  function refuseInside(what: string): void {
    for (let inside = running(current.getStore()); inside; inside = running(inside.outer)) {
      if (inside.store === store) throw new Error(`${what} was called inside a transaction function`);
    }
  }

  /** To be called by the function's owner: the function runs in the async context of this call. */
  function bind(work: (db: Db) => Promise<unknown>): BoundWork {
    const caller = new AsyncResource('transaction');
    return async (db, limitMs) => {
      const inside: Inside = { store, running: true, outer: undefined };
      const begin = () => {
        inside.outer = running(current.getStore());
        return current.run(inside, work, db);
      };
      context.underWay += 1;
      const result = await settle(() => caller.runInAsyncScope(begin), limitMs);
      // One that is late stays "inside" for good: whatever it still tries is refused.
      if (!result.isLate) end(context, inside);
      return result;
    };
  }

  /** Once, when the store is closed. */
  function disable(): void {
    context.openStores -= 1;
    if (context.openStores > 0) return;
    context.underWay = 0;
    current.disable();
  }

  return { refuseInside, bind, disable };
}

function end(context: WorkContext, inside: Inside): void {
  inside.running = false;
  context.underWay -= 1;
  if (context.underWay === 0) context.current.disable();
}

/** The innermost that has not ended. */
function running(inside: Inside | undefined): Inside | undefined {
  let found = inside;
  while (found && !found.running) found = found.outer;
  return found;
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
