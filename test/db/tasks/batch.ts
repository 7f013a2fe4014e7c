/** A lane's batch of sweeps in the books, as the worker opens one. */
import { randomBytes } from 'node:crypto';
import { openBatch as open, releaseUnlanded } from '../../../db/batches.ts';
import type { TaskBooks } from './world.ts';

let laneNonce = 0;

export function openBatch({ store, clock }: TaskBooks, itemIds: readonly string[]): Promise<number> {
  laneNonce += 1;
  const hash = `0x${randomBytes(32).toString('hex')}`;
  return open(store, {
    network: 'base',
    kind: 'sweep',
    lane: '0xlane',
    laneNonce,
    target: '0xmulticall',
    calldata: '[]',
    gasLimit: 1,
    itemIds,
    signed: { hash, raw: '0x', maxFeePerGas: 1n, maxPriorityFeePerGas: 1n },
    nowMs: clock.nowMs,
  });
}

/** It has its place on the chain, and nothing of it landed there. */
export const endBatch = ({ store, clock }: TaskBooks, batchId: number) =>
  store.tx((db) => releaseUnlanded(db, store, batchId, clock.nowMs));
