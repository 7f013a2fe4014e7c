import { payoutNonce } from '../../chain/evm/nonces.ts';
import { FORMER_NONCE } from '../../core/payments/former-address.ts';
import type { TransferRow } from '../../db/payments/records/find.ts';
import { maySignUntil } from '../../db/rotations/heads.ts';
import { outflowNamed, seenUnder } from '../../db/rotations/outflows.ts';
import { readCursor } from '../../db/scan/cursor.ts';
import { postponeTransfers } from '../../db/transfers/authorize.ts';
import { takeOver } from '../../db/transfers/former.ts';
import type { EvmWorker } from '../dependencies.ts';
import { recover } from './recover.ts';
import { hold } from './transfers.ts';

type Hex = `0x${string}`;
type Key = { authorizer: Hex; nonce: Hex };

/**
 * `elsewhere`: that address never pays under it. `paid`: it has. `doubtful`: it may have. `unsure`: not to be told yet.
 */
type SpentOn = 'elsewhere' | 'paid' | 'doubtful' | 'unsure';

const WAIT_MS = 1_000;
/** For what a former key may have signed: that runs out within the hour. */
const UNKNOWN_WAIT_MS = 10_000;

/**
 * Those of the queued payouts that the treasury may sign, as far as former addresses go. None leaves that one of them has
 * paid, or may still pay: its nonce is asked for at all of them, because books may be older than several rotations. One
 * that was planned for a former treasury is taken over once what that may have signed has expired; it keeps its id.
 */
export async function withoutFormers(worker: EvmWorker, queued: readonly TransferRow[]): Promise<TransferRow[]> {
  const { store, rpc, profile, treasury, formers = [], log, now } = worker;
  if (queued.length === 0) return [];
  if (formers.length === 0) return ofTreasury(worker, queued);
  const { finalized } = await rpc.head();
  const cursor = await readCursor(store, profile.network);
  if (cursor === null || cursor.block < finalized.number) return [];
  const ends = await spentAtFormers(worker, queued, finalized.number);
  const held = new Set<string>();
  for (const [index, payout] of queued.entries()) {
    const reason = whyHeld(ends[index] ?? []);
    if (reason === null) continue;
    await hold(worker, payout, reason);
    held.add(payout.id);
  }
  const free = queued.filter((_payout, index) => ends[index]?.every((end) => end === 'elsewhere'));
  // Also of those that are planned for the treasury: books from before a rotation plan anew what its old key has signed.
  const isKnown = (await maySignUntil(store.read, store.tables, profile.network)) <= finalized.time;
  const isOver = ({ validBefore }: TransferRow) => isKnown && (validBefore ?? 0) <= finalized.time;
  const isPlannedHere = ({ fromAddress }: TransferRow) => fromAddress === treasury.address;
  const taken = await takeOver(
    store,
    free.filter((payout) => !isPlannedHere(payout) && isOver(payout)),
    treasury.address,
  );
  if (taken.length > 0)
    log.info(
      { network: profile.network, payouts: taken.length },
      'payouts of a former treasury leave from the treasury',
    );
  const ready = [...(isKnown ? free.filter(isPlannedHere) : []), ...taken];
  const readyIds = new Set(ready.map(({ id }) => id));
  const waiting = queued.filter((payout) => !readyIds.has(payout.id) && !held.has(payout.id));
  await postponeTransfers(
    store,
    waiting.map(({ id }) => id),
    now() + (isKnown ? WAIT_MS : UNKNOWN_WAIT_MS),
  );
  return ready;
}

/** One that is planned for an address without a key here waits alone: it must not stand in the way of all others. */
async function ofTreasury(
  { store, treasury, profile, log, now }: EvmWorker,
  queued: readonly TransferRow[],
): Promise<TransferRow[]> {
  const astray = queued.filter(({ fromAddress }) => fromAddress !== treasury.address).map(({ id }) => id);
  if (astray.length === 0) return [...queued];
  log.warn({ network: profile.network, payouts: astray }, 'payouts are planned for another address than the treasury');
  await postponeTransfers(store, astray, now() + UNKNOWN_WAIT_MS);
  return queued.filter(({ id }) => !astray.includes(id));
}

function whyHeld(ends: readonly SpentOn[]): string | null {
  if (ends.includes('paid')) return 'paid_before';
  return ends.includes('doubtful') ? FORMER_NONCE : null;
}

/** Of each payout, what each former address has spent its nonce on; of those where it is unused nothing. */
async function spentAtFormers(
  worker: EvmWorker,
  queued: readonly TransferRow[],
  finalizedBlock: number,
): Promise<SpentOn[][]> {
  const { rpc, profile, store, formers = [] } = worker;
  const keys = queued.flatMap(({ id }) =>
    formers.map(({ address }) => ({ authorizer: address as Hex, nonce: payoutNonce(id) })),
  );
  const used = await rpc.authorizationStates(keys, finalizedBlock);
  // What landed after that block: books that are a backup do not know that it was on its way.
  const seen = await seenUnder(store, profile.network, keys);
  return Promise.all(
    queued.map((payout, row) => {
      const own = keys.slice(row * formers.length, (row + 1) * formers.length);
      const ends = own.map((key, index): Promise<SpentOn | null> => {
        if (used[row * formers.length + index] !== false) return spentOn(worker, payout, key, finalizedBlock);
        return Promise.resolve(seen.has(`${key.authorizer}:${key.nonce}`) ? 'unsure' : null);
      });
      // The operator has compared it, and says that it paid nothing of this.
      const isLetGo = (end: SpentOn) => end === 'doubtful' && payout.formerNonceAtMs !== null;
      return Promise.all(ends).then((all) => all.filter((end) => end !== null).filter((end) => !isLetGo(end)));
    }),
  );
}

/**
 * What a nonce was spent on that is used at a former address, as of a finalized block that the books have read. Its key may
 * be known to others, who can cancel a payout's nonce there, or spend it on a transfer of their own: then nothing can ever
 * land under it there. Without a transfer in the books there was none: they have all that ever left us, and are compared
 * with the chain every minute; for what is newer than that the chain is asked by name.
 */
export async function spentOn(
  worker: EvmWorker,
  transfer: TransferRow,
  key: Key,
  finalizedBlock: number,
): Promise<SpentOn> {
  const { network } = worker.profile;
  switch (await outflowNamed(worker.store, { network, ...key }, transfer)) {
    case 'open':
      return 'unsure';
    case 'ours':
      return 'paid';
    case 'doubtful':
      return 'doubtful';
    case 'other':
      return 'elsewhere';
    case 'none': {
      const found = await recover(worker, key, finalizedBlock);
      // What it paid for is in no book here.
      if (found === 'before') return 'doubtful';
      return found === 'spent' || found === 'untraced' ? 'elsewhere' : 'unsure';
    }
  }
}
