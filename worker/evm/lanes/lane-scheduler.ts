import { SignerAway } from '../../../chain/signing/kms/away.ts';
import { bumpFees, feesFor } from '../../../chain/evm/rpc/fees.ts';
import { openBatch } from '../../../db/carriers/batch.ts';
import {
  addReplacement,
  lastLaneNonce,
  openCarriers,
  readBytes,
  readCalls,
  type OpenCarrier,
} from '../../../db/carriers/carriers.ts';
import type { Lane } from '../../../chain/signing/evm.ts';
import { settlementOf, type EvmWorker } from '../../dependencies.ts';
import type { MaySign } from '../../may-sign.ts';
import type { Composition } from './composition.ts';
import type { LaneShare } from './lane-share.ts';

type Hex = `0x${string}`;
/** Bytes that a node may have lost are sent again this often; a node ignores what it knows. */
const RESEND_EVERY_MS = 2_000;

/**
 * Sends batches from lanes, one in flight per lane. The order never changes: sign, store nonce and bytes with their
 * items, then send. After that only stored bytes are sent again.
 */
export type LaneScheduler = {
  /** Reads each lane's nonce from the chain: a lost database may have spent nonces that our books do not know. */
  start: () => Promise<void>;
  /**
   * Lanes of this worker whose last batch is in a block and that can pay for another. `othersWait`: a batch of one of its
   * lanes is on its way.
   */
  freeLanes: () => Promise<{ free: Lane[]; othersWait: boolean }>;
  /**
   * `costly`: gas costs more than this chain's limit, so nothing was signed. `taken`: another worker's lane has some of it,
   * so the bytes were dropped.
   */
  send: (lane: Lane, composition: Composition) => Promise<'sent' | 'costly' | 'taken'>;
  /** Batches sent since we started, so that each kind can have its turn. */
  sentCount: () => number;
  /**
   * Sends open batches again: the same bytes, and after a while new ones with higher fees, where their kind may be
   * signed.
   */
  keepMoving: (maySign: MaySign) => Promise<void>;
};

type State = {
  worker: EvmWorker;
  /** When bytes were last sent, by hash. It only spaces repeats: after a restart they may be sent at once. */
  lastSentMs: Map<string, number>;
  /** Each lane's next nonce on the chain when we started. */
  firstNonces: Map<string, number>;
  sent: number;
};

export function createLaneScheduler(worker: EvmWorker, { isMine }: Pick<LaneShare, 'isMine'>): LaneScheduler {
  const state: State = { worker, lastSentMs: new Map(), firstNonces: new Map(), sent: 0 };
  const open = () => openCarriers(worker.store, worker.profile.network);
  return {
    async start() {
      for (const { address } of worker.lanes) {
        state.firstNonces.set(address, await worker.rpc.transactionCount(address, 'latest'));
      }
    },
    async freeLanes() {
      const busy = new Set((await open()).map(({ carrier }) => carrier.sender));
      const mine = worker.lanes.filter(isMine);
      const free = mine.filter((lane) => !busy.has(lane.address) && worker.isDry?.(lane) !== true);
      return { free, othersWait: mine.some(({ address }) => busy.has(address)) };
    },
    send: (lane, composition) => send(state, lane, composition),
    sentCount: () => state.sent,
    async keepMoving(maySign) {
      const batches = await open();
      forgetSealed(state, batches);
      for (const batch of batches) if (isMoved(worker, batch, isMine)) await keepOneMoving(state, batch, maySign);
    },
  };
}

/** The batches of its own lanes; a lane whose key is gone is nobody's, so the worker that scans sends its bytes. */
function isMoved(worker: EvmWorker, { carrier }: OpenCarrier, isMine: (lane: Lane) => boolean): boolean {
  const lane = worker.lanes.find(({ address }) => address === carrier.sender);
  return lane === undefined ? settlementOf(worker).isHeld() : isMine(lane);
}

