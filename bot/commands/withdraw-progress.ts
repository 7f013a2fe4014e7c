import {
  findFollowed,
  followedWithdrawals,
  followInMessage,
  stopFollowing,
  type WithdrawalMessage,
} from '../../db/wallets/withdrawal-messages.ts';
import { findWithdrawal, waitsForAccountUntil } from '../../db/withdrawals/find.ts';
import { createRunner, dueInTurn, type Runner } from '../../queue/runner.ts';
import { LOOK_PACE } from '../shared/clock.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { isTreasuryWallet } from '../../core/treasury/treasury.ts';
import { speaking } from '../conversation/speech.ts';
import { communityWithdrawalView } from '../treasury/treasury-views.ts';
import { withdrawalView } from '../wallets/withdraw-views.ts';

/** The worker does not notify this process, and reading a row is cheap. */
const LOOK_EVERY_MS = 2_000;
/** After a minute it waits for the runner, which looks from time to time. */
const LOOKS_MAX = 30;
const AT_ONCE = 100;

export type WithdrawProgress = Runner & {
  /** Resolves once it is written down that this message follows the withdrawal. */
  follow: (message: WithdrawalMessage) => Promise<void>;
};

/**
 * Edits the messages of withdrawals until they show the end. Which message follows which withdrawal is stored, so it
 * survives a crash.
 */
export function createWithdrawProgress(deps: CoreDeps): WithdrawProgress {
  const { store, clock, log } = deps;
  const shown = new Set<string>();
  const runner = createRunner({
    ...deps,
    name: 'withdrawal messages',
    due: dueInTurn(
      (limit, after: string | null, except) => followedWithdrawals(store, clock.now(), limit, { after, except }),
      (withdrawalId) => withdrawalId,
    ),
    step: (withdrawalId) => showUntilEnd(deps, withdrawalId, shown),
    // The next look starts after it.
    putOff: async (withdrawalId, error) =>
      log.error({ withdrawalId, error: String(error) }, 'a withdrawal is not followed for now'),
    concurrency: AT_ONCE,
    pace: LOOK_PACE,
  });
  return {
    ...runner,
    async follow(message) {
      await followInMessage(store, message);
      void runner.run(message.withdrawalId);
    },
  };
}

/** `shown`: the waiting times that their messages already say. */
async function showUntilEnd(deps: CoreDeps, withdrawalId: string, shown: Set<string>): Promise<void> {
  const message = await findFollowed(deps.store, withdrawalId);
  if (message === null) return;
  const { transport, chatId, messageId, language } = message;
  const messenger = deps.messengers[transport];
  if (!messenger) throw new Error(`no messenger for the transport ${transport}`);
  for (let looks = 0; looks < LOOKS_MAX; looks++) {
    const row = await findWithdrawal(deps.store, withdrawalId);
    if (!row) throw new Error(`there is no withdrawal ${withdrawalId}`);
    const show = async () => {
      const toView = isTreasuryWallet(row.walletId) ? communityWithdrawalView : withdrawalView;
      await messenger.edit(chatId, messageId, await toView(speaking(deps, language), row));
    };
    if (row.status === 'paid' || row.status === 'failed') {
      await show();
      return stopFollowing(deps.store, withdrawalId);
    }
    if (waitsForAccountUntil(row) !== null) {
      const wait = `${row.id} ${row.generation}`;
      if (!shown.has(wait)) await show();
      shown.add(wait);
      return;
    }
    // For a withdrawal that leaves only tomorrow, the runner comes back.
    if (row.notBeforeMs > deps.clock.now()) return;
    await deps.clock.sleep(LOOK_EVERY_MS);
  }
}
