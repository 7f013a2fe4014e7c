/** When an EVM scan asks for the next block. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { EvmWorker } from '../../../worker/dependencies.ts';
import { createScanLook } from '../../../worker/evm/scan-look.ts';
import { openBooks, type Books } from '../../support/books.ts';

const BLOCK_MS = 2_000;
const pace = { scanEveryMs: 500, dueScanEveryMs: 100, blockMs: BLOCK_MS, replaceAfterMs: 8_000 };

let books: Books;
beforeAll(async () => void (books = await openBooks()));
afterAll(() => books.close());
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

/** A chain whose blocks begin at `offsetMs`, and a scan that reads each new head at once. */
function scanned(offsetMs: number) {
  const state = { isBusy: true, looks: 0, extra: 0, stopsMs: Infinity };
  const number = () => Math.floor((Math.min(performance.now(), state.stopsMs) - offsetMs) / BLOCK_MS) + state.extra;
  const rpc = { latest: async () => ({ hash: `0x${number()}` }) };
  const heads = { rpc, recent: rpc.latest, forScan: rpc.latest };
  const holder = { want: () => ({ isHeld: () => true, onTaken: () => undefined }) };
  const worker = { store: books.store, holder, heads, rpc, pace, profile: { network: 'base' } };
  const look = createScanLook(worker as unknown as EvmWorker, () => state.isBusy);
  let shown = '';
  /** Looks for so long; answers how late each new block was seen. */
  async function run(forMs: number): Promise<number[]> {
    const untilMs = performance.now() + forMs;
    const late: number[] = [];
    while (performance.now() < untilMs) {
      state.looks += 1;
      const found = await look.open();
      const { hash } = await rpc.latest();
      if (found !== null) look.noteRead();
      if (hash !== shown) {
        shown = hash;
        late.push((performance.now() - offsetMs + BLOCK_MS) % BLOCK_MS);
      }
      vi.advanceTimersByTime(look.pauseMs());
    }
    return late;
  }
  return { state, run, look };
}

test('a block that was found late does not make the next ones late', async () => {
  const { state, run } = scanned(1_300);
  await run(4_000);
  // Mined between two others, which no look can expect.
  state.extra = 1;
  const late = await run(12_000);
  expect(Math.max(...late.slice(1))).toBeLessThanOrEqual(pace.dueScanEveryMs);
});

test('what is left of a block is never more than it is, and hardly less', async () => {
  const { run, look } = scanned(1_330);
  expect(look.blockLeft()).toBe(0);
  await run(7_000);
  for (let step = 0; step < 60; step += 1) {
    await look.open();
    const left = 1 - ((performance.now() - 1_330 + BLOCK_MS) % BLOCK_MS) / BLOCK_MS;
    expect(look.blockLeft()).toBeLessThanOrEqual(left);
    expect(look.blockLeft()).toBeGreaterThan(left - 2 * (pace.dueScanEveryMs / BLOCK_MS));
    vi.advanceTimersByTime(pace.dueScanEveryMs);
  }
});

test('at rest a block costs hardly more than one look; once work has come the next block is seen at once', async () => {
  const { state, run } = scanned(700);
  state.isBusy = false;
  await run(10_000);
  state.looks = 0;
  await run(20 * BLOCK_MS);
  expect(state.looks).toBeLessThanOrEqual(23);
  state.isBusy = true;
  const late = await run(3 * BLOCK_MS);
  expect(Math.max(...late.slice(1))).toBeLessThanOrEqual(pace.dueScanEveryMs);
});

test('a chain that stands still is asked no more often than one whose blocks nobody knows', async () => {
  const { state, run } = scanned(0);
  await run(6_000);
  state.stopsMs = performance.now();
  await run(6_000);
  state.looks = 0;
  await run(10_000);
  expect(state.looks).toBeLessThanOrEqual(21);
});
