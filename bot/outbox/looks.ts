import { setTimeout as wait } from 'node:timers/promises';

/** After a look, so many times as long as it took, it rests; never longer than people notice. */
const REST = 4;
const REST_MAX_MS = 500;

/**
 * Each look reads all that waits, and in a storm the workers ask for one with each receipt. So those that are asked for while
 * one is under way are one, which begins when it is over and some rest has passed: it must see what was written since.
 */
export function createLooks(look: () => Promise<void>): () => Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<void> | null = null;

  async function begin(): Promise<void> {
    await last;
    next = null;
    const begunMs = performance.now();
    const mine = look();
    const over = mine.catch(() => undefined);
    last = over.then(() =>
      wait(Math.min(REST_MAX_MS, (performance.now() - begunMs) * REST), undefined, { ref: false }),
    );
    return mine;
  }

  return () => (next ??= begin());
}
