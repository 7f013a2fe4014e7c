import { AppError } from '../../core/errors.ts';
import { createIds } from '../../core/ids.ts';
import { microUsdc, type MicroUsdc } from '../../core/money.ts';
import { isTreasuryWallet } from '../../core/treasury/treasury.ts';
import { closingSince } from '../../db/closing/begin.ts';
import {
  findClosingWallet,
  isLeavingOn,
  lookAgain,
  noteLook,
  savedPlaces,
  walletsToLookAt,
  type SavedPlace,
} from '../../db/closing/wallets.ts';
import { dayOf } from '../../db/limits/daily.ts';
import { sessionsOf } from '../../db/wallets/holders.ts';
import { requestWithdrawal, WITHDRAWAL_AMOUNT_MIN } from '../../db/withdrawals/request.ts';
import { createRunner, type Runner } from '../../queue/runner.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { readHoldings } from '../paying/balance.ts';
import { LOOK_PACE } from '../shared/clock.ts';
import type { PayingNetwork } from '../shared/networks.ts';
import { findWallet } from '../shared/wallets.ts';
import { draftWithdrawal } from './withdraw-draft.ts';

type Deps = Pick<CoreDeps, 'store' | 'networks' | 'clock' | 'log' | 'random' | 'closing' | 'failpoint' | 'hold'>;

/** Each asks every network for a balance. */
const AT_ONCE = 10;
/** What is on its way to an empty wallet may still come. */
const EMPTY_AGAIN_MS = 24 * 3_600_000;
const FULL_AGAIN_MS = 3_600_000;
const UNANSWERED_AGAIN_MS = 60_000;

/**
 * While the service ends: looks into each listed wallet, sends what is there to an address that its owner gave before, and has
 * those told who still keep something. It uses the withdrawals of any other day, and signs nothing itself.
 */
export function createClosing(deps: Deps): Runner {
  const { store, clock, log } = deps;
  return createRunner({
    ...deps,
    name: 'closing wallets',
    due: async (nowMs, limit, except) =>
      (await closingSince(store)) === null
        ? { items: [], nextDueAtMs: null }
        : walletsToLookAt(store, nowMs, limit, except),
    step: (id) => lookInto(deps, id),
    async putOff(id, error) {
      log.warn(
        { wallet: id, error: String(error) },
        'wallet of a service that closes not looked at; it is tried again',
      );
      await lookAgain(store, id, clock.now() + UNANSWERED_AGAIN_MS);
    },
    concurrency: AT_ONCE,
    pace: LOOK_PACE,
  });
}

async function lookInto(deps: Deps, id: string): Promise<void> {
  const { store, clock } = deps;
  const wallet = await findClosingWallet(store, id);
  const sinceMs = await closingSince(store);
  if (wallet === null || sinceMs === null) return;
  const holdings = await readHoldings(deps, wallet.walletId);
  const look = { sum: 0n, kept: 0n };
  for (const { paying, amount } of holdings) {
    // Less can leave by no way.
    if (amount === null || amount < WITHDRAWAL_AMOUNT_MIN) continue;
    look.sum += amount;
    if (!(await sendHome(deps, wallet.walletId, paying))) look.kept += amount;
  }
  const isKnown = holdings.every(({ amount }) => amount !== null);
  if (!isKnown && look.sum === 0n) return lookAgain(store, id, clock.now() + UNANSWERED_AGAIN_MS);
  const nextLookAtMs = clock.now() + (look.sum > 0n ? FULL_AGAIN_MS : EMPTY_AGAIN_MS);
  await noteLook(store, wallet, { ...look, sinceMs, nextLookAtMs }, clock.now());
  deps.failpoint?.('closing.after-seen');
}

/** Whether it is on its way. At most once a day: what cannot leave must not use up what its owner may ask for in a day. */
async function sendHome(deps: Deps, walletId: string, paying: PayingNetwork): Promise<boolean> {
  const { store, clock } = deps;
  const { network } = paying;
  // Only its moderators decide about a community's money.
  if (isTreasuryWallet(walletId)) return false;
  if (await isLeavingOn(store, { walletId, network })) return true;
  for (const place of await savedPlaces(store, { walletId, network }, clock.now())) {
    const holderId = await askerOf(deps, walletId, place);
    if (holderId === null) continue;
    const wish = { walletId, network, address: place.address, amount: { kind: 'all' } } as const;
    const drafted = await draftWithdrawal(deps, wish);
    if (drafted.kind === 'problem') continue;
    const { address: toAddress, amount } = drafted.draft;
    return request(deps, paying, { walletId, holderId, toAddress, amountMicroUsdc: microUsdc(amount) });
  }
  return false;
}

type Wish = { walletId: string; holderId: string; toAddress: string; amountMicroUsdc: MicroUsdc };

async function request(deps: Deps, { network, addressOf }: PayingNetwork, wish: Wish): Promise<boolean> {
  const { store, clock, random } = deps;
  const nowMs = clock.now();
  const fromAddress = await addressOf(wish.walletId);
  // The same request after a crash, and from another process, is the same withdrawal.
  const requestKey = `closing:${network}:${wish.walletId}:${dayOf(nowMs)}`;
  const id = createIds(random).withdrawalId();
  deps.failpoint?.('closing.before-request');
  try {
    const row = await requestWithdrawal(store, { ...wish, id, requestKey, network, fromAddress, nowMs });
    deps.failpoint?.('closing.after-request');
    return row.status !== 'paid' && row.status !== 'failed';
  } catch (error) {
    if (error instanceof AppError && error.code === 'rate_limited') return false;
    throw error;
  }
}

/** In whose name it is asked for: who gave the address, else any other who may spend. The signer asks that again. */
async function askerOf({ store, clock }: Deps, walletId: string, { holderId }: SavedPlace): Promise<string | null> {
  const nowMs = clock.now();
  const holders = await sessionsOf(store, walletId);
  for (const userId of [...(holderId === null ? [] : [holderId]), ...holders.map((one) => one.holderId)])
    if ((await findWallet(store, { userId, walletId }, nowMs)) !== null) return userId;
  return null;
}
