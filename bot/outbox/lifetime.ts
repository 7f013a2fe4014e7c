import type { ChatName } from '../../core/chats/chats.ts';
import { expireMessage } from '../../db/chats/expiring-messages.ts';
import { readCommunitySettings } from '../../db/communities/community-settings.ts';
import type { Store } from '../../db/store/store.ts';

/** How long the bot's messages stay in a community, as its moderators have decided; null: for good. */
export async function lifetimeIn(
  store: Store,
  community: { transport: ChatName; communityId: string },
): Promise<number | null> {
  return (await readCommunitySettings(store, community)).messageLifetimeSeconds;
}

/**
 * Sets when a message is deleted, and answers when. Called before it is stored that the message shows something: a crash
 * in between leads here again, and a second message is deleted in its time as well.
 */
export async function limitLifetime(
  { store, now }: { store: Store; now: () => number },
  message: { transport: ChatName; chatId: string; messageId: string },
  lifetimeSeconds: number | null,
): Promise<number | null> {
  if (lifetimeSeconds === null) return null;
  const dueAtMs = now() + lifetimeSeconds * 1_000;
  await expireMessage(store, { ...message, dueAtMs });
  return dueAtMs;
}
