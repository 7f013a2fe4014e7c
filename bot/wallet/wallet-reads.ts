import { shownAddress } from '../../chain/shown-address.ts';
import { networkTitle } from '../../core/networks.ts';
import { sumUsdc } from '../../core/money.ts';
import { waitingFor } from '../../db/payments/records/waiting-lines.ts';
import { hasFreshProof, sessionsOf } from '../../db/wallets/holders.ts';
import { ownTipPage } from '../../db/tip-pages/tip-pages.ts';
import { readStatement, type StatementLine } from '../../db/tips/statement.ts';
import { passkeysOf } from '../../db/wallets/passkeys.ts';
import { findLock } from '../../db/wallets/spending-locks.ts';
import { freshAddresses, unsignedSum } from '../../db/withdrawals/cancel.ts';
import { findWithdrawal, withdrawalsOfWallets, type WithdrawalRow } from '../../db/withdrawals/find.ts';
import { readHolding } from '../paying/balance.ts';
import { watchWallet } from '../wallets/deposits.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { walletsSeen, type PersonWallet, type SeenWallet } from '../shared/wallets.ts';
import type { ShownWallet } from './shown.ts';

/** Of each one all networks are asked, so no page shows more; the others are on the next pages. */
const SHOWN_MAX = 8;
const HISTORY_MAX = 10;
const STATEMENT_MAX = 3;

/**
 * All wallets of a browser, the newest kept one first, also those that it may only look into. Its own is in the chat, which
 * local mode alone has.
 */
export async function readWallets(
  { store, faucet, clock }: Pick<CoreDeps, 'store' | 'faucet' | 'clock'>,
  holderId: string,
): Promise<SeenWallet[]> {
  const wallets = await walletsSeen(store, holderId, clock.now());
  const kept = wallets.filter(({ name }) => name !== null);
  const own = faucet === undefined ? [] : wallets.filter(({ name }) => name === null);
  return [...kept, ...own];
}

type StatementDeps = Pick<CoreDeps, 'networks' | 'store' | 'clock' | 'publicUrl' | 'cancellations'>;

/** As they are shown together. */
export function pagesOf(wallets: readonly SeenWallet[]): SeenWallet[][] {
  const pages: SeenWallet[][] = [];
  for (let start = 0; start < wallets.length; start += SHOWN_MAX) pages.push(wallets.slice(start, start + SHOWN_MAX));
  return pages;
}

export async function showWallet(
  deps: StatementDeps & Pick<CoreDeps, 'log'>,
  wallet: SeenWallet,
  holderId: string,
): Promise<ShownWallet> {
  const places = await Promise.all(
    deps.networks.map(async (paying) => {
      const { network, pinned } = paying;
      const [{ amount }, address] = await Promise.all([
        readHolding(deps, paying, wallet.walletId),
        paying.addressOf(wallet.walletId),
      ]);
      return { network, place: networkTitle(network, pinned.caip2), address: shownAddress(address), amount };
    }),
  );
  const { store, clock } = deps;
  const [sessions, isFreshlyProven, lock, passkeys, statement, sums, tipPage, unsigned, leaving] = await Promise.all([
    sessionsOf(store, wallet.walletId),
    hasFreshProof(store, { ...wallet, holderId }, clock.now()),
    findLock(store.read, store.tables, { userId: holderId, walletId: wallet.walletId }, clock.now()),
    passkeysOf(store.read, store.tables, wallet.walletId, clock.now()),
    statementFor(deps, wallet, STATEMENT_MAX),
    wallet.identityId === null ? [] : waitingFor(store, wallet.identityId),
    wallet.identityId === null ? null : ownTipPage(store, wallet.identityId),
    unsignedSum(store, { holderId, walletIds: [wallet.walletId] }),
    unsignedSum(store, { walletIds: [wallet.walletId] }),
  ]);
  return {
    ...wallet,
    places,
    sessions,
    isFreshlyProven,
    lock,
    passkeys,
    statement,
    unsigned,
    leaving,
    waiting: sumUsdc(sums.map(({ amount }) => amount)),
    tipPage,
  };
}

/**
 * What came and went, the newest first; with the way to take back what waits, for who may spend it. Who reads that has a
 * wallet in use, and its page shows where money can be put in.
 */
export async function statementFor(
  { store, networks, publicUrl, clock, cancellations }: StatementDeps,
  { walletId, identityId, spendsFromMs }: SeenWallet,
  limit: number,
): Promise<StatementLine[]> {
  await watchWallet({ store, networks, clock }, walletId);
  const addresses = await Promise.all(
    networks.map(async ({ network, addressOf }) => ({ network, address: await addressOf(walletId) })),
  );
  const receiptUrl = (slug: string) => `${publicUrl}/receipts/${slug}`;
  const lines = await readStatement(store, { walletId, identityId, addresses, receiptUrl }, limit);
  const mayUndo = cancellations !== undefined && spendsFromMs <= clock.now();
  return mayUndo ? lines : lines.map((line) => ({ ...line, waitingOrder: null }));
}

/** Out of all of them, no matter who asked: a holder of a wallet sees what leaves it. */
export async function readHistory(
  { store }: Pick<CoreDeps, 'store'>,
  wallets: readonly PersonWallet[],
): Promise<WithdrawalRow[]> {
  const walletIds = wallets.map(({ walletId }) => walletId);
  return withdrawalsOfWallets(store, walletIds, HISTORY_MAX);
}

/** Null for one that this browser holds no wallet of, or that there is not. */
export async function readWithdrawal(
  deps: Pick<CoreDeps, 'store' | 'faucet' | 'clock'>,
  holderId: string,
  id: string,
): Promise<WithdrawalRow | null> {
  const row = await findWithdrawal(deps.store, id);
  if (row === null) return null;
  const wallets = await readWallets(deps, holderId);
  return wallets.some(({ walletId }) => walletId === row.walletId) ? row : null;
}

/** From when on any amount can leave for the address of one that has left at once; null where nobody can stop that. */
export async function readKnownFrom(
  { store, clock }: Pick<CoreDeps, 'store' | 'clock'>,
  row: WithdrawalRow,
): Promise<number | null> {
  const { walletId, network, toAddress, status } = row;
  // Before, the button would seem to stop what is on its way.
  if (status !== 'paid') return null;
  const fresh = await freshAddresses(store, [walletId], clock.now());
  const own = fresh.find((one) => one.row.network === network && one.row.toAddress === toAddress);
  return own?.knownFromMs ?? null;
}
