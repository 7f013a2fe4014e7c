import { payoutNonce } from '../../chain/evm/nonces.ts';
import { isForbiddenAddress } from '../../chain/evm/rpc/profile.ts';
import { readCursor } from '../../db/scan/cursor.ts';
import { postponeTransfers } from '../../db/transfers/authorize.ts';
import { splitCovered } from '../../db/transfers/covered.ts';
import { queuedTransfers } from '../../db/transfers/find.ts';
import { payoutsOfFormers, takeOver } from '../../db/transfers/former.ts';
import { fundingOf, isSafe } from '../../db/transfers/funding.ts';
import type { TransferRow } from '../../db/payments/records/find.ts';
import type { EvmWorker } from '../dependencies.ts';
import { withoutPaidBefore } from '../paid-before.ts';
import { withoutUnscreened } from '../screening/screening.ts';
import { authorize, type ToAuthorize } from './authorize.ts';
import { hold } from './transfers.ts';

type Hex = `0x${string}`;
const CANDIDATES_MAX = 400;
const UNCOVERED_WAIT_MS = 1_000;
const FORMER_WAIT_MS = 1_000;

/**
 * Signs queued payouts whose money is at the treasury, and stores their authorizations. True: there may be more, and they
 * need not wait for anything.
 */
export async function authorizePayouts(worker: EvmWorker): Promise<boolean> {
  const { network } = worker.profile;
  const cursor = await readCursor(worker.store, network);
  if (cursor === null) return false;
  await takeOverPayouts(worker);
  const due = { network, kind: 'payout', nowMs: worker.now(), limit: CANDIDATES_MAX } as const;
  const candidates = await withoutFormers(worker, await queuedTransfers(worker.store, due));
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

/**
 * Payouts that were planned for a former treasury leave from the treasury, each once nothing that the former one has
 * signed for it can land: what it may have signed has expired, and its nonce is unused there at a finalized block. The
 * chain is asked even where the books know of no signature, because they may be older than it.
 */
async function takeOverPayouts(worker: EvmWorker): Promise<void> {
  const { store, rpc, profile, treasury, formers = [], log } = worker;
  if (formers.length === 0) return;
  const { network } = profile;
  const addresses = formers.map(({ address }) => address);
  const queued = await payoutsOfFormers(store, { network, formers: addresses, limit: CANDIDATES_MAX });
  if (queued.length === 0) return;
  const { finalized } = await rpc.head();
  const cursor = await readCursor(store, network);
  if (cursor === null || cursor.block < finalized.number) return;
  const over = queued.filter(({ validBefore }) => validBefore === null || validBefore <= finalized.time);
  const keys = over.map(({ id, fromAddress }) => ({ authorizer: fromAddress as Hex, nonce: payoutNonce(id) }));
  const used = await rpc.authorizationStates(keys, finalized.number);
  for (const [index, payout] of over.entries()) if (used[index] !== false) await hold(worker, payout, 'paid_before');
  const free = over.filter((_payout, index) => used[index] === false);
  if (free.length === 0) return;
  await takeOver(store, free, treasury.address);
  log.info({ network, payouts: free.length }, 'payouts of a former treasury leave from the treasury');
}

/** Those of a former treasury wait until it is certain that nothing of it can land for them. */
async function withoutFormers({ store, treasury, now }: EvmWorker, queued: TransferRow[]): Promise<TransferRow[]> {
  const isOurs = ({ fromAddress }: TransferRow) => fromAddress === treasury.address;
  const ids = queued.filter((payout) => !isOurs(payout)).map(({ id }) => id);
  await postponeTransfers(store, ids, now() + FORMER_WAIT_MS);
  return queued.filter(isOurs);
}
