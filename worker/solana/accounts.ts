import { tokenAccountOf } from '../../chain/solana/messages/addresses.ts';
import type { PayoutItem } from '../../chain/solana/transactions/payout-transaction.ts';
import type { TokenAccountView } from '../../chain/solana/rpc/rpc.ts';
import { readCounter } from '../../db/store/counters.ts';
import type { TransferRow } from '../../db/payments/records/find.ts';
import { heldPayouts, releaseHeld } from '../../db/transfers/held.ts';
import type { SolanaWorker } from '../dependencies.ts';
import { accountsCounter } from './counters.ts';

/** Why a payout is held, as written to `transfers.held_reason`. */
export type AccountObstacle = 'no_token_account' | 'recipient_blacklisted' | 'token_account_not_theirs';

export type Destination = { kind: 'to'; item: PayoutItem } | { kind: 'obstacle'; reason: AccountObstacle };

const NO_ACCOUNT = 'no_token_account';
const HELD_PAGE = 500;

/**
 * Decides which token account each payout goes to: for a refund the account that paid, else the recipient's own, which
 * we may have to open at our cost. One question to the chain for all.
 */
export async function findDestinations(
  worker: SolanaWorker,
  payouts: readonly TransferRow[],
): Promise<Map<string, Destination>> {
  const own = payouts.map(({ toAddress }) => tokenAccountOf(toAddress, worker.profile));
  const preferred = payouts.flatMap(({ toAccount }) => toAccount ?? []);
  const addresses = [...new Set([...own, ...preferred])];
  const views = await worker.rpc.tokenAccounts(addresses);
  const viewOf = new Map(addresses.map((address, index) => [address, views[index] ?? NOTHING]));
  const worth = sumByRecipient(payouts);
  const destinations = new Map<string, Destination>();
  for (const [index, payout] of payouts.entries()) {
    const account = own[index] ?? '';
    const sum = worth.get(payout.toAddress) ?? 0n;
    destinations.set(payout.id, destinationOf(worker, payout, { account, sum, viewOf }));
  }
  return destinations;
}

const NOTHING: TokenAccountView = { kind: 'none' };

type Place = { account: string; sum: bigint; viewOf: ReadonlyMap<string, TokenAccountView> };

function destinationOf(worker: SolanaWorker, payout: TransferRow, { account, sum, viewOf }: Place): Destination {
  const to = (address: string, creates: boolean): Destination => ({
    kind: 'to',
    item: { id: payout.id, owner: payout.toAddress, account: address, amount: payout.amountMicroUsdc, creates },
  });
  const { toAccount } = payout;
  const before = toAccount === null ? NOTHING : (viewOf.get(toAccount) ?? NOTHING);
  if (toAccount !== null && before.kind === 'usdc' && before.owner === payout.toAddress && !before.frozen) {
    return to(toAccount, false);
  }
  const view = viewOf.get(account) ?? NOTHING;
  if (view.kind === 'none') {
    return mayOpen(worker, sum) ? to(account, true) : { kind: 'obstacle', reason: NO_ACCOUNT };
  }
  // An account can change its owner, so the one at this address may not be the recipient's any more.
  if (view.kind !== 'usdc' || view.owner !== payout.toAddress) {
    return { kind: 'obstacle', reason: 'token_account_not_theirs' };
  }
  return view.frozen ? { kind: 'obstacle', reason: 'recipient_blacklisted' } : to(account, false);
}

/** We pay the rent and the owner can withdraw it, so the payout must be worth it (SOLANA_ATA_POLICY). */
export function mayOpen({ accounts }: SolanaWorker, sumMicroUsdc: bigint): boolean {
  if (accounts.policy === 'never') return false;
  return accounts.policy === 'always' || sumMicroUsdc >= accounts.minMicroUsdc;
}

/** Ten small tips together may be worth an account that none of them is alone. */
function sumByRecipient(payouts: readonly TransferRow[]): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { toAddress, amountMicroUsdc } of payouts) {
    sums.set(toAddress, (sums.get(toAddress) ?? 0n) + amountMicroUsdc);
  }
  return sums;
}

/**
 * Releases payouts held for lack of a token account, once there is one, or once the sum for the recipient is worth one
 * and the day's limit has room. Answers how many.
 */
export async function releaseWaitingForAccounts(worker: SolanaWorker): Promise<number> {
  const { store, profile } = worker;
  let released = 0;
  let room = await accountsLeft(worker);
  let after = '';
  for (;;) {
    const page = await heldPayouts(store, { network: profile.network, reason: NO_ACCOUNT, after, limit: HELD_PAGE });
    const last = page.at(-1);
    if (last === undefined) return released;
    after = last.toAddress;
    const result = await releasePage(worker, page, room);
    released += result.released;
    room -= result.opening;
  }
}

/** How many more token accounts may be opened today. */
export async function accountsLeft({ store, accounts, now }: SolanaWorker): Promise<number> {
  const opened = await readCounter(store, accountsCounter(now()));
  return Math.max(0, accounts.dailyMax - Number(opened));
}

async function releasePage(worker: SolanaWorker, page: readonly TransferRow[], room: number) {
  const destinations = await findDestinations(worker, page);
  const opening = new Set<string>();
  let released = 0;
  for (const payout of page) {
    const destination = destinations.get(payout.id);
    if (destination?.kind !== 'to') continue;
    const { account, creates } = destination.item;
    if (creates && !opening.has(account) && opening.size >= room) continue;
    if (creates) opening.add(account);
    if (await releaseHeld(worker.store, payout.id, NO_ACCOUNT, worker.now())) released += 1;
  }
  return { released, opening: opening.size };
}
