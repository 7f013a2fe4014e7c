import { RAISE_WAIT_MS } from '../../core/wallets/spending-limits.ts';
import type { View } from '../../core/view.ts';
import { endLocks, findLock, idsOfPerson, isAnyLocked, lockSpending } from '../../db/wallets/spending-locks.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { raiseLines } from './limits.ts';
import type { Origin } from '../shared/messenger.ts';
import { privateView, tryCommand } from '../conversation/views.ts';
import { waitingLines } from './withdraw-cancel.ts';

/**
 * Stops all spending of this person, in every chat, from the next signature on. It works anywhere, also in a group: a
 * person who needs it has no time to look for the right place.
 */
export async function lockView(
  deps: Pick<CoreDeps, 'store' | 'texts' | 'clock' | 'networks'>,
  origin: Origin,
): Promise<View> {
  const { store, texts, clock } = deps;
  const { userId } = origin;
  const nowMs = clock.now();
  const ids = await idsOfPerson(store, userId, nowMs);
  await lockSpending(store, ids, { lockedBy: userId, nowMs });
  // A lock stops no withdrawal, so the owner has to see here one that another person asked for.
  const waiting = await waitingLines(deps, origin);
  const cancel = waiting.length === 0 ? [] : ['/withdraw cancel'];
  // Nor does it stop a raise, which would be there when the lock ends.
  const raises = await raiseLines(deps, origin);
  const keep = raises.length === 0 ? [] : ['/limits cancel'];
  const next = [...cancel, ...keep, '/withdraw', '/unlock'].map(tryCommand);
  return privateView('ok', [texts.locked(), ...waiting, ...raises], next);
}

/**
 * Waits as long as a raise of the limits: a thief of the account could ask for it too, and until then its owner can
 * lock again, from any of their chats, or take the money out.
 */
export async function unlockView(
  { store, texts, clock }: Pick<CoreDeps, 'store' | 'texts' | 'clock'>,
  { userId }: Origin,
): Promise<View> {
  const nowMs = clock.now();
  const ids = await idsOfPerson(store, userId, nowMs);
  if (!(await isAnyLocked(store, ids, nowMs))) return privateView('ok', [texts.notLocked()], [tryCommand('/balance')]);
  const endsAtMs = await endLocks(store, ids, { untilMs: nowMs + RAISE_WAIT_MS, nowMs });
  if (endsAtMs === null) throw new Error(`${userId} is locked, and the lock has no end`);
  return privateView('ok', [texts.unlocksAt(new Date(endsAtMs))], [tryCommand('/lock')]);
}

/** For answers about money: that nothing of it can be spent just now. */
export async function lockLines(deps: Pick<CoreDeps, 'store' | 'texts' | 'clock'>, { userId, walletId }: Origin) {
  const { store, texts, clock } = deps;
  const lock = await findLock(store.read, store.tables, { userId, walletId }, clock.now());
  if (lock === null) return [];
  return [texts.isLocked(lock.untilMs === null ? null : new Date(lock.untilMs))];
}
