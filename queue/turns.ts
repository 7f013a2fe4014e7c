import { setImmediate } from 'node:timers/promises';

/** How long what comes together goes on before everything else in the process gets a turn. */
const TURN_MS = 8;

/**
 * For what hundreds begin in the same moment, such as the answers that one block brings. Each
 * awaits its turn; one goes on when the one before it waits for something else, and after a while the event loop goes round,
 * so that heartbeats, leases and new connections are served in between. In the order in which they asked.
 */
export function createTurns(turnMs = TURN_MS): () => Promise<void> {
  const waiting: (() => void)[] = [];
  let isRunning = false;

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      await setImmediate();
      const endMs = performance.now() + turnMs;
      do {
        waiting.shift()?.();
        await untilItWaits();
      } while (waiting.length > 0 && performance.now() < endMs);
    }
    isRunning = false;
  }

  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (isRunning) return;
      isRunning = true;
      void run();
    });
}

/** Node begins a next tick only when no promise has anything left to do. */
const untilItWaits = () => new Promise<void>((resolve) => process.nextTick(resolve));
