import type { Ids } from '../../core/ids.ts';
import type { Progress } from '../../db/chats/bot-messages.ts';
import type { Store } from '../../db/store/store.ts';
import type { ExpiryDeps } from '../outbox/expiry.ts';
import { limitLifetime } from '../outbox/lifetime.ts';
import type { Log } from '../shared/log.ts';
import type { Calls, Outcome } from './calls.ts';
import type { Names } from './people.ts';
import type { Pace } from '../outbox/pace.ts';
import { cardLanguageOf } from '../conversation/speech.ts';
import { chatNamesOf, namesKnownTo } from '../../db/communities/community-people.ts';
import { personName } from '../../texts/names/person.ts';
import { AGAIN, UNKNOWN, type Pending, type Turn } from '../outbox/turn.ts';
import { peopleNamedIn } from './html.ts';
import { formatUser, isGroup, readEvent, readPlace, TELEGRAM_TRANSPORT } from './place.ts';

/** What showing messages works with. */
export type Delivery = {
  store: Store;
  calls: Calls;
  pace: Pace;
  names: Names;
  /** For links to an answer. */
  ids: Pick<Ids, 'slug'>;
  /** For links into the private chat. */
  botName: () => string;
  /** Groups in which Telegram has refused a message for one person, until when. */
  noEphemeral: Map<number, number>;
  nowMs: () => number;
  log: Log;
};

/**
 * What the people in a view are called: as this process has seen them, else as the directory has lately. A group reads no
 * number; in a private chat one whose name is not known stays as it was typed, and can be compared.
 */
export async function namesFor(delivery: Delivery, message: Pending): Promise<Pick<Names, 'find'>> {
  const { store, names, nowMs } = delivery;
  const { view, chatId, userId, language } = message;
  const { chat } = readPlace(chatId);
  const unseen = peopleNamedIn(view).filter((id) => names.find(id) === undefined);
  if (unseen.length === 0) return names;
  if (!isGroup({ chat })) {
    const reader = { transport: TELEGRAM_TRANSPORT, userId: formatUser(chat) };
    const known = await namesKnownTo(store, reader, unseen.map(formatUser), nowMs());
    return { find: (id) => names.find(id) ?? known.get(formatUser(id)) };
  }
  const community = { transport: TELEGRAM_TRANSPORT, communityId: String(chat) };
  const known = await chatNamesOf(store, community, unseen.map(formatUser), nowMs());
  const reader = { ...community, userId: userId ?? '', ...(language === null ? {} : { language }) };
  const read = (await cardLanguageOf({ store }, reader)) ?? undefined;
  const unknown = (id: number) => personName({ platform: TELEGRAM_TRANSPORT, key: String(id) }, read);
  return { find: (id) => names.find(id) ?? known.get(formatUser(id)) ?? unknown(id) };
}

/** Over: nobody can be told there any more (blocked, thrown out, deleted), and nothing has to be done about it. */
export function isGone(outcome: Outcome<unknown>): boolean {
  return outcome.kind === 'refused' && outcome.code === 403;
}

/** The response says when to try again; null when it says that trying again is no use. */
export function whenAgain({ pace }: Delivery, chat: number, outcome: Outcome<unknown>): Turn | null {
  if (outcome.kind === 'unknown') return UNKNOWN;
  if (outcome.kind !== 'flood') return null;
  pace.pause(chat, outcome.retryAfterMs);
  return AGAIN;
}

/**
 * The message that the answer belongs to; none for receipts, presses and commands that their sender alone sees. Where the
 * group has moved meanwhile, its number is another message's.
 */
export function repliedTo({ eventId, chatId }: Pick<Pending, 'eventId' | 'chatId'>): { replyTo?: number } {
  if (eventId === null) return {};
  const event = readEvent(eventId);
  return event.kind === 'message' && event.chat === readPlace(chatId).chat ? { replyTo: event.message } : {};
}

/** What is stored of a message that was just sent. In a private chat it stays for good. */
export async function noteLifetime(
  { store, nowMs: now }: Delivery,
  { chatId, lifetimeSeconds }: Pick<Pending, 'chatId' | 'lifetimeSeconds'>,
  messageId: number,
): Promise<Required<Pick<Progress, 'messageId' | 'expiresAtMs'>>> {
  const place = readPlace(chatId);
  const name = { transport: TELEGRAM_TRANSPORT, chatId: String(place.chat), messageId: String(messageId) } as const;
  const expiresAtMs = await limitLifetime({ store, now }, name, isGroup(place) ? lifetimeSeconds : null);
  return { messageId: name.messageId, expiresAtMs };
}

/** How an old message is deleted. It counts against the limit of the whole bot, and half of that is kept for answers. */
export function removal({
  calls,
  pace,
}: {
  calls: Pick<Calls, 'remove'>;
  pace: Pace;
}): Pick<ExpiryDeps, 'spareMs' | 'remove'> {
  return {
    spareMs: (chatId) => pace.spareMs(readPlace(chatId).chat),
    async remove({ chatId, messageId }) {
      const { chat } = readPlace(chatId);
      pace.takeCall();
      const outcome = await calls.remove(chat, Number(messageId));
      if (outcome.kind === 'flood') pace.pause(chat, outcome.retryAfterMs);
      return isFinal(outcome) ? 'over' : 'later';
    },
  };
}

/** Deleted; or gone, too old, or in a chat where the bot may do nothing any more. A wrong token says nothing about that. */
function isFinal(outcome: Outcome<unknown>): boolean {
  if (outcome.kind === 'refused') return outcome.code === 400 || outcome.code === 403;
  return outcome.kind === 'done' || outcome.kind === 'moved';
}
