import { readBooks } from '../../db/audit/books.ts';
import { readSignatures, UNREAD } from '../../db/rotations/signatures.ts';
import { readCursor } from '../../db/scan/cursor.ts';
import { bookedAfter, knownTransactions } from '../../db/solana/scan.ts';
import type { SolanaWorker } from '../dependencies.ts';
import type { Compared, Held } from '../networks/solvency.ts';
import type { Found } from './history.ts';

const FOUND_MAX = 500;
/** More transactions on their way are not read one by one: the next comparison finds fewer. */
const PENDING_MAX = 64;
const READ_AT_ONCE = 8;

/** One of our token accounts and its owner; `since`: where reading the chain's list of it begins. */
export type OwnAccount = { account: string; address: string; since: string; isFormer?: boolean };

/** `isQuiet`: nothing was on its way between chain and books. */
export type ComparedAccount = Held & { slot: number; isQuiet: boolean };

/** Null while transactions on their way cannot be told apart from a difference. */
export async function compareWithChain(worker: SolanaWorker): Promise<Compared | null> {
  const accounts = await ownAccounts(worker);
  const held: ComparedAccount[] = [];
  for (const account of accounts) {
    const one = await compareAccount(worker, account);
    if (one === null) return null;
    held.push(one);
  }
  const [first] = held;
  const addresses = accounts.map(({ address }) => address);
  const books = await readBooks(worker.store, worker.profile.network, addresses);
  return first === undefined || books === null ? null : { block: first.slot, books, held };
}

/** Our token accounts that the scan has begun to read. */
export async function ownAccounts(worker: SolanaWorker): Promise<OwnAccount[]> {
  const { store, profile, task, treasury, treasuryAccount, formers = [] } = worker;
  const cursor = await readCursor(store, profile.network);
  if (cursor === null) return [];
  const signatures = formers.length === 0 ? null : await readSignatures(store.read, store.tables, profile.network);
  const all = [
    { account: treasuryAccount, address: treasury.address, since: cursor.blockHash },
    ...(task ? [{ account: task.account, address: task.key.address, since: cursor.taskSignature ?? undefined }] : []),
    ...formers.map(({ key: { address }, account }) => {
      return { account, address, since: signatures?.get(address), isFormer: true };
    }),
  ];
  return all.flatMap(({ since, ...own }) => (since === undefined || since === UNREAD ? [] : [{ ...own, since }]));
}

/**
 * The balance at a slot, and what the books say for that slot: without what they hold for later ones, and with what is
 * listed and not booked yet.
 */
export async function compareAccount(worker: SolanaWorker, own: OwnAccount): Promise<ComparedAccount | null> {
  const { rpc, store, profile } = worker;
  const { account, address, since, isFormer = false } = own;
  const { network } = profile;
  const seen = await rpc.tokenBalance(account, 'confirmed');
  // Who knows the key of a former address can close its account; asked afterwards, so that it was closed by then.
  const balance = seen ?? (isFormer ? { slot: await rpc.slot('confirmed'), amount: 0n } : null);
  if (balance === null) return null;
  const options = { until: since === '' ? null : since, minContextSlot: balance.slot, max: FOUND_MAX };
  const { found, more } = await rpc.signaturesFor(account, options);
  if (more) return null;
  const booked = await heldInBooks(worker, address);
  const [oldest] = found;
  const known = oldest === undefined ? new Set() : await knownTransactions(store, network, oldest.slot - 1);
  const later = await bookedAfter(store, { network, address }, balance.slot);
  if ((await heldInBooks(worker, address)) !== booked) return null;
  const unknown = found.filter(({ signature, failed }) => !failed && !known.has(signature));
  const pending = await sumOf(
    worker,
    address,
    unknown.filter(({ slot }) => slot <= balance.slot),
  );
  if (pending === null) return null;
  const isQuiet = unknown.length === 0 && later.count === 0;
  const inBooks = booked - later.sum + pending;
  return { address: account, slot: balance.slot, onChain: balance.amount, inBooks, isQuiet };
}

async function heldInBooks({ store, profile }: SolanaWorker, address: string): Promise<bigint> {
  return (await readBooks(store, profile.network, [address]))?.held.get(address) ?? 0n;
}

/** By how much these transactions changed what an address holds; null when the node does not show one of them. */
async function sumOf(worker: SolanaWorker, address: string, listed: readonly Found[]): Promise<bigint | null> {
  if (listed.length > PENDING_MAX) return null;
  let sum = 0n;
  for (let start = 0; start < listed.length; start += READ_AT_ONCE) {
    const some = listed.slice(start, start + READ_AT_ONCE);
    const read = await Promise.all(some.map(({ signature }) => worker.rpc.transaction(signature)));
    for (const transaction of read) {
      if (transaction === null) return null;
      for (const { from, to, value } of transaction.transfers) {
        if (to === address) sum += value;
        if (from === address) sum -= value;
      }
    }
  }
  return sum;
}
