import type { MessageEntity, Update, User } from 'grammy/types';
import type { FakeTelegram } from '../../../fakes/telegram/start.ts';
import type { ChatDriver, Person, Said, SayOptions, Scene, SceneOptions, Shown } from './chat-driver.ts';

type Seen = ReturnType<FakeTelegram['fromBot']>[number];
type Group = ReturnType<FakeTelegram['createGroup']>;
type Place = { telegram: FakeTelegram; group: Group; people: Map<string, User> };

const ELSEWHERE = 'Elsewhere';

/** Telegram's words for what every client shows in its own way. */
const MARKS: Readonly<Record<string, string>> = {
  text_mention: 'mention',
  text_link: 'masked link',
  url: 'link',
  italic: 'small',
};

/** People in a group of a local Telegram where the bot is an admin, so that it can answer one of them alone. */
export function createTelegramDriver(telegram: FakeTelegram): ChatDriver {
  return {
    means: {
      groups: true,
      mentions: true,
      replies: true,
      summaries: true,
      bareNames: true,
      freeText: true,
      accounts: true,
      clientLanguage: true,
      programs: true,
    },
    open: async (options = {}) => openScene(telegram, options),
    deliverTimes: (times) => telegram.deliverThrice(times === 3),
    refused: () => telegram.refused().filter(isWrong),
    close: telegram.close,
  };
}

/** What may be asked for twice: nobody knows whether the first time came through. */
const HARMLESS = ['answerCallbackQuery'];

/** Telegram says in no other way that the bot is a plain member. */
const HOW_IT_LEARNS = /not enough rights to send ephemeral messages/;

/** That it was too fast for the moment is no mistake of the bot. A press that is delivered again is acknowledged again. */
function isWrong({ method, outcome }: ReturnType<FakeTelegram['refused']>[number]): boolean {
  if (HARMLESS.includes(method) || outcome.kind !== 'refused') return !HARMLESS.includes(method);
  return outcome.errorCode !== 429 && !HOW_IT_LEARNS.test(outcome.description);
}

/** Of all scenes, because Telegram gives a name once. */
let handles = 0;

function openScene(
  telegram: FakeTelegram,
  { language: languageCode = 'en', hasHandles = false, isPlain = false }: SceneOptions,
): Scene {
  const named = (firstName: string) => ({
    firstName,
    ...(hasHandles && { username: `${firstName.toLowerCase()}_${(handles += 1)}` }),
  });
  const [alice, bob, carl, owner] = ['Alice', 'Bob', 'Carl', 'Mona'].map((name) =>
    telegram.createUser({ ...named(name), languageCode, started: true }),
  );
  const robot = telegram.createUser({ ...named('Robot'), isBot: true });
  if (!alice || !bob || !carl || !owner) throw new Error('four people were expected');
  const group = telegram.createGroup({
    owner,
    members: [alice, bob, carl, robot],
    bot: isPlain ? 'member' : 'administrator',
    topics: [ELSEWHERE],
  });
  const users = [alice, bob, carl, owner, robot];
  const place: Place = { telegram, group, people: new Map(users.map((user) => [String(user.id), user])) };
  const toPerson = ({ id, first_name: name, username: handle }: User): Person => ({
    id: String(id),
    name,
    ...(handle !== undefined && { handle }),
  });
  return {
    alice: toPerson(alice),
    bob: toPerson(bob),
    carl: toPerson(carl),
    robot: toPerson(robot),
    moderator: toPerson(owner),
    letModerate: (person, may) => letModerate(place, userOf(place, person), may),
    say: async (person, text, options = {}) => say(place, userOf(place, person), text, options),
    press: async (person, message, label, { forged = false } = {}) => press(place, person, message, label, forged),
    post: async (person, text) => keyOf(telegram.say(userOf(place, person), group, text).message),
    shown: (person) => seenBy(place, person).map((seen) => toShown(place, seen)),
    everRead: (person) =>
      [group, userOf(place, person)]
        .flatMap((chat) => telegram.history(chat))
        .filter(({ fromBot, onlyFor }) => fromBot && (onlyFor === null || String(onlyFor) === person.id))
        .flatMap(({ versions }) => versions.map(({ text }) => visible(text))),
    rung: (person) => seenBy(place, person).filter(({ mentioned }) => mentioned.includes(Number(person.id))).length,
    close: async () => undefined,
  };
}

