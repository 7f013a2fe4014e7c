import { bumpFees, feesFor, type Fees } from '../../chain/evm/fees.ts';
import { signBatch } from '../../chain/evm/lanes.ts';
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
export type LaneDesk = {
  /** Asks the chain where each lane stands: nonces that our books do not know were spent by a lost database. */
  start: () => Promise<void>;
  /** Lanes whose last batch has its place on the chain. */
  freeLanes: () => Promise<Lane[]>;
  send: (lane: Lane, composition: Composition) => Promise<void>;
  /** Batches sent since we started, so that each kind can have its turn. */
  sentCount: () => number;
  /**
   * Keeps open batches moving: the same bytes again, and after a while with higher fees. While signing is stopped only
   * batches of withdrawals are signed anew.
   */
  keepMoving: (maySign: boolean) => Promise<void>;
};

type Desk = {
  worker: BaseWorker;
  /** When bytes were last handed over, by hash. Only a pause between repeats: a restart may send at once. */
  lastSentMs: Map<string, number>;
  /** The nonce that the chain expected of each lane when we started. */
  firstNonces: Map<string, number>;
  sent: number;
};

export function createLaneDesk(worker: BaseWorker): LaneDesk {
  const desk: Desk = { worker, lastSentMs: new Map(), firstNonces: new Map(), sent: 0 };
  const open = () => openBatches(worker.store, worker.profile.network);
  return {
    async start() {
      for (const { address } of worker.lanes) {
        desk.firstNonces.set(address, await worker.rpc.transactionCount(address, 'latest'));
      }
    },
    async freeLanes() {
      const busy = new Set((await open()).map(({ batch }) => batch.lane));
      return worker.lanes.filter((lane) => !busy.has(lane.address));
    },
    send: (lane, composition) => send(desk, lane, composition),
    sentCount: () => desk.sent,
    async keepMoving(maySign) {
      const batches = await open();
      forgetSealed(desk, batches);
      for (const batch of batches) await keepOneMoving(desk, batch, maySign);
    },
  };
}

async function send(desk: Desk, lane: Lane, composition: Composition): Promise<void> {
  const { worker } = desk;
  const { profile, store } = worker;
  const laneNonce = await nextNonce(desk, lane);
  const { latest } = await worker.rpc.head();
  const fees = feesFor(latest.baseFee, worker.pace.tipWei);
  const { calls, gasLimit, kind, itemIds } = composition;
  const signed = signBatch({ laneKey: lane.key, laneNonce, calls, gasLimit, fees, profile });
  // What a process that dies here must not lose is the same for withdrawals as for payouts.
  const point = kind === 'inbound' ? 'settle' : kind === 'sweep' ? 'sweep' : 'payout';
  worker.failpoint(`${point}.before-store`);
  await openBatch(store, {
    network: profile.network,
    kind,
    lane: lane.address,
    laneNonce,
    target: profile.multicall,
    calldata: JSON.stringify(calls),
    gasLimit: Number(gasLimit),
    itemIds,
    signed: { ...signed, ...fees },
    nowMs: worker.now(),
  });
  worker.failpoint(`${point}.after-store`);
  desk.sent += 1;
  await handOver(desk, signed);
  worker.failpoint(`${point}.after-send`);
  worker.log.debug({ lane: lane.address, laneNonce, items: itemIds.length, kind }, 'batch sent');
}

async function nextNonce({ worker, firstNonces }: Desk, lane: Lane): Promise<number> {
  const last = await lastLaneNonce(worker.store, worker.profile.network, lane.address);
  return Math.max(last === null ? 0 : last + 1, firstNonces.get(lane.address) ?? 0);
}

async function keepOneMoving(desk: Desk, open: OpenBatch, maySign: boolean): Promise<void> {
  const { worker, lastSentMs } = desk;
  const newest = open.transactions.at(-1);
  if (newest === undefined) throw new Error(`batch ${open.batch.id} has no signed transaction`);
  if (worker.now() - (lastSentMs.get(newest.hash) ?? 0) < RESEND_EVERY_MS) return;
  // Each replacement waits twice as long as the one before: an outage must not price a lane out of its own money.
  const patienceMs = worker.pace.replaceAfterMs * 2 ** Math.min(open.transactions.length - 1, 10);
  const isSlow = worker.now() - newest.signedAtMs >= patienceMs;
  const lane = worker.lanes.find(({ address }) => address === open.batch.lane);
  // A lane whose key is gone can still land what it signed; it cannot sign more.
  const maySignThis = maySign || open.batch.kind === 'withdrawal';
  if (maySignThis && isSlow && lane !== undefined) {
    const previous = {
      maxFeePerGas: BigInt(newest.maxFeePerGas),
      maxPriorityFeePerGas: BigInt(newest.maxPriorityFeePerGas),
    };
    return replace(desk, lane, open, previous);
  }
  await handOver(desk, newest);
}

/** The same calls under the same nonce for more: of all versions only one can ever land. */
async function replace(desk: Desk, lane: Lane, { batch }: OpenBatch, previous: Fees): Promise<void> {
  const { worker } = desk;
  const { latest } = await worker.rpc.head();
  const fees = bumpFees(previous, latest.baseFee);
  const calls = JSON.parse(batch.calldata) as Hex[];
  const gasLimit = BigInt(batch.gasLimit);
  const { profile } = worker;
  const signed = signBatch({ laneKey: lane.key, laneNonce: batch.laneNonce, calls, gasLimit, fees, profile });
  await addReplacement(worker.store, batch.id, { ...signed, ...fees }, worker.now());
  await handOver(desk, signed);
  worker.log.info({ batchId: batch.id, lane: batch.lane }, 'batch was slow and is sent again with higher fees');
}

async function handOver({ worker, lastSentMs }: Desk, { hash, raw }: { hash: string; raw: string }): Promise<void> {
  lastSentMs.set(hash, worker.now());
  await worker.rpc.sendRaw(raw as Hex);
}

function forgetSealed({ lastSentMs }: Desk, open: readonly OpenBatch[]): void {
  const alive = new Set(open.flatMap(({ transactions }) => transactions.map(({ hash }) => hash)));
  for (const hash of lastSentMs.keys()) if (!alive.has(hash)) lastSentMs.delete(hash);
}
