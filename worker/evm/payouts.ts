import { isForbiddenAddress } from '../../chain/evm/rpc/profile.ts';
import { readCursor } from '../../db/scan/cursor.ts';
import { postponeTransfers } from '../../db/transfers/authorize.ts';
import { splitCovered } from '../../db/transfers/covered.ts';
import { queuedTransfers } from '../../db/transfers/find.ts';
import { fundingOf, isSafe } from '../../db/transfers/funding.ts';
import type { EvmWorker } from '../dependencies.ts';
import { withoutPaidBefore, withoutUnswept } from '../paid-before.ts';
import { withoutUnscreened } from '../screening/screening.ts';
import { authorize, type ToAuthorize } from './authorize.ts';
import { withoutFormers } from './formers.ts';
import { hold } from './transfers.ts';

type Hex = `0x${string}`;
const CANDIDATES_MAX = 400;
const UNCOVERED_WAIT_MS = 1_000;

/**
 * Signs queued payouts whose money is at the treasury, and stores their authorizations. True: there may be more, and they
 * need not wait for anything.
 */
export async function authorizePayouts(worker: EvmWorker): Promise<boolean> {
  const { network } = worker.profile;
  const cursor = await readCursor(worker.store, network);
  if (cursor === null) return false;
  const due = { network, kind: 'payout', nowMs: worker.now(), limit: CANDIDATES_MAX } as const;
  const swept = await withoutUnswept(worker, await queuedTransfers(worker.store, due));
  const candidates = await withoutFormers(worker, swept);
  if (candidates.length === 0) return false;
  const place = { network, treasury: worker.treasury.address, ownAddresses: worker.ownAddresses };
  const { covered, waiting } = await splitCovered(worker.store, place, candidates);
  // Their money is still at the task address; meanwhile they take no other payout's place.
  const waitingIds = waiting.map(({ id }) => id);
  await postponeTransfers(worker.store, waitingIds, worker.now() + UNCOVERED_WAIT_MS);
  const queued = await withoutUnscreened(worker, await withoutPaidBefore(worker, covered));
  if (queued.length === 0) return false;
  const ids = queued.map(({ id }) => id);
  const funding = await fundingOf(worker.store.read, worker.store, ids);
  const wanted: ToAuthorize[] = [];
  for (const payout of queued) {
    const funded = funding.get(payout.id);
    // While a reorganisation has removed the inbound payment, nothing is paid out for it.
    if (funded?.isOpen === true) continue;
    if (isForbiddenAddress(payout.toAddress as Hex, worker.ownAddresses)) {
      await hold(worker, payout, 'forbidden_address');
      continue;
    }
    wanted.push({ transfer: payout, exposed: !isSafe(funded, cursor.safeBlock) });
  }
  const signed = await authorize(worker, wanted, cursor);
  // Where none was signed the next look would find the same ones.
  return signed > 0 && candidates.length === CANDIDATES_MAX;
}
