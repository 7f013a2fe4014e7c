import { gasLimitFor } from '../../chain/evm/rpc/fees.ts';
import { isForbiddenAddress } from '../../chain/evm/rpc/profile.ts';
import type { TransferRow } from '../../db/payments/records/find.ts';
import {
  assignPayouts,
  exposureCounter,
  holdPayout,
  payoutCandidates,
  postponePayout,
  postponeQueued,
  queuedPayouts,
} from '../../db/transfers/authorize.ts';
import { splitCovered } from '../../db/transfers/covered.ts';
import { fundingOf, isSafe } from '../../db/transfers/funding.ts';
import { readCursor } from '../../db/scan/cursor.ts';
import type { EvmWorker, Lane } from '../dependencies.ts';
import { sizeLimit, type Composition } from './composition.ts';
import { recover } from './recover.ts';
import { toCall } from './transfer-call.ts';

type Hex = `0x${string}`;
const CANDIDATES_MAX = 400;
const RETRY_MS = 2_000;
const UNCOVERED_WAIT_MS = 1_000;
/** Long enough for any congestion, short enough that a payout which cannot land is renewed the same day. */
const PAYOUT_VALID_SECONDS = 3_600;

/**
 * Signs the authorizations of queued payouts and stores them. The treasury key does nothing else: what it signs can
 * land at most once, because the nonce is derived from the payout and its generation.
 */
export async function authorizePayouts(worker: EvmWorker): Promise<number> {
  const { network } = worker.profile;
  const cursor = await readCursor(worker.store, network);
  if (cursor === null) return 0;
  const candidates = await queuedPayouts(worker.store, network, worker.now(), CANDIDATES_MAX);
  if (candidates.length === 0) return 0;
  const place = { network, treasury: worker.treasury.address, ownAddresses: worker.ownAddresses };
  const { covered: queued, waiting } = await splitCovered(worker.store, place, candidates);
  // Their money is still at the task address; meanwhile they take no other payout's place.
  const waitingIds = waiting.map(({ id }) => id);
  await postponeQueued(worker.store, waitingIds, worker.now() + UNCOVERED_WAIT_MS);
  if (queued.length === 0) return 0;
  const ids = queued.map(({ id }) => id);
  const funding = await fundingOf(worker.store.read, worker.store, ids);
  const validBefore = cursor.blockTime + PAYOUT_VALID_SECONDS;
  const signed = [];
  for (const payout of queued) {
    const funded = funding.get(payout.id);
    // While a reorganisation has removed the inbound payment, nothing is paid out for it.
    if (funded?.isOpen === true) continue;
    if (isForbiddenAddress(payout.toAddress as Hex, worker.ownAddresses)) {
      await hold(worker, payout, 'forbidden_address');
      continue;
    }
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

/** Chooses payouts for one batch. One that would fail, and was never in a signed transaction, is set aside. */
export async function composePayouts(worker: EvmWorker, lane: Lane): Promise<Composition | null> {
  const candidates = await payoutCandidates(worker.store, worker.profile.network, worker.now(), CANDIDATES_MAX);
  const funding = await fundingOf(
    worker.store.read,
    worker.store,
    candidates.map(({ id }) => id),
  );
  const funded = candidates.filter(({ id }) => funding.get(id)?.isOpen !== true);
  const [first] = funded;
  if (first === undefined) return null;
  const together = funded.filter(({ tries }) => tries === first.tries).slice(0, sizeLimit(first.tries));
  const calls = together.map(toCall);
  const results = await worker.rpc.simulateBatch({ calls, from: lane.address, gasLimit: gasLimitFor(calls.length) });
  // A payout that was in a signed transaction is sent again, whether its simulation works or not.
  const working = together.filter((payout, index) => results[index]?.success === true || payout.tries > 0);
  const failing = together.filter((payout) => !working.includes(payout));
  if (failing.length > 0) await setAside(worker, failing);
  if (working.length === 0) return null;
  return {
    kind: 'payout',
    itemIds: working.map(({ id }) => id),
    calls: working.map(toCall),
    gasLimit: gasLimitFor(working.length),
  };
}

/**
 * A recipient on the token's blacklist is held until an operator decides. Every other obstacle passes (the token is
 * paused) or is renewed (an authorization has expired), so the payout only waits.
 */
async function setAside(worker: EvmWorker, failing: readonly TransferRow[]): Promise<void> {
  const { safe } = await worker.rpc.head();
  const keys = failing.map(({ fromAddress, nonce }) => ({ authorizer: fromAddress as Hex, nonce: nonce as Hex }));
  const [barred, used] = await Promise.all([
    worker.rpc.areBlacklisted(failing.map(({ toAddress }) => toAddress as Hex)),
    worker.rpc.authorizationStates(keys, safe.number),
  ]);
  for (const [index, payout] of failing.entries()) {
    const key = keys[index];
    if (barred[index] === true) await hold(worker, payout, 'recipient_blacklisted');
    // It landed in a transaction that these books do not know, as after restoring an older database.
    else if (used[index] === true && key !== undefined) await recover(worker, key, safe.number);
    else await postponePayout(worker.store, payout.id, worker.now() + RETRY_MS);
  }
}

async function hold(worker: EvmWorker, payout: TransferRow, reason: string): Promise<void> {
  if (!(await holdPayout(worker.store, payout.id, reason))) return;
  worker.log.warn({ payoutId: payout.id, reason }, 'payout is held');
}
