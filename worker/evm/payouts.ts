import { isForbiddenAddress } from '../../chain/evm/rpc/profile.ts';
import { readCursor } from '../../db/scan/cursor.ts';
import { assignTransfers, postponeTransfers } from '../../db/transfers/authorize.ts';
import { splitCovered } from '../../db/transfers/covered.ts';
import { exposureCounter } from '../../db/transfers/exposure.ts';
import { queuedTransfers } from '../../db/transfers/find.ts';
import { fundingOf, isSafe } from '../../db/transfers/funding.ts';
import type { EvmWorker } from '../dependencies.ts';
import { hold } from './transfers.ts';

type Hex = `0x${string}`;
const CANDIDATES_MAX = 400;
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
  const candidates = await queuedTransfers(worker.store, {
    network,
    kind: 'payout',
    nowMs: worker.now(),
    limit: CANDIDATES_MAX,
  });
  if (candidates.length === 0) return 0;
  const place = { network, treasury: worker.treasury.address, ownAddresses: worker.ownAddresses };
  const { covered: queued, waiting } = await splitCovered(worker.store, place, candidates);
  // Their money is still at the task address; meanwhile they take no other payout's place.
  const waitingIds = waiting.map(({ id }) => id);
  await postponeTransfers(worker.store, waitingIds, worker.now() + UNCOVERED_WAIT_MS);
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
  const assigned = await assignTransfers(worker.store, signed, exposure, worker.now());
  worker.failpoint('payout.after-assign');
  return assigned.length;
}