async function send(state: State, lane: Lane, composition: Composition): Promise<'sent' | 'costly' | 'taken'> {
  const { worker } = state;
  const { profile, store } = worker;
  const laneNonce = await nextNonce(state, lane);
  const { baseFee } = await worker.rpc.latest();
  const fees = feesFor(baseFee, profile.rules);
  if (fees === null) {
    worker.log.warn({ baseFee: baseFee.toString() }, 'gas costs more than the limit of this chain; the batch waits');
    return 'costly';
  }
  const { calls, gasLimit, kind, itemIds } = composition;
  const id = worker.ids.carrierId();
  const items = kind === 'inbound' ? { payments: itemIds } : { transfers: itemIds };
  const passage = { sinceMs: worker.now(), network: profile.network, carrier: id, ...items };
  const signed = await lane.signBatch({ kind, step: 'new', laneNonce, calls, gasLimit, fees });
  const point = worker.settings.carriers[kind].failpoint;
  worker.failpoint(`${point}.before-store`, passage);
  const batch = {
    id,
    network: profile.network,
    kind,
    sender: lane.address,
    laneNonce,
    calldata: JSON.stringify(calls),
    gasLimit: Number(gasLimit),
    signed: { hash: signed.hash, bytes: signed.raw, ...fees },
  };
  if (!(await openBatch(store, batch, itemIds, worker.now()))) return 'taken';
  worker.failpoint(`${point}.after-store`, passage);
  state.sent += 1;
  await handOver(state, batch.signed);
  worker.failpoint(`${point}.after-send`, passage);
  worker.log.debug({ lane: lane.address, laneNonce, items: itemIds.length, kind }, 'batch sent');
  return 'sent';
}

async function nextNonce({ worker, firstNonces }: State, lane: Lane): Promise<number> {
  const last = await lastLaneNonce(worker.store, worker.profile.network, lane.address);
  return Math.max(last === null ? 0 : last + 1, firstNonces.get(lane.address) ?? 0);
}

async function keepOneMoving(state: State, open: OpenCarrier, maySign: MaySign): Promise<void> {
  const { worker, lastSentMs } = state;
  const { carrier, newest } = open;
  if (worker.now() - (lastSentMs.get(newest.hash) ?? 0) < RESEND_EVERY_MS) return;
  // Each replacement waits twice as long as the last, so that an outage does not price a lane out of its gas money.
  const patienceMs = worker.pace.replaceAfterMs * 2 ** Math.min(open.transactions.length - 1, 10);
  const isSlow = worker.now() - newest.signedAtMs >= patienceMs;
  const lane = worker.lanes.find(({ address }) => address === carrier.sender);
  // A lane whose key is gone can still land what it signed, but cannot sign more.
  if (maySign(carrier.kind, 'replacement') && isSlow && lane !== undefined) {
    return replace(state, lane, open).catch((error: unknown) => {
      if (!(error instanceof SignerAway)) throw error;
      // The bytes that are stored can land all the same.
      return sendAgain(state, newest);
    });
  }
  await sendAgain(state, newest);
}

/** The same calls and nonce with higher fees: only one version can ever land. */
async function replace(state: State, lane: Lane, { carrier, newest }: OpenCarrier): Promise<void> {
  const { worker } = state;
  const { id: carrierId, laneNonce } = carrier;
  const [maxFeePerGas, maxPriorityFeePerGas] = [newest.maxFeePerGas, newest.maxPriorityFeePerGas];
  const calls = await readCalls(worker.store, carrierId);
  if (laneNonce === null || calls === null || maxFeePerGas === null || maxPriorityFeePerGas === null) {
    throw new Error(`carrier ${carrierId} is no batch of a lane`);
  }
  const previous = { maxFeePerGas: BigInt(maxFeePerGas), maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas) };
  const { baseFee } = await worker.rpc.latest();
  const fees = bumpFees(previous, baseFee, worker.profile.rules);
  if (fees === null) return sendAgain(state, newest);
  const { kind } = carrier;
  const batch = { calls: calls as Hex[], gasLimit: BigInt(carrier.gasLimit ?? 0), laneNonce, fees };
  const signed = await lane.signBatch({ kind, step: 'replacement', ...batch });
  const replacement = { hash: signed.hash, bytes: signed.raw, ...fees };
  await addReplacement(worker.store, carrier, replacement, worker.now());
  await handOver(state, replacement);
  worker.log.info({ carrierId, lane: carrier.sender }, 'batch was slow and is sent again with higher fees');
}

async function handOver(
  { worker, lastSentMs }: State,
  { hash, bytes }: { hash: string; bytes: string },
): Promise<void> {
  lastSentMs.set(hash, worker.now());
  await worker.rpc.sendRaw(bytes as Hex);
}

async function sendAgain(state: State, { hash }: { hash: string }): Promise<void> {
  const bytes = await readBytes(state.worker.store, hash);
  if (bytes !== null) await handOver(state, { hash, bytes });
}

function forgetSealed({ lastSentMs }: State, open: readonly OpenCarrier[]): void {
  const alive = new Set(open.flatMap(({ transactions }) => transactions.map(({ hash }) => hash)));
  for (const hash of lastSentMs.keys()) if (!alive.has(hash)) lastSentMs.delete(hash);
}
