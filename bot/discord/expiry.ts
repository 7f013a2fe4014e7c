import { DISCORD_TRANSPORT, readDiscordChat } from '../../core/discord/chat.ts';
import { dueMessages, forgetMessage, type ExpiringMessage } from '../../db/chats/expiring-messages.ts';
import type { Hold } from '../../db/processes/owner.ts';
import type { Store } from '../../db/store/store.ts';
import { startJob, type Job } from '../../queue/job.ts';
import type { Log } from '../shared/log.ts';
import type { Calls } from './calls.ts';

type Deps = { calls: Pick<Calls, 'deleteMessage'>; store: Store; now: () => number; log: Log };
type Alone = { hold?: Pick<Hold, 'isHeld' | 'onTaken'> | undefined };

const SWEEP_EVERY_MS = 3_000;
/** What one round takes on; the next goes on with the rest. */
const ROUND_MAX = 50;

/**
 * Deletes messages whose community wants them gone. They are deleted one after another, so that answers never wait behind
 * them for Discord's limits; the library waits where Discord says so.
 */
export function startExpiry(deps: Deps & Alone): Pick<Job, 'close'> {
  let isClosed = false;
  const job = startJob({
    name: 'old messages on Discord',
    everyMs: SWEEP_EVERY_MS,
    step: () => deleteDue(deps, () => isClosed),
    log: deps.log,
    hold: deps.hold,
  });
  return {
    async close() {
      isClosed = true;
      await job.close();
    },
  };
}

/** One round. Ends with the first that fails without an answer: the same would happen to the others. */
export async function deleteDue(deps: Deps, isClosed: () => boolean = () => false): Promise<void> {
  const { calls, store, log } = deps;
  for (const message of await dueMessages(store, DISCORD_TRANSPORT, deps.now(), ROUND_MAX)) {
    if (isClosed()) return;
    const outcome = await calls.deleteMessage(channelOf(message), message.messageId);
    if (outcome.kind === 'refused') {
      const { status, code } = outcome;
      if (status === 401) throw new Error('Discord does not know the token of the bot');
      // 404: deleted already. Any other error would be the same the next time.
      if (status !== 404) log.warn({ status, code }, 'Discord refused to delete an old message; it stays');
    }
    await forgetMessage(store, message);
  }
}

function channelOf({ chatId }: ExpiringMessage): string {
  const chat = readDiscordChat(chatId);
  if (chat.kind === 'person') throw new Error('a message to a person has no lifetime, and one was given to it');
  return chat.channelId;
}
