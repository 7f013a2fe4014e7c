import { transferTag } from '../../chain/solana/messages/tags.ts';
import { FORMER_NONCE } from '../../core/payments/former-address.ts';
import type { TransferRow } from '../../db/payments/records/find.ts';
import { maySignUntil } from '../../db/rotations/heads.ts';
import { takenUnder } from '../../db/rotations/outflows.ts';
import { readCursor } from '../../db/scan/cursor.ts';
import { postponeTransfers } from '../../db/transfers/authorize.ts';
import { takeOver } from '../../db/transfers/former.ts';
import type { SolanaWorker } from '../dependencies.ts';
import { hold } from './send.ts';

/** After this many more slots a node lists every transaction. */
const LISTED_AFTER_SLOTS = 32;
const WAIT_MS = 2_000;
/** One that is planned for an address without a key here. */
const ASTRAY_WAIT_MS = 10_000;

/**
 * Those of the queued payouts that the treasury may sign. One that was planned for a former treasury is taken over: what is queued
 * has no transaction that could land. None leaves while a former key may have signed what these books do not know.
 */
export async function withoutFormers(worker: SolanaWorker, queued: readonly TransferRow[]): Promise<TransferRow[]> {
  const { store, profile, treasury, formers = [], log, now } = worker;
  if (queued.length === 0) return [];
  const isPlannedHere = ({ fromAddress }: TransferRow) => fromAddress === treasury.address;
  const isOfFormer = ({ fromAddress }: TransferRow) => formers.some(({ key }) => key.address === fromAddress);
  const astray = queued.filter((payout) => !isPlannedHere(payout) && !isOfFormer(payout)).map(({ id }) => id);
  if (astray.length > 0) {
    log.warn(
      { network: profile.network, payouts: astray },
      'payouts are planned for another address than the treasury',
    );
    await postponeTransfers(store, astray, now() + ASTRAY_WAIT_MS);
  }
  const ours = queued.filter(({ id }) => !astray.includes(id));
  if (formers.length === 0 || ours.length === 0) return ours;
  if (!(await isAllKnown(worker))) {
    const waiting = ours.map(({ id }) => id);
    await postponeTransfers(store, waiting, now() + WAIT_MS);
    return [];
  }
  const free = await withoutTaken(worker, ours);
  const taken = await takeOver(store, free.filter(isOfFormer), treasury.address);
  if (taken.length > 0)
    log.info(
      { network: profile.network, payouts: taken.length },
      'payouts of a former treasury leave from the treasury',
    );
  return [...free.filter(isPlannedHere), ...taken];
}

/**
 * Those that no former address has paid already. Restored books do not know what was signed there; the chain does, by its tag.
 * What left under the tag of a payout is held, until the operator has compared it.
 */
async function withoutTaken(worker: SolanaWorker, payouts: readonly TransferRow[]): Promise<TransferRow[]> {
  const { store, profile, formers = [], now } = worker;
  const addresses = formers.map(({ key }) => key.address);
  const tags = payouts.map(({ id }) => transferTag(id));
  const found = await takenUnder(store, profile.network, { addresses, tags });
  if (found.size === 0) return [...payouts];
  const endOf = ({ id }: TransferRow) => found.get(transferTag(id));
  const doubtful = payouts.filter((payout) => endOf(payout) === 'taken' && payout.formerNonceAtMs === null);
  for (const payout of doubtful) await hold(worker, payout, FORMER_NONCE);
  const open = payouts.filter((payout) => endOf(payout) === 'open').map(({ id }) => id);
  await postponeTransfers(store, open, now() + WAIT_MS);
  return payouts.filter((payout) => !doubtful.includes(payout) && !open.includes(payout.id));
}

/**
 * Whether the books have read all that a former key may have signed beside them. They count slots, and blockhashes run out by
 * height: there is a slot for each block at least, so the height of what was read is certain.
 */
async function isAllKnown({ store, rpc, profile }: SolanaWorker): Promise<boolean> {
  const untilHeight = await maySignUntil(store.read, store.tables, profile.network);
  if (untilHeight === 0) return true;
  const { slot, height } = await rpc.finalized();
  const cursor = await readCursor(store, profile.network);
  if (cursor === null) return false;
  const unread = Math.max(0, slot - cursor.finalizedBlock);
  return height - unread - LISTED_AFTER_SLOTS > untilHeight;
}
