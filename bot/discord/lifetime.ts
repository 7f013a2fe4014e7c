import type { Answer } from '../../core/discord/answer.ts';
import { DISCORD_TRANSPORT, formatDiscordChat, readDiscordChat } from '../../core/discord/chat.ts';
import type { View } from '../../core/view.ts';
import type { Store } from '../../db/store/store.ts';
import { createExpiry, type Expiry, type ExpiryDeps } from '../outbox/expiry.ts';
import { lifetimeIn, limitLifetime } from '../outbox/lifetime.ts';
import type { Calls } from './calls.ts';

/**
 * Sets when a message is deleted, where others see it and their community wants no old ones. The time begins when the
 * message shows how something ended, and again with every later change: nothing vanishes before its payer could read
 * it.
 */
export async function limitAnswer(
  deps: { store: Store; now: () => number },
  { audience, communityId, channelId, messageId }: Answer,
  view: View,
): Promise<void> {
  if (communityId === null || audience !== 'everyone' || view.audience === 'person' || view.state === 'working') return;
  const lifetimeSeconds = await lifetimeIn(deps.store, { transport: DISCORD_TRANSPORT, communityId });
  const chatId = formatDiscordChat({ kind: 'guild', channelId });
  await limitLifetime(deps, { transport: DISCORD_TRANSPORT, chatId, messageId }, lifetimeSeconds);
}

type Deps = Pick<ExpiryDeps, 'store' | 'clock' | 'log'> & { calls: Pick<Calls, 'deleteMessage'> };

/** The library waits where Discord says so, and messages are deleted one by one, so answers never wait for them. */
export function createDiscordExpiry({ calls, log, ...deps }: Deps): Expiry {
  const remove: ExpiryDeps['remove'] = async ({ chatId, messageId }) => {
    const outcome = await calls.deleteMessage(channelOf(chatId), messageId);
    if (outcome.kind === 'done') return 'over';
    const { status, code } = outcome;
    if (status === 401) throw new Error('Discord does not know the token of the bot');
    // 404: deleted already. Any other error would come back the next time.
    if (status !== 404) log.warn({ status, code }, 'Discord refused to delete an old message; it stays');
    return 'over';
  };
  return createExpiry({ ...deps, log, chat: DISCORD_TRANSPORT, spareMs: () => 0, remove });
}

function channelOf(chatId: string): string {
  const chat = readDiscordChat(chatId);
  if (chat.kind === 'person') throw new Error('a message to a person has no lifetime, and one was given to it');
  return chat.channelId;
}
