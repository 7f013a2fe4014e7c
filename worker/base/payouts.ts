import { encodeTransfer, type Authorization } from '../../chain/base/authorization.ts';
import { gasLimitFor } from '../../chain/base/fees.ts';
import { payoutCandidates } from '../../db/batches.ts';
import type { PayoutRow } from '../../db/payments/find.ts';
import { assignPayouts, exposureCounter, holdPayout, queuedPayouts } from '../../db/payouts/authorize.ts';
import { fundingOf, isSafe } from '../../db/payouts/funding.ts';
import { readCursor } from '../../db/scan/cursor.ts';
import type { BaseWorker, Lane } from '../dependencies.ts';
import { sizeLimit, type Composition } from './composition.ts';

type Hex = `0x${string}`;
const CANDIDATES_MAX = 400;
/** Long enough for any congestion, short enough that a payout which cannot land is renewed the same day. */
const PAYOUT_VALID_SECONDS = 3_600;

/**
 * Signs the authorizations of queued payouts and stores them. The treasury key does nothing else: what it signs can
 * land at most once, because the nonce is derived from the payout and its generation.
 */
export async function authorizePayouts(worker: BaseWorker): Promise<number> {
  const { network } = worker.profile;
  const cursor = await readCursor(worker.store, network);
  if (cursor === null) return 0;
  const queued = await queuedPayouts(worker.store, network, worker.now(), CANDIDATES_MAX);
  if (queued.length === 0) return 0;
  const ids = queued.map(({ id }) => id);
  const funding = await fundingOf(worker.store.read, worker.store, ids);
  const validBefore = cursor.blockTime + PAYOUT_VALID_SECONDS;
  const signed = [];
  for (const payout of queued) {
    const funded = funding.get(payout.id);
    // While a reorganisation has taken the inbound away, nothing is paid out against it.
    if (funded?.isOpen === true) continue;
    const { authorization, signature } = await worker.treasury.signPayout({
      payoutId: payout.id,
      generation: payout.generation,
      to: payout.toAddress as Hex,
      value: payout.amountMicroUsdc,
      validAfter: 0,
      validBefore,
    });
    const { id, generation, amountMicroUsdc } = payout;
    const exposed = !isSafe(funded, cursor.safeBlock);
    signed.push({ id, generation, amountMicroUsdc, nonce: authorization.nonce, validBefore, signature, exposed });
  }
  if (signed.length === 0) return 0;
  worker.failpoint('payout.before-assign');
  const exposure = { counter: exposureCounter(network), capMicroUsdc: worker.settings.exposureCapMicroUsdc };
  const assigned = await assignPayouts(worker.store, signed, exposure, worker.now());
  worker.failpoint('payout.after-assign');
  return assigned.length;
}

/** Chooses payouts for one batch; one that would fail, and was never in a signed transaction, is set aside. */
export async function composePayouts(worker: BaseWorker, lane: Lane): Promise<Composition | null> {
  const candidates = await payoutCandidates(worker.store, worker.profile.network, worker.now(), CANDIDATES_MAX);
  const [first] = candidates;
  if (first === undefined) return null;
  const together = candidates.filter(({ tries }) => tries === first.tries).slice(0, sizeLimit(first.tries));
  const calls = together.map(toCall);
  const results = await worker.rpc.simulateBatch({ calls, from: lane.address, gasLimit: gasLimitFor(calls.length) });
  // What was in a signed transaction before is sent again whatever a simulation says.
  const working = together.filter((payout, index) => results[index]?.success === true || payout.tries > 0);
  const failing = together.filter((payout) => !working.includes(payout));
  for (const payout of failing) await hold(worker, payout);
  if (working.length === 0) return null;
  return {
    kind: 'payout',
    itemIds: working.map(({ id }) => id),
    calls: working.map(toCall),
    gasLimit: gasLimitFor(working.length),
  };
}

async function hold(worker: BaseWorker, payout: PayoutRow): Promise<void> {
  if (!(await holdPayout(worker.store, payout.id, 'simulation_failed'))) return;
  worker.log.warn({ payoutId: payout.id }, 'payout would fail on the chain and was set aside');
}

function toCall(payout: PayoutRow): Hex {
  const { nonce, validBefore, signature } = payout;
  if (nonce === null || validBefore === null || signature === null) {
    throw new Error(`payout ${payout.id} is assigned but has no stored authorization`);
  }
  const authorization: Authorization = {
    from: payout.fromAddress as Hex,
    to: payout.toAddress as Hex,
    value: payout.amountMicroUsdc,
    validAfter: 0,
    validBefore,
    nonce: nonce as Hex,
  };
  return encodeTransfer(authorization, signature as Hex);
}
