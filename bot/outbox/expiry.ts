import { CHATS, type ChatName } from '../../core/chats/chats.ts';
import { dueMessages, forgetMessage, type ExpiringMessage } from '../../db/chats/expiring-messages.ts';
import type { Store } from '../../db/store/store.ts';
import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';

/**
 * Deletes the bot's messages where moderators want them gone after a time. The database holds what is due, so a restart
 * goes on with it; deletions only use what answers leave of the platform's limits.
 */
export type Expiry = {
  /** One round, shared by all callers while it is under way. Never rejects. */
  look: () => Promise<void>;
  /** Resolves when no call is under way; nothing begins any more. */
  close: () => Promise<void>;
};

export type ExpiryDeps = {
  chat: ChatName;
  store: Store;
  /** How long until this chat can take a call that nobody waits for. */
  spareMs: (chatId: string) => number;
  /**
   * One attempt. `over`: nothing is left to do about this message; `later`: another round tries again. Rejects when the
   * would happen to all others now: that ends the round.
   */
  remove: (message: ExpiringMessage) => Promise<'over' | 'later'>;
  clock: Pick<Clock, 'now' | 'sleep'>;
  log: Log;
};

const AT_ONCE = 200;
/** A chat that has to wait longer gets its turn in another round, so that it holds up no other. */
const PATIENCE_MS = 2_000;

export function createExpiry(deps: ExpiryDeps): Expiry {
  const { chat, store, clock, log } = deps;
  let round: Promise<void> | null = null;
  let isClosed = false;

  async function run(): Promise<void> {
    for (const message of await dueMessages(store, chat, clock.now(), AT_ONCE)) {
      if (isClosed) return;
      if ((await removeInTurn(deps, message, () => isClosed)) === 'over') await forgetMessage(store, message);
    }
  }

  return {
    look() {
      if (isClosed) return Promise.resolve();
      round ??= run()
        .catch((error: unknown) => {
          // Closing interrupts a sleep; what is due stays due.
          if (!isClosed) log.error({ chat, error: String(error) }, 'what is due could not be deleted');
        })
        .finally(() => (round = null));
      return round;
    },
    close: async () => {
      isClosed = true;
      await round;
    },
  };
}

async function removeInTurn(
  { chat, clock, spareMs, remove }: ExpiryDeps,
  message: ExpiringMessage,
  isClosed: () => boolean,
): ReturnType<ExpiryDeps['remove']> {
  const { deletableMs } = CHATS[chat];
  if (deletableMs !== null && clock.now() - message.dueAtMs > deletableMs) return 'over';
  for (let waitMs = spareMs(message.chatId); waitMs > 0; waitMs = spareMs(message.chatId)) {
    if (waitMs > PATIENCE_MS) return 'later';
    await clock.sleep(waitMs);
    if (isClosed()) return 'later';
  }
  return remove(message);
}
