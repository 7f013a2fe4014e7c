import { gasLimitFor } from '../../chain/evm/rpc/fees.ts';
import type { TransferKind } from '../../core/transfers/purposes.ts';
import type { TransferRow } from '../../db/payments/records/find.ts';
import { holdTransfer, postponeTransfers } from '../../db/transfers/authorize.ts';
import { noteStuck } from '../../db/rotations/stuck.ts';
import { assignedTransfers } from '../../db/transfers/find.ts';
import { fundingOf } from '../../db/transfers/funding.ts';
import type { Lane } from '../../chain/signing/evm.ts';
import type { EvmWorker } from '../dependencies.ts';
import { sizeLimit, type Composition } from './lanes/composition.ts';
import { recover } from './recover.ts';
import { toCall } from './transfer-call.ts';

type Hex = `0x${string}`;
const CANDIDATES_MAX = 400;
const RETRY_MS = 2_000;
/** They run out within the hour. */
const STALE_WAIT_MS = 60_000;

/** Chooses transfers for one batch. One that would fail, and was never in a signed transaction, is set aside. */
export async function composeTransfers(
  worker: EvmWorker,
  lane: Lane,
  kind: Exclude<TransferKind, 'withdrawal'>,
): Promise<Composition | null> {
  const due = { network: worker.profile.network, kind, nowMs: worker.now(), limit: CANDIDATES_MAX };
  const candidates = await withoutStale(worker, kind, await assignedTransfers(worker.store, due));
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
  // One that was in a signed transaction is sent again, whether its simulation works or not.
  const working = together.filter((transfer, index) => results[index]?.success === true || transfer.tries > 0);
  const failing = together.filter((transfer) => !working.includes(transfer));
  if (kind === 'sweep') await noteBarred(worker, together);
  if (failing.length > 0) await setAside(worker, kind, failing);
  if (working.length === 0) return null;
  return {
    kind,
    itemIds: working.map(({ id }) => id),
    calls: working.map(toCall),
    gasLimit: gasLimitFor(working.length),
  };
}

/**
 * Without sweeps to a treasury that was replaced after they were signed, because others may know its key: they run out
 * unsent, and are signed again to the treasury of now.
 */
async function withoutStale(
  { store, formers = [], now, log }: EvmWorker,
  kind: TransferKind,
  assigned: readonly TransferRow[],
): Promise<readonly TransferRow[]> {
  if (kind !== 'sweep') return assigned;
  const stale = assigned.filter(({ toAddress }) => formers.some(({ address }) => address === toAddress));
  if (stale.length === 0) return assigned;
  const ids = stale.map(({ id }) => id);
  await postponeTransfers(store, ids, now() + STALE_WAIT_MS);
  log.debug({ sweeps: ids }, 'sweeps to a former treasury are not sent; they run out');
  return assigned.filter((transfer) => !stale.includes(transfer));
}

/**
 * A payout whose recipient is on the token's blacklist is held until an operator decides. Every other obstacle passes
 * (the token is paused) or is renewed (an authorization has expired), so the transfer only waits.
 */
async function setAside(worker: EvmWorker, kind: TransferKind, failing: readonly TransferRow[]): Promise<void> {
  const { store, rpc, log } = worker;
  const { safe } = await rpc.head();
  const keys = failing.map(({ fromAddress, nonce }) => ({ authorizer: fromAddress as Hex, nonce: nonce as Hex }));
  const [barred, used] = await Promise.all([
    rpc.areBlacklisted(failing.map(({ toAddress }) => toAddress as Hex)),
    rpc.authorizationStates(keys, safe.number),
  ]);
  for (const [index, transfer] of failing.entries()) {
    const key = keys[index];
    if (barred[index] === true && kind === 'payout') await hold(worker, transfer, 'recipient_blacklisted');
    // It landed in a transaction that these books do not know, as after restoring an older database.
    else if (used[index] === true && key !== undefined && (await recover(worker, key, safe.number)) === 'taken')
      continue;
    else {
      await postponeTransfers(store, [transfer.id], worker.now() + RETRY_MS);
      log.debug({ transferId: transfer.id, kind }, 'transfer would fail; it waits');
    }
  }
}

/** What is at a former address that the issuer bars can be moved by nobody. */
async function noteBarred({ store, rpc, profile, formers = [] }: EvmWorker, sweeps: readonly TransferRow[]) {
  const swept = formers.filter(({ address }) => sweeps.some(({ fromAddress }) => fromAddress === address));
  if (swept.length === 0) return;
  const barred = await rpc.areBlacklisted(swept.map(({ address }) => address));
  for (const [index, { address }] of swept.entries())
    await noteStuck(store, { network: profile.network, address }, barred[index] === true);
}

export async function hold(worker: EvmWorker, { id }: TransferRow, reason: string): Promise<void> {
  if (!(await holdTransfer(worker.store, id, reason, worker.now()))) return;
  worker.log.warn({ payoutId: id, reason }, 'payout is held');
}
