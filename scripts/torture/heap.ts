import { channel } from 'node:diagnostics_channel';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Loaded into the service before anything else (`--expose-gc --import`), so that its parent process can ask how much
 * memory it really holds. Told to leak, it keeps every request from then on, so that a test can see that its bound would
 * notice. Without messages it does nothing.
 */
export type HeapReport = { heldBytes: number };

const ROUNDS = 12;
const ROUND_MS = 60;
const kept: unknown[] = [];

process.on('message', (message) => {
  if (message === 'leak') channel('http.server.request.start').subscribe((request) => kept.push(request));
  if (message === 'heap') void report();
});
// The connection to the parent must not keep a service alive that was told to stop.
process.channel?.unref();

/**
 * What is left after a forced collection, buffers included. The least of several readings: work that goes on in the
 * background, and sockets that are just closing, hold memory for a moment.
 */
async function report(): Promise<void> {
  const collect = globalThis.gc;
  if (collect === undefined) throw new Error('start the service with --expose-gc to measure its heap');
  let heldBytes = Infinity;
  for (let round = 0; round < ROUNDS; round += 1) {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    heldBytes = Math.min(heldBytes, heapUsed + external);
    await sleep(ROUND_MS);
  }
  process.send?.({ heldBytes } satisfies HeapReport);
}
