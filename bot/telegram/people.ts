import type { SeenPerson } from '../../core/communities/people.ts';
import { receivedAtOf } from '../../db/chats/chat-events.ts';
import { noteAnswer } from '../../db/communities/community-answers.ts';
import { bearersOf, notePeople } from '../../db/communities/community-people.ts';
import type { Store } from '../../db/store/store.ts';
import type { FindPerson } from './command-text.ts';
import { formatUser, isGroup, readUser, TELEGRAM_TRANSPORT } from './place.ts';
import { answeredIn, placeOf, updateIdOf, type PersonalUpdate, type TelegramPerson } from './update.ts';

/** A command names few; a message that mentions more is no command. */
const NAMED_MAX = 100;

/** The people whom an update shows: who wrote or pressed, the author of the message it replies to, those mentioned by id. */
export function peopleIn(update: PersonalUpdate): TelegramPerson[] {
  if ('callback_query' in update) return [update.callback_query.from];
  const { from, sender_chat: senderChat, reply_to_message: original, entities = [] } = update.message;
  // Channels, and those who write as the group, show through accounts that are nobody's.
  const author = senderChat === undefined ? from : undefined;
  const replied = original?.sender_chat === undefined ? original?.from : undefined;
  return [author, replied, ...entities.map(({ user }) => user)].flatMap((person) => person ?? []);
}

/** Who bears the names that the update mentions, as far as its group has seen them. Nobody does in a private chat. */
export async function meetPeople(store: Store, update: PersonalUpdate, nowMs: number): Promise<FindPerson> {
  const place = placeOf('message' in update ? update.message : update.callback_query.message);
  const isShared = isGroup(place);
  const communityId = isShared ? String(place.chat) : formatUser(place.chat);
  const community = { transport: TELEGRAM_TRANSPORT, communityId };
  const seenAtMs = await seenAtOf(store, update, nowMs);
  await notePeople(store, community, peopleIn(update).map(toSeen), seenAtMs);
  if (!isShared) return () => undefined;
  const answered = answeredIn(update);
  if (answered !== null) {
    const { message, author, by } = answered;
    const answer = { messageId: String(message), byId: formatUser(by), userId: formatUser(author) };
    await noteAnswer(store, community, answer);
  }
  const bearers = await bearersOf(store, community, namesIn(update), nowMs);
  return (name) => {
    const bearer = bearers.get(name.toLowerCase());
    return bearer === undefined ? undefined : readUser(bearer.userId);
  };
}

/** A press carries no time, and may be taken up long after it came. */
async function seenAtOf(store: Store, update: PersonalUpdate, nowMs: number): Promise<number> {
  if ('message' in update) return update.message.date * 1_000;
  return (await receivedAtOf(store, TELEGRAM_TRANSPORT, updateIdOf(update))) ?? nowMs;
}

function toSeen({ id, username, first_name: name, is_bot: isBot }: TelegramPerson): SeenPerson {
  return { userId: formatUser(id), username: username ?? null, name, isBot };
}

function namesIn(update: PersonalUpdate): string[] {
  if (!('message' in update)) return [];
  const { text, entities = [] } = update.message;
  const mentions = entities.filter(({ type }) => type === 'mention').slice(0, NAMED_MAX);
  return mentions.map(({ offset, length }) => text.slice(offset + 1, offset + length));
}

/** What people call themselves: the core knows them by their numbers. A start forgets it; the directory, which has it too, does not. */
const NAMES_MAX = 10_000;

export type Names = {
  learn: (person: { id: number; first_name: string }) => void;
  /** For mentions. Undefined for a person whom nobody has seen since the start. */
  find: (id: number) => string | undefined;
};

export function createNames(): Names {
  const people = new Map<number, string>();
  return {
    learn({ id, first_name: name }) {
      people.delete(id);
      people.set(id, name);
      const [oldest] = people.keys();
      if (people.size > NAMES_MAX && oldest !== undefined) people.delete(oldest);
    },
    find: (id) => people.get(id),
  };
}
