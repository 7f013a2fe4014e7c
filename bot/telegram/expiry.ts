import { dueMessages, forgetMessage, type ExpiringMessage } from '../../db/chats/expiring-messages.ts';
import type { Store } from '../../db/store/store.ts';
import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import type { Calls, Outcome } from './calls.ts';
import type { Pace } from './pace.ts';
import { readPlace, TELEGRAM_TRANSPORT } from './place.ts';

/**
 * Deletes the bot's messages where moderators want them gone after a time. What is due stands in the database, so a
 * start goes on with it; deletions only use what answers leave of Telegram's limits.
 */
export type Expiry = {
  /** One round; the same one as long as it is under way. Never rejects. */
  look: () => Promise<void>;
  /** Resolves when no call is under way; nothing begins any more. */
  close: () => Promise<void>;
};

type Deps = { store: Store; calls: Pick<Calls, 'remove'>; pace: Pace; clock: Clock; log: Log };

const AT_ONCE = 200;
/** A chat that has to wait longer gets its turn in another round, so it holds up no other. */
const PATIENCE_MS = 2_000;
/** Telegram lets a bot delete nothing that is older. */
const DELETABLE_MS = 48 * 3_600_000;

export function createExpiry(deps: Deps): Expiry {
  const { store, clock, log } = deps;
  let round: Promise<void> | null = null;
  let isClosed = false;

  async function run(): Promise<void> {
    for (const message of await dueMessages(store, TELEGRAM_TRANSPORT, clock.now(), AT_ONCE)) {
      if (isClosed) return;
      if (await isOver(deps, message, () => isClosed)) await forgetMessage(store, message);
    }
  }

  return {
    look() {
      if (isClosed) return Promise.resolve();
      round ??= run()
        .catch((error: unknown) => {
          // Closing breaks off a sleep; what is due stays due.
          if (!isClosed) log.error({ error: String(error) }, 'what is due could not be deleted');
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

/** Whether nothing is left to be done about this message. */
async function isOver(
  { calls, pace, clock }: Deps,
  { chatId, messageId, dueAtMs }: ExpiringMessage,
  isClosed: () => boolean,
): Promise<boolean> {
  if (clock.now() - dueAtMs > DELETABLE_MS) return true;
  const { chat } = readPlace(chatId);
  for (let waitMs = pace.spareMs(chat); waitMs > 0; waitMs = pace.spareMs(chat)) {
    if (waitMs > PATIENCE_MS) return false;
    await clock.sleep(waitMs);
    if (isClosed()) return false;
  }
  pace.takeCall();
  const outcome = await calls.remove(chat, Number(messageId));
  if (outcome.kind === 'flood') pace.pause(chat, outcome.retryAfterMs);
  return isFinal(outcome);
}

/** Deleted; or gone, too old, or in a chat that the bot may do nothing in any more. A wrong token says nothing of that. */
function isFinal(outcome: Outcome<unknown>): boolean {
  if (outcome.kind === 'refused') return outcome.code === 400 || outcome.code === 403;
  return outcome.kind === 'done' || outcome.kind === 'moved';
}
