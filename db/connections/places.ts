/**
 * A fixed number of places, such as connections, and the queue before them. Who has run before and must run again goes
 * first: it holds up others, or others have held it up.
 */
export type Places = {
  /** Resolves with what gives the place back. Null: none was free within `withinMs`. */
  take: (options?: { isUrgent?: boolean; withinMs?: number }) => Promise<(() => void) | null>;
};

type Waiting = { settle: (isTaken: boolean) => void };

export function createPlaces(count: number): Places {
  let free = count;
  const queues: Record<'urgent' | 'usual', Set<Waiting>> = { urgent: new Set(), usual: new Set() };

  function giveBack(): void {
    const queue = queues.urgent.size > 0 ? queues.urgent : queues.usual;
    const [next] = queue;
    if (next === undefined) {
      free += 1;
      return;
    }
    queue.delete(next);
    next.settle(true);
  }

  function once(): () => void {
    let isBack = false;
    return () => {
      if (isBack) return;
      isBack = true;
      giveBack();
    };
  }

  async function take({ isUrgent = false, withinMs }: { isUrgent?: boolean; withinMs?: number } = {}) {
    if (free > 0) {
      free -= 1;
      return once();
    }
    const queue = queues[isUrgent ? 'urgent' : 'usual'];
    const isTaken = await new Promise<boolean>((resolve) => {
      const waiting = { settle: resolve };
      queue.add(waiting);
      if (withinMs === undefined) return;
      const limit = setTimeout(() => {
        queue.delete(waiting);
        resolve(false);
      }, withinMs);
      waiting.settle = (taken) => {
        clearTimeout(limit);
        resolve(taken);
      };
    });
    return isTaken ? once() : null;
  }

  return { take };
}
