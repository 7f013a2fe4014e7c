import { bumpFees, feesFor } from '../../chain/base/fees.ts';
import { signBatch } from '../../chain/base/lanes.ts';
import { addReplacement, lastLaneNonce, openBatch, openBatches, type OpenBatch } from '../../db/batches.ts';
import type { BaseWorker, Lane } from '../dependencies.ts';
import type { Composition } from './composition.ts';

type Hex = `0x${string}`;
/** Bytes that may have been lost on the way are handed over again this often; a node ignores what it knows. */
const RESEND_EVERY_MS = 2_000;

/**
 * Sends batches from lanes, one in flight per lane. The order never changes: sign, store nonce and bytes with what they
 * carry, then send; and afterwards only stored bytes are sent again.
 */
export function createLaneDesk(worker: BaseWorker) {
  const lastSentMs = new Map<string, number>();
  const firstNonces = new Map<string, number>();

  /** Asks the chain where each lane stands; nonces that our books do not know were spent by a lost database. */
  async function start(): Promise<void> {
    for (const lane of worker.lanes) {
      firstNonces.set(lane.address, await worker.rpc.transactionCount(lane.address, 'latest'));
    }
  }

  /** Lanes whose last batch has its place on the chain. */
  async function freeLanes(): Promise<Lane[]> {
    const open = await openBatches(worker.store, worker.profile.network);
    const busy = new Set(open.map(({ batch }) => batch.lane));
    return worker.lanes.filter((lane) => !busy.has(lane.address));
  }

  async function send(lane: Lane, composition: Composition): Promise<void> {
    const { profile } = worker;
    const laneNonce = await nextNonce(lane);
    const { latest } = await worker.rpc.head();
    const fees = feesFor(latest.baseFee, worker.settings.tipWei);
    const { calls, gasLimit } = composition;
    const signed = signBatch({ laneKey: lane.key, laneNonce, calls, gasLimit, fees, profile });
    const point = composition.kind === 'inbound' ? 'settle' : 'payout';
    worker.failpoint(`${point}.before-store`);
    await openBatch(worker.store, {
      network: profile.network,
      kind: composition.kind,
      lane: lane.address,
      laneNonce,
      target: profile.multicall,
      calldata: JSON.stringify(calls),
      gasLimit: Number(gasLimit),
      itemIds: composition.itemIds,
      signed: { ...signed, ...fees },
      nowMs: worker.now(),
    });
    worker.failpoint(`${point}.after-store`);
    await handOver(signed.hash, signed.raw);
    worker.failpoint(`${point}.after-send`);
    worker.log.debug({ lane: lane.address, laneNonce, items: calls.length, kind: composition.kind }, 'batch sent');
  }

  async function nextNonce(lane: Lane): Promise<number> {
    const last = await lastLaneNonce(worker.store, worker.profile.network, lane.address);
    return Math.max(last === null ? 0 : last + 1, firstNonces.get(lane.address) ?? 0);
  }

  /** Keeps open batches moving: the same bytes again, and after a while, unless signing is stopped, with higher fees. */
  async function keepMoving(maySign: boolean): Promise<void> {
    const open = await openBatches(worker.store, worker.profile.network);
    for (const one of open) await keepOneMoving(one, maySign);
  }

  async function keepOneMoving(open: OpenBatch, maySign: boolean): Promise<void> {
    const newest = open.transactions.at(-1);
    if (newest === undefined) throw new Error(`batch ${open.batch.id} has no signed transaction`);
    const sinceSent = worker.now() - (lastSentMs.get(newest.hash) ?? 0);
    if (sinceSent < RESEND_EVERY_MS) return;
    const age = worker.now() - newest.signedAtMs;
    if (maySign && age >= worker.settings.replaceAfterMs) return replace(open);
    await handOver(newest.hash, newest.raw);
  }

  async function replace({ batch, transactions }: OpenBatch): Promise<void> {
    const newest = transactions.at(-1);
    const lane = worker.lanes.find(({ address }) => address === batch.lane);
    // A lane whose key is gone can still land what it signed; it cannot sign more.
    if (newest === undefined || lane === undefined) return;
    const { latest } = await worker.rpc.head();
    const previous = {
      maxFeePerGas: BigInt(newest.maxFeePerGas),
      maxPriorityFeePerGas: BigInt(newest.maxPriorityFeePerGas),
    };
    const fees = bumpFees(previous, latest.baseFee);
    const calls = JSON.parse(batch.calldata) as Hex[];
    const gasLimit = BigInt(batch.gasLimit);
    const { profile } = worker;
    const signed = signBatch({ laneKey: lane.key, laneNonce: batch.laneNonce, calls, gasLimit, fees, profile });
    await addReplacement(worker.store, batch.id, { ...signed, ...fees }, worker.now());
    await handOver(signed.hash, signed.raw);
    worker.log.info({ batchId: batch.id, lane: batch.lane }, 'batch was slow and is sent again with higher fees');
  }

  async function handOver(hash: string, raw: string): Promise<void> {
    lastSentMs.set(hash, worker.now());
    await worker.rpc.sendRaw(raw as Hex);
  }

  return { start, freeLanes, send, keepMoving };
}

export type LaneDesk = ReturnType<typeof createLaneDesk>;
