import {
  changeLimit,
  LARGEST_LIMITS,
  LIMIT_NAMES,
  limitsAt,
  raisesAfter,
  SMALLEST_LIMITS,
  withoutRaises,
  type LimitName,
  type StoredLimits,
} from '../../core/wallets/spending-limits.ts';
import { code, muted, type Action, type Paragraph, type View } from '../../core/view.ts';
import { spentOn } from '../../db/wallets/spending.ts';
import { changeWalletLimits, readStoredLimits } from '../../db/wallets/wallet-limits.ts';
import { newButton } from '../conversation/buttons.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import type { LimitsWish } from '../../core/grammar/limits.ts';
import type { Origin } from '../shared/messenger.ts';
import type { LimitFacts } from '../../texts/limits/en.ts';
import { privateView } from '../conversation/views.ts';
import { heldWallet } from '../shared/wallets.ts';

/** How each is changed, in words that can be typed as they stand. */
const EXAMPLES: Record<LimitName, string> = { tip: '/limits tip 5', ask: '/limits ask 1', day: '/limits day 20' };

/**
 * What tips may take out of the wallet that pays now. Shown anywhere, to the person alone; changed only where nobody
 * else reads along, since in many chats all see the command itself.
 */
export async function limitsView(
  deps: Pick<CoreDeps, 'texts' | 'store' | 'clock' | 'random'>,
  origin: Origin,
  wish: LimitsWish | null,
): Promise<View> {
  const { texts, store } = deps;
  if (wish === null) return cardView(deps, origin, 'ok', []);
  if (wish.kind === 'unreadable') return cardView(deps, origin, 'error', [texts.limitsUnreadable(wish.found)]);
  if (wish.kind === 'cancel') return cancelRaisesView(deps, origin);
  if (origin.communityId !== undefined) return cardView(deps, origin, 'error', [texts.limitsInDirectChat()]);
  const { name, amount } = wish;
  if (amount > LARGEST_LIMITS[name])
    return cardView(deps, origin, 'error', [texts.limitTooLarge(LARGEST_LIMITS[name])]);
  if (amount < SMALLEST_LIMITS[name]) {
    return cardView(deps, origin, 'error', [texts.limitTooSmall(SMALLEST_LIMITS[name])]);
  }
  const by = await changeBy(deps, origin);
  const stored = await changeWalletLimits(store, by, (now) => changeLimit(now, name, amount, by.nowMs));
  const isLater = raisesAfter(stored, by.nowMs).some((raise) => raise.name === name);
  return cardView(deps, origin, 'ok', [isLater ? texts.limitWillRise() : texts.limitLowered()]);
}

/** Wherever it is pressed: it only ever keeps money where it is. */
export async function cancelRaisesView(
  deps: Pick<CoreDeps, 'texts' | 'store' | 'clock' | 'random'>,
  origin: Origin,
): Promise<View> {
  const { texts, store } = deps;
  const by = await changeBy(deps, origin);
  const before = await readStoredLimits(store, by.walletId);
  const hadRaises = raisesAfter(before, by.nowMs).length > 0;
  if (hadRaises) await changeWalletLimits(store, by, (now) => withoutRaises(now, by.nowMs));
  return cardView(deps, origin, 'ok', [hadRaises ? texts.raisesCancelled() : texts.noRaises()]);
}

/**
 * Raises that still wait, for answers that every holder of the wallet reads anyhow: a holder who did not ask for one
 * sees it in time.
 */
export async function raiseLines(deps: Pick<CoreDeps, 'store' | 'clock' | 'texts'>, { walletId }: Origin) {
  const nowMs = deps.clock.now();
  const stored = await readStoredLimits(deps.store, walletId);
  return raisesAfter(stored, nowMs).map(({ name }) => deps.texts.limit(limitFacts(stored, name, nowMs)));
}

async function changeBy(deps: Pick<CoreDeps, 'store' | 'clock'>, origin: Origin) {
  const { walletId } = await heldWallet(deps, origin);
  return { walletId, changedBy: origin.userId, nowMs: deps.clock.now() };
}

async function cardView(
  deps: Pick<CoreDeps, 'texts' | 'store' | 'clock' | 'random'>,
  origin: Origin,
  state: 'ok' | 'error',
  first: readonly Paragraph[],
): Promise<View> {
  const { texts, store, clock } = deps;
  const { walletId, name } = await heldWallet(deps, origin);
  const nowMs = clock.now();
  const stored = await readStoredLimits(store, walletId);
  const spent = await spentOn(store, walletId, nowMs);
  const hasRaise = raisesAfter(stored, nowMs).length > 0;
  const cancel: Action[] = hasRaise
    ? [await newButton(deps, origin.userId, { action: 'cancel_raises', walletId }, texts.cancelRaises())]
    : [];
  const lines = LIMIT_NAMES.map((limit) => limitLine(deps, stored, limit, nowMs));
  const title = first.length === 0 ? [texts.limitsTitle(name)] : first;
  return privateView(state, [...title, ...lines, texts.spentToday(spent), texts.limitsHint()], cancel);
}

function limitLine(
  { texts }: Pick<CoreDeps, 'texts'>,
  stored: StoredLimits,
  name: LimitName,
  nowMs: number,
): Paragraph {
  return [...texts.limit(limitFacts(stored, name, nowMs)), muted(' · '), code(EXAMPLES[name])];
}

function limitFacts(stored: StoredLimits, name: LimitName, nowMs: number): LimitFacts {
  const raise = raisesAfter(stored, nowMs).find((one) => one.name === name);
  return {
    name,
    value: limitsAt(stored, nowMs)[name],
    raise: raise === undefined ? null : { to: raise.to, at: new Date(raise.atMs) },
  };
}
