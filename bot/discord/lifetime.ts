import type { Answer } from '../../core/discord/answer.ts';
import { DISCORD_TRANSPORT, formatDiscordChat } from '../../core/discord/chat.ts';
import type { View } from '../../core/view.ts';
import { readCommunitySettings } from '../../db/communities/community-settings.ts';
import { expireMessage } from '../../db/chats/expiring-messages.ts';
import type { Store } from '../../db/store/store.ts';

/**
 * Sets when a message is deleted, where others see it and their community wants no old ones. The time begins when the
 * message shows how something ended, and again with every later change: nothing vanishes before its payer could read
 * it. An order is only over when this is stored, so a crash leads here again.
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
