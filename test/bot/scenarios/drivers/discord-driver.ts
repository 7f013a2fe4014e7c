import type { Discord } from '../../../fakes/discord/server.ts';
import type { ChatDriver, Person, Said, SayOptions, Scene, Shown } from './chat-driver.ts';
import { enterCommand, enterForm } from './discord-entry.ts';
import { readMarkup } from '../discord-markup.ts';

type User = ReturnType<Discord['user']>;
type Channel = ReturnType<Discord['channel']>;
type Role = ReturnType<Discord['role']>;
type Interaction = ReturnType<Discord['slash']>;
type SeenMessage = ReturnType<Discord['sees']>[number];
type Locale = NonNullable<NonNullable<Parameters<Discord['user']>[1]>['locale']>;
type Place = { discord: Discord; channel: Channel; elsewhere: Channel; people: Map<string, User> };

/** The names by which Discord knows what the core calls `de`. */
const LOCALES: Readonly<Record<string, Locale>> = { de: 'de', es: 'es-ES', ja: 'ja' };

/** People in a guild of a local Discord: slash commands with fields, the menu on messages, forms, buttons. */
export function createDiscordDriver(discord: Discord): ChatDriver {
  return {
    means: {
      groups: true,
      mentions: true,
      replies: true,
      summaries: true,
      bareNames: false,
      freeText: false,
      accounts: true,
      clientLanguage: true,
      programs: true,
    },
    open: async ({ language = 'en', isPlain = false } = {}) =>
      openScene(discord, LOCALES[language] ?? 'en-US', isPlain),
    deliverTimes: discord.deliverTimes,
    refused: () => discord.refusals(),
    close: discord.close,
  };
}

function openScene(discord: Discord, locale: Locale, isPlain: boolean): Scene {
  const moderator = discord.user('Mona', { locale });
  const guild = discord.guild({ owner: moderator });
  const [channel, elsewhere] = [discord.channel(guild), discord.channel(guild, 'elsewhere')];
  if (isPlain)
    for (const one of [channel, elsewhere]) discord.overwrite(one, discord.bot, discord.permissions.SendMessages);
  const [alice, bob, carl] = ['Alice', 'Bob', 'Carl'].map((name) => discord.user(name, { locale }));
  const robot = discord.user('Robot', { bot: true });
  if (!alice || !bob || !carl) throw new Error('three people were expected');
  const users = [alice, bob, carl, moderator, robot];
  for (const user of users) discord.join(guild, user);
  const place: Place = { discord, channel, elsewhere, people: new Map(users.map((user) => [user.id, user])) };
  let crew: Role | null = null;
  // Only where a test needs it: an owner beside whom no role moderates counts as alone.
  const openCrew = () => (crew ??= discord.role(guild, 'crew', { permissions: discord.permissions.ManageGuild }));
  const toPerson = ({ id, username }: User): Person => ({ id, name: username });
  const messagesOf = (person: Person) =>
    [channel, elsewhere, discord.direct(person)].flatMap((where) => discord.sees(person, where)).filter(isAnswer);
  return {
    alice: toPerson(alice),
    bob: toPerson(bob),
    carl: toPerson(carl),
    robot: toPerson(robot),
    moderator: toPerson(moderator),
    letModerate: (person, may) => discord.join(guild, userOf(place, person), may ? [openCrew()] : []),
    say: (person, text, options = {}) => say(place, userOf(place, person), text, options),
    press: async (person, message, label, options) =>
      toSaid(discord, discord.press(userOf(place, person), message, message.buttonIds.get(label) ?? label, options)),
    post: async (person, text) => discord.say(userOf(place, person), channel, text).id,
    shown: (person) => messagesOf(person).map((message) => toShown(place, message)),
    everRead: (person) =>
      [channel, elsewhere, discord.direct(person)]
        .flatMap((where) => discord.everything(where))
        .filter((message) => isAnswer(message) && isFor(place, message, person))
        .flatMap((message) => discord.history(message).map(({ content }) => wordsOf(place, content))),
    rung: (person) => discord.notifications(person).length,
    close: async () => undefined,
  };
}

/** What is only "thinking" says nothing yet. */
const isAnswer = ({ author, isLoading }: SeenMessage): boolean => author.bot && !isLoading;

/** An ephemeral message is for the member whose interaction it answers. */
function isFor({ discord }: Place, { isEphemeral, interactionId }: SeenMessage, { id }: Person): boolean {
  const asked = discord.interactions().find((interaction) => interaction.id === interactionId);
  return !isEphemeral || asked?.userId === id;
}

async function say(place: Place, user: User, text: string, options: SayOptions): Promise<Said> {
  const { discord } = place;
  const where = { direct: discord.direct(user), elsewhere: place.elsewhere, group: place.channel }[
    options.where ?? 'group'
  ];
  const { mentioning = [], replyTo } = options;
  if (replyTo !== undefined) {
    const opened = await discord.answered(discord.contextMenu(user, where, 'Tip', { id: replyTo }));
    return toSaid(discord, discord.submitModal(user, opened, enterForm(text)));
  }
  const { name, values } = enterCommand(discord.commands(), text, mentioning);
  return toSaid(discord, discord.slash(user, where, name, values));
}

function toSaid(discord: Discord, interaction: Interaction): Said {
  return { again: async () => discord.redeliver(interaction) };
}

function userOf({ people }: Place, { id }: Person): User {
  const user = people.get(id);
  if (!user) throw new Error(`${id} is nobody of this scene`);
  return user;
}

const read = ({ people }: Place, content: string) =>
  readMarkup(content, (id) => `@${people.get(id)?.username ?? 'unknown'}`);

const wordsOf = (place: Place, content: string): string => read(place, content).text;

function toShown(place: Place, message: SeenMessage): Shown {
  const { text, marks, codes } = read(place, message.text);
  return {
    id: message.id,
    text,
    marks,
    examples: [...codes, ...message.buttons.flatMap(({ label }) => label ?? [])].filter((text) => text.startsWith('/')),
    buttons: message.buttons.flatMap(({ label, url, disabled }) => (label && !url && !disabled ? [label] : [])),
    buttonIds: new Map(
      message.buttons.flatMap(({ label, customId }) => (label && customId ? [[label, customId] as const] : [])),
    ),
    links: message.buttons.flatMap(({ label, url }) => (label && url ? [{ label, url }] : [])),
    isPrivate: message.isEphemeral || ![place.channel.id, place.elsewhere.id].includes(message.channelId),
    answers: message.replyToId,
  };
}
