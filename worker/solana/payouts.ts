import { isForbiddenAddress } from '../../chain/solana/messages/addresses.ts';
import type { TransferRow } from '../../db/payments/records/find.ts';
import { postponeTransfers } from '../../db/transfers/authorize.ts';
import { splitCovered } from '../../db/transfers/covered.ts';
import { queuedTransfers } from '../../db/transfers/find.ts';
import { fundingOf, isSafe } from '../../db/transfers/funding.ts';
import { readCursor } from '../../db/scan/cursor.ts';
import type { SolanaWorker } from '../dependencies.ts';
import { withoutPaidBefore, withoutUnswept } from '../paid-before.ts';
import { withoutUnscreened } from '../screening/screening.ts';
import { withinRoom } from './account-quota.ts';
import { findDestinations } from './accounts.ts';
import { withoutFormers } from './formers.ts';
import { sendPayoutTransaction } from './payout-transaction.ts';
import { hold, type Ready } from './send.ts';

const CANDIDATES_MAX = 400;
const UNCOVERED_WAIT_MS = 1_000;

/**
 * Sends queued payouts, as many per transaction as fit. A payout is in one transaction at a time: the step that stores
 * the transaction takes it out of the queue, and it returns only when that transaction failed for good or can never
 * land. Answers how many transactions were sent.
 */
export async function sendPayouts(worker: SolanaWorker): Promise<number> {
  const waiting = await withinRoom(worker, await findReady(worker));
  let sent = 0;
  while (waiting.length > 0) {
    const company = takeCompany(waiting, worker.pace.companyMax);
    const { done, wasSent } = await sendPayoutTransaction(worker, company);
    if (wasSent) sent += 1;
    const finished = new Set(done);
    const left = waiting.filter(({ payout }) => !finished.has(payout.id));
    if (left.length === waiting.length) break;
    waiting.splice(0, waiting.length, ...left);
  }
  return sent;
}

async function findReady(worker: SolanaWorker): Promise<Ready[]> {
  const { store, profile } = worker;
  const cursor = await readCursor(store, profile.network);
  const queued = await findCovered(worker);
  if (cursor === null || queued.length === 0) return [];
  const funding = await fundingOf(
    store.read,
    store,
    queued.map(({ id }) => id),
  );
  // While a rolled back block has removed the inbound payment, nothing is paid out for it.
  const funded = queued.filter(({ id }) => funding.get(id)?.isOpen !== true);
  const isOurs = ({ toAddress }: TransferRow) => isForbiddenAddress(toAddress, worker.ownAddresses);
  for (const payout of funded.filter(isOurs)) await hold(worker, payout, 'forbidden_address');
  const allowed = funded.filter((payout) => !isOurs(payout));
  const destinations = await findDestinations(worker, allowed);
  const ready: Ready[] = [];
  for (const payout of allowed) {
    const destination = destinations.get(payout.id);
    if (destination === undefined) throw new Error(`payout ${payout.id} was given no destination`);
    if (destination.kind === 'obstacle') await hold(worker, payout, destination.reason);
    else {
      const exposed = !isSafe(funding.get(payout.id), cursor.safeBlock);
      ready.push({ payout, item: destination.item, opening: destination.opening, exposed });
    }
  }
  return ready;
}

/** Queued payouts whose money is at the treasury. The others' money is still on its way there. */
async function findCovered(worker: SolanaWorker): Promise<readonly TransferRow[]> {
  const { store, profile, treasury, ownAddresses, now } = worker;
  const due = { network: profile.network, kind: 'payout', nowMs: now(), limit: CANDIDATES_MAX } as const;
  const candidates = await withoutFormers(worker, await withoutUnswept(worker, await queuedTransfers(store, due)));
  if (candidates.length === 0) return [];
  const place = { network: profile.network, treasury: treasury.address, ownAddresses };
  const { covered, waiting } = await splitCovered(store, place, candidates);
  const waitingIds = waiting.map(({ id }) => id);
  await postponeTransfers(store, waitingIds, now() + UNCOVERED_WAIT_MS);
  return withoutUnscreened(worker, await withoutPaidBefore(worker, covered));
}

/** Payouts share a transaction with those that failed equally often; each failure halves it. */
function takeCompany(waiting: readonly Ready[], companyMax: number): Ready[] {
  const [first] = waiting;
  const tries = first?.payout.tries ?? 0;
  const limit = Math.max(1, Math.floor(companyMax / 2 ** Math.min(tries, 5)));
  return waiting.filter(({ payout }) => payout.tries === tries).slice(0, limit);
}
