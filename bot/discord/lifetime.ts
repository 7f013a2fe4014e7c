import type { Answer } from '../../core/discord/answer.ts';
import { DISCORD_TRANSPORT, formatDiscordChat } from '../../core/discord/chat.ts';
import type { View } from '../../core/view.ts';
import { readCommunitySettings } from '../../db/communities/community-settings.ts';
import { expireMessage } from '../../db/chats/expiring-messages.ts';
import type { Store } from '../../db/store/store.ts';

/**
 * Gives a message its end where others see it and their community wants no old ones. Its time begins when it shows how
 * something ended, and anew with every later word: nothing vanishes before its payer could read what became of it. An
 * order is only over when this is written, so a crash leads here again.
 */
export async function limitLifetime(
  { store, now }: { store: Store; now: () => number },
  { audience, communityId, channelId, messageId }: Answer,
  view: View,
): Promise<void> {
  if (communityId === null || audience !== 'everyone' || view.audience === 'person' || view.state === 'working') return;
  const community = { transport: DISCORD_TRANSPORT, communityId };
  const { messageLifetimeSeconds } = await readCommunitySettings(store, community);
  if (messageLifetimeSeconds === null) return;
  const chatId = formatDiscordChat({ kind: 'guild', channelId });
  const dueAtMs = now() + messageLifetimeSeconds * 1_000;
  await expireMessage(store, { transport: DISCORD_TRANSPORT, chatId, messageId, dueAtMs });
}
