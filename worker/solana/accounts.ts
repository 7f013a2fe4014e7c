import { tokenAccountOf } from '../../chain/solana/messages/addresses.ts';
import type { PayoutItem } from '../../chain/solana/transactions/payout-transaction.ts';
import type { TokenAccountView } from '../../chain/solana/rpc/rpc.ts';
import { openedBefore, payeesOf, type Opening, type Payee } from '../../db/costs/openings.ts';
import type { TransferRow } from '../../db/payments/records/find.ts';
import type { SolanaWorker } from '../dependencies.ts';

/** Why a payout is held, as written to `transfers.held_reason`. */
export type AccountObstacle = 'no_token_account' | 'recipient_blacklisted' | 'token_account_not_theirs';

/** `opening`: what is counted and remembered when an account is opened for it; null where none is. */
export type Destination =
  | { kind: 'to'; item: PayoutItem; opening: Opening | null }
  | { kind: 'obstacle'; reason: AccountObstacle };

const NOTHING: TokenAccountView = { kind: 'none' };

type Look = {
  viewOf: ReadonlyMap<string, TokenAccountView>;
  worth: ReadonlyMap<string, bigint>;
  payees: ReadonlyMap<string, Payee>;
  before: ReadonlySet<string>;
};

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
  const without = payouts.filter((_payout, index) => viewOf.get(own[index] ?? '')?.kind === 'none');
  const look = { viewOf, worth: sumByRecipient(payouts), ...(await readHistory(worker, without)) };
  return new Map(payouts.map((payout, index) => [payout.id, destinationOf(worker, payout, own[index] ?? '', look)]));
}

async function readHistory({ store, profile }: SolanaWorker, payouts: readonly TransferRow[]) {
  const payees = await payeesOf(
    store,
    payouts.map(({ id }) => id),
  );
  const owners = [...new Set(payouts.map(({ toAddress }) => toAddress))];
  const persons = [...new Set([...payees.values()].map(({ person }) => person))];
  return { payees, before: await openedBefore(store, profile.network, { owners, persons }) };
}

function destinationOf(worker: SolanaWorker, payout: TransferRow, account: string, look: Look): Destination {
  const { toAccount, toAddress: owner } = payout;
  const to = (address: string, creates: boolean, opening: Opening | null = null): Destination => ({
    kind: 'to',
    item: { id: payout.id, owner, account: address, amount: payout.amountMicroUsdc, creates },
    opening,
  });
  const before = toAccount === null ? NOTHING : (look.viewOf.get(toAccount) ?? NOTHING);
  if (toAccount !== null && before.kind === 'usdc' && before.owner === owner && !before.frozen) {
    return to(toAccount, false);
  }
  const view = look.viewOf.get(account) ?? NOTHING;
  if (view.kind === 'none') {
    // The operator's own money, at the operator's own cost.
    if (payout.purpose === 'operator_withdrawal') return to(account, true);
    const sum = look.worth.get(owner) ?? 0n;
    const opening = judgeOpening(worker, { owner, sum, payee: look.payees.get(payout.id) ?? null }, look.before);
    return opening === null ? { kind: 'obstacle', reason: 'no_token_account' } : to(account, true, opening);
  }
  // An account can change its owner, so the one at this address may not be the recipient's any more.
  if (view.kind !== 'usdc' || view.owner !== owner) return { kind: 'obstacle', reason: 'token_account_not_theirs' };
  return view.frozen ? { kind: 'obstacle', reason: 'recipient_blacklisted' } : to(account, false);
}

/** `payee`: null for money that goes back to its payer. That account existed, so its owner has closed it. */
export type Wanted = { owner: string; sum: bigint; payee: Payee | null };

/**
 * We pay the rent, and the owner takes it out by closing the account. So one is opened at our cost only for enough
 * money, for a person whom their platform has known for a while (new names are free), and once: per owner and per
 * person. Any other is theirs to open; the payout waits until it is there. Null: not at our cost.
 */
export function judgeOpening(
  { accounts, now }: Pick<SolanaWorker, 'accounts' | 'now'>,
  { owner, sum, payee }: Wanted,
  before: ReadonlySet<string>,
): Opening | null {
  const isWorthIt = accounts.policy === 'always' || (accounts.policy === 'min-amount' && sum >= accounts.minMicroUsdc);
  if (payee === null || !isWorthIt) return null;
  const { person, sinceMs, isKept } = payee;
  if (before.has(owner) || before.has(person)) return null;
  const isOld = accounts.ageMinMs === 0 || (sinceMs !== null && now() - sinceMs >= accounts.ageMinMs);
  // Nobody can take the rent out of a wallet that is kept here: these have a share of the day, new names or not.
  return isOld || isKept ? { owner, person, isKept: !isOld } : null;
}

/** Ten small tips together may be worth an account that none of them is alone. */
export function sumByRecipient(payouts: readonly TransferRow[]): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { toAddress, amountMicroUsdc } of payouts) {
    sums.set(toAddress, (sums.get(toAddress) ?? 0n) + amountMicroUsdc);
  }
  return sums;
}
