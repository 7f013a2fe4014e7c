import { RAISE_WAIT_MS } from '../../core/spending-limits.ts';
import type { View } from '../../core/view.ts';
import { endLocks, findLock, idsOfPerson, isAnyLocked, lockSpending } from '../../db/bot/spending-locks.ts';
import type { CoreDeps } from './dependencies.ts';
import type { Origin } from './messenger.ts';
import { privateView, tryCommand } from './views.ts';

/**
 * Stops all spending of this person, in every chat, from the next signature on. It may be said anywhere, also in a group:
 * somebody who needs it has no time to look for the right place.
 */
export async function lockView({ store, texts, clock }: CoreDeps, { userId }: Origin): Promise<View> {
  const ids = await idsOfPerson(store, userId);
  await lockSpending(store, ids, { lockedBy: userId, nowMs: clock.now() });
  return privateView('ok', [texts.locked()], ['/withdraw', '/unlock'].map(tryCommand));
}

/**
 * Waits as long as a raise of the limits: whoever has taken over the account could say it too, and until then its owner
 * can lock again, from any of his chats, or take the money out.
 */
export async function unlockView({ store, texts, clock }: CoreDeps, { userId }: Origin): Promise<View> {
  const nowMs = clock.now();
  const ids = await idsOfPerson(store, userId);
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
