import { readCommunitySettings } from '../../db/communities/community-settings.ts';
import { expireMessage } from '../../db/chats/expiring-messages.ts';
import type { Progress } from '../../db/chats/telegram-messages.ts';
import type { Store } from '../../db/store/store.ts';
import type { Delivery, Pending } from './delivery.ts';
import { isGroup, readPlace, TELEGRAM_TRANSPORT, type Place } from './place.ts';

/** How long the bot's messages stay there, as its moderators have decided; null: for good. */
export async function lifetimeIn(store: Store, place: Place): Promise<number | null> {
  if (!isGroup(place)) return null;
  const community = { transport: TELEGRAM_TRANSPORT, communityId: String(place.chat) };
  return (await readCommunitySettings(store, community)).messageLifetimeSeconds;
}

/**
 * Called with what was just sent, before it is stored that it was: a crash in between may lead to a second message, and
 * then the first is deleted in its time as well.
 */
export async function noteLifetime(
  { store, nowMs }: Delivery,
  { chatId, lifetimeSeconds }: Pick<Pending, 'chatId' | 'lifetimeSeconds'>,
  messageId: number,
): Promise<Required<Pick<Progress, 'messageId' | 'expiresAtMs'>>> {
  const place = readPlace(chatId);
  if (lifetimeSeconds === null || !isGroup(place)) return { messageId, expiresAtMs: null };
  const dueAtMs = nowMs() + lifetimeSeconds * 1_000;
  const name = { transport: TELEGRAM_TRANSPORT, chatId: String(place.chat), messageId: String(messageId) };
  await expireMessage(store, { ...name, dueAtMs });
  return { messageId, expiresAtMs: dueAtMs };
}
