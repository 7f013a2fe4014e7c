/** A lane's batch of sweeps in the books, as the worker opens one. */
import { randomBytes } from 'node:crypto';
import { openBatch as open, releaseUnlanded } from '../../../db/carriers/batch.ts';
import type { TaskBooks } from './world.ts';

let laneNonce = 0;

export async function openBatch({ store, clock }: TaskBooks, itemIds: readonly string[]): Promise<string> {
  laneNonce += 1;
  const hash = `0x${randomBytes(32).toString('hex')}`;
  const batch = {
    id: randomBytes(16).toString('base64url'),
    network: 'base',
    kind: 'sweep',
    sender: '0xlane',
    laneNonce,
    calldata: '[]',
    gasLimit: 1,
    signed: { hash, bytes: '0x', maxFeePerGas: 1n, maxPriorityFeePerGas: 1n },
  } as const;
  if (!(await open(store, batch, itemIds, clock.nowMs))) throw new Error('the items were not free');
  return batch.id;
}

/** It has its place on the chain, and nothing of it landed there. */
export const endBatch = ({ store, clock }: TaskBooks, carrierId: string) =>
  store.tx((db) => releaseUnlanded(db, store, carrierId, clock.nowMs));
