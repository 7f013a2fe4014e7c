import {
  followedMessages,
  followInMessage,
  stopFollowing,
  type WithdrawalMessage,
} from '../../db/bot/withdrawal-messages.ts';
import { findWithdrawal } from '../../db/withdrawals/find.ts';
import type { CoreDeps } from './dependencies.ts';
import { isTreasuryWallet } from '../../core/treasury.ts';
import { speaking } from './speech.ts';
import { communityWithdrawalView } from './treasury-views.ts';
import { withdrawalView } from './withdraw-views.ts';

/** The worker rings for nobody here, and a row is read in no time. */
const LOOK_EVERY_MS = 2_000;
/** After a minute it waits for `resume`, which looks again every now and then. */
const LOOKS_MAX = 30;
const FOLLOWED_AT_ONCE = 100;

export type WithdrawProgress = {
  /** Resolves once it is written down that this message follows the withdrawal. */
  follow: (message: WithdrawalMessage) => Promise<void>;
  resume: () => Promise<void>;
  idle: () => Promise<void>;
};

/** Edits the messages of withdrawals until they show the end. Which message is whose survives a crash. */
export function createWithdrawProgress(deps: CoreDeps): WithdrawProgress {
  const running = new Map<string, Promise<void>>();
  const start = (message: WithdrawalMessage): void => {
    const { withdrawalId } = message;
    if (running.has(withdrawalId)) return;
    const work = showUntilEnd(deps, message)
      .catch((error: unknown) => {
        if (deps.closing.aborted) return;
        deps.log.error({ withdrawalId, error: String(error) }, 'a withdrawal is not followed for now');
      })
      .finally(() => running.delete(withdrawalId));
    running.set(withdrawalId, work);
  };
  return {
    async follow(message) {
      await followInMessage(deps.store, message);
      start(message);
    },
    async resume() {
      for (const message of await followedMessages(deps.store, deps.clock.now(), FOLLOWED_AT_ONCE)) start(message);
    },
    async idle() {
      while (running.size > 0) await Promise.all(running.values());
    },
  };
}

async function showUntilEnd(deps: CoreDeps, message: WithdrawalMessage): Promise<void> {
  const { withdrawalId, transport, chatId, messageId, language } = message;
  const messenger = deps.messengers[transport];
  if (!messenger) throw new Error(`no messenger for the transport ${transport}`);
  for (let looks = 0; looks < LOOKS_MAX; looks++) {
    const row = await findWithdrawal(deps.store, withdrawalId);
    if (!row) throw new Error(`there is no withdrawal ${withdrawalId}`);
    if (row.status === 'paid' || row.status === 'failed') {
      const toView = isTreasuryWallet(row.walletId) ? communityWithdrawalView : withdrawalView;
      await messenger.edit(chatId, messageId, await toView(speaking(deps, language), row));
      return stopFollowing(deps.store, withdrawalId);
    }
    // For what leaves tomorrow only, `resume` comes back.
    if (row.notBeforeMs > deps.clock.now()) return;
    await deps.clock.sleep(LOOK_EVERY_MS);
  }
}