/** Who leaves and joins again is a member like any other. */
function letModerate({ telegram, group }: Place, user: User, may: boolean): void {
  if (may) return telegram.promote(user, group);
  telegram.leave(user, group);
  telegram.join(user, group);
}

function seenBy(place: Place, person: Person): Seen[] {
  const user = userOf(place, person);
  return [place.group, user].flatMap((chat) => place.telegram.fromBot(user, chat));
}

function say(place: Place, user: User, text: string, options: SayOptions): Said {
  const { telegram, group } = place;
  const where = options.where === 'direct' ? user : group;
  const topicId = options.where === 'elsewhere' ? group.topicIds[ELSEWHERE] : undefined;
  const { written, entities } = writeMentions(place, text, options.mentioning ?? []);
  const original = telegram.screen(user, group).find(({ message }) => keyOf(message) === options.replyTo);
  const { update } = telegram.say(user, where, written, {
    entities,
    ...(topicId === undefined ? {} : { topicId }),
    ...(original ? { replyTo: original.message } : {}),
  });
  return toSaid(telegram, update);
}

/** How clients write a person without a username: the name, and whom it means. */
function writeMentions(place: Place, text: string, mentioned: readonly Person[]) {
  let written = text;
  const entities: MessageEntity[] = [];
  for (const person of mentioned) {
    const offset = written.indexOf(`@${person.name}`);
    written = written.replace(`@${person.name}`, person.name);
    entities.push({ type: 'text_mention', offset, length: person.name.length, user: userOf(place, person) });
  }
  return { written, entities };
}

function press(place: Place, person: Person, { id, buttonIds }: Shown, label: string, forged: boolean): Said {
  const { telegram, group } = place;
  const user = userOf(place, person);
  const chats = [group, ...place.people.values()];
  const found = chats.flatMap((chat) => telegram.history(chat)).find(({ message }) => keyOf(message) === id);
  const data = buttonIds.get(label);
  if (!found || data === undefined) throw new Error(`the message ${id} has no button "${label}"`);
  return toSaid(telegram, telegram.press(user, found.message, data, { forged }).update);
}

function toSaid(telegram: FakeTelegram, update: Update | null): Said {
  if (update === null) throw new Error('the bot does not see this');
  return { again: async () => telegram.redeliver(update) };
}

function userOf({ people }: Place, { id }: Person): User {
  const user = people.get(id);
  if (!user) throw new Error(`${id} is nobody of this scene`);
  return user;
}

type Named = { chat: { id: number }; message_id: number; ephemeral_message_id?: number };

/** Ephemeral messages have numbers of their own kind. */
const keyOf = ({ chat, message_id: id, ephemeral_message_id: ephemeral }: Named): string =>
  ephemeral === undefined ? `${chat.id}/${id}` : `${chat.id}/e${ephemeral}`;

/** A joiner within a word is not seen. */
const visible = (text: string): string => text.replaceAll('\u2060', '');

function toShown({ group }: Place, { message, text, entities, ephemeral }: Seen): Shown {
  const codes = entities.flatMap(({ type, offset, length }) =>
    type === 'code' ? [text.slice(offset, offset + length)] : [],
  );
  const buttons = (message.reply_markup?.inline_keyboard ?? []).flat();
  return {
    id: keyOf(message),
    text: visible(text),
    marks: [...new Set(entities.map(({ type }) => MARKS[type] ?? type))],
    examples: [...codes, ...buttons.map(({ text: label }) => label)].filter((code) => code.startsWith('/')),
    buttons: buttons.flatMap((button) => ('callback_data' in button ? [button.text] : [])),
    buttonIds: new Map(
      buttons.flatMap((button) => ('callback_data' in button ? [[button.text, button.callback_data] as const] : [])),
    ),
    links: buttons.flatMap((button) => ('url' in button ? [{ label: button.text, url: button.url }] : [])),
    isPrivate: ephemeral || message.chat.id !== group.id,
    answers: message.reply_to_message ? keyOf(message.reply_to_message) : null,
  };
}
