import { waitsForFinality } from '../../db/scan/waiting.ts';
import { settlementOf, type EvmWorker } from '../dependencies.ts';
import { rememberHeads } from '../../chain/evm/heads.ts';

/** What becomes safe or final without a new block is noticed this much later. */
const SAME_HEAD_MS = 1_000;
/** While no row waits for it, finality is asked for once in this many blocks. */
const REST_BLOCKS = 5;
const REST_MAX_MS = 10_000;
/** A block is looked for a little before it is due: counted from the earliest moment at which the last one can have come. */
const DUE_SHARE = 0.95;
/** At rest the looks come nearer to the blocks by so little each time that few of them find the block of before. */
const REST_SHARE = 0.98;
/** A chain that is late by so many blocks is asked no more often than one whose blocks nobody knows. */
const LATE_BLOCKS = 2;

/**
 * When the scan looks, and what it asks. Most looks find the block of the look before: that costs one question, and none
 * to the database. Nobody asks before the next block is due, and while nothing is on its way a block is seen a little late.
 */
export function createScanLook(worker: EvmWorker, isBusy: () => boolean) {
  const { store, profile, pace } = worker;
  const heads = worker.heads ?? rememberHeads(worker.rpc);
  const settlement = settlementOf(worker);
  const restMs = Math.max(SAME_HEAD_MS, Math.min((pace.blockMs ?? 0) * REST_BLOCKS, REST_MAX_MS));
  let asked = '';
  /** A head that was found late says nothing about when the next one comes; `notBeforeMs` is when it was not there yet. */
  let seen: { hash: string; atMs: number; notBeforeMs: number } | null = null;
  let askedMs = -Infinity;
  let readMs = -Infinity;
  settlement.onTaken(() => (readMs = -Infinity));

  return {
    /** The worker as this step reads the chain; null where nothing can have changed. */
    async open(): Promise<EvmWorker | null> {
      const beforeMs = performance.now();
      const { hash } = await heads.rpc.latest();
      asked = hash;
      const nowMs = performance.now();
      const isKnown = seen?.hash === hash;
      if (!isKnown) seen = { hash, atMs: nowMs, notBeforeMs: askedMs };
      askedMs = beforeMs;
      if (isKnown && nowMs - readMs < SAME_HEAD_MS) return null;
      const lastsMs = (await waitsForFinality(store, profile.network)) ? SAME_HEAD_MS : restMs;
      if (isKnown && nowMs - readMs < lastsMs) return null;
      // For one look only: a restarted scan begins with fresh heads.
      const settledLastMs = readMs === -Infinity ? 0 : lastsMs;
      return { ...worker, rpc: { ...heads.rpc, head: () => heads.forScan(settledLastMs) } };
    },
    noteRead(): void {
      if (seen?.hash === asked) readMs = performance.now();
    },
    /** Which share of the time from block to block passes before the next one may come; 0 once it is due, or nobody knows. */
    blockLeft(): number {
      const { blockMs } = pace;
      if (blockMs === undefined || seen === null) return 0;
      return Math.max(0, 1 - (performance.now() - seen.notBeforeMs) / blockMs);
    },
    pauseMs(): number {
      const { blockMs, scanEveryMs, dueScanEveryMs = scanEveryMs } = pace;
      if (blockMs === undefined || seen === null || readMs < seen.atMs) return scanEveryMs;
      const nowMs = performance.now();
      if (!isBusy()) return Math.max(scanEveryMs, seen.atMs + blockMs * REST_SHARE - nowMs);
      const isLate = nowMs - seen.atMs > LATE_BLOCKS * blockMs;
      return Math.max(isLate ? scanEveryMs : dueScanEveryMs, seen.notBeforeMs + blockMs * DUE_SHARE - nowMs);
    },
  };
}
