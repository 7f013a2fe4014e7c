/**
 * Tips in groups of a Telegram that enforces its limits, edits included. What others have to scroll past are the bot's
 * messages that all see; a sign for the giver is whatever the bot shows first on the command: a reaction, or an answer.
 */
import type { Message, User } from 'grammy/types';
import { eventually } from '../../../scripts/torture/eventually.ts';
import { startFakeTelegram, type FakeTelegram } from '../../fakes/telegram/start.ts';
import { startBot, takePlayMoneyOnTelegram } from './bot.ts';
import { print } from './print.ts';

type Group = ReturnType<FakeTelegram['createGroup']>;
type Said = { group: Group; giver: User; author: User; command: number; atMs: number };

const PATIENCE_MS = 240_000;
const LOOK_EVERY_MS = 500;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const GROUP_TIPS = 20;
const STORM_GROUPS = 10;
const STORM_GIVERS_EACH = 6;
const STORM_TIPS = 600;
const STORM_MS = 60_000;
/** A moderator bans somebody so often meanwhile. */
const BANS = 10;

/** One group, a tip a second, each by a reply to another member's message. */
export function onOneGroup(): Promise<void> {
  return withTelegram(async (telegram) => {
    const [givers, authors] = [people(telegram, GROUP_TIPS), people(telegram, GROUP_TIPS)];
    await Promise.all(givers.map((user) => takePlayMoneyOnTelegram(telegram, user)));
    await know(telegram, authors);
    const group = telegram.createGroup({ members: [...givers, ...authors], bot: 'administrator' });
    const said: Said[] = [];
    for (const [at, giver] of givers.entries()) {
      said.push(tip(telegram, group, { giver, author: authors[at]! }));
      await pause(1_000);
    }
    await allPaid(telegram, said);
    const standing = inPublic(telegram, group).filter(({ deletedAtMs }) => deletedAtMs === null).length;
    report(telegram, `${GROUP_TIPS} tips in ${GROUP_TIPS} s in one group`, said);
    console.log(`  messages to scroll past ${standing}`);
  });
}

/** Ten groups at once, each with a moderator who bans somebody in the middle of it. */
export function onTenGroups(): Promise<void> {
  return withTelegram(async (telegram) => {
    const places = Array.from({ length: STORM_GROUPS }, () => {
      const [givers, authors] = [people(telegram, STORM_GIVERS_EACH), people(telegram, STORM_GIVERS_EACH)];
      const owner = telegram.createUser({ started: true });
      const nuisance = telegram.createUser({ firstName: 'Nuisance' });
      const members = [...givers, ...authors, nuisance];
      return {
        givers,
        authors,
        owner,
        nuisance,
        group: telegram.createGroup({ owner, members, bot: 'administrator' }),
      };
    });
    await Promise.all(places.flatMap(({ givers }) => givers.map((user) => takePlayMoneyOnTelegram(telegram, user))));
    await know(
      telegram,
      places.flatMap(({ authors, owner }) => [...authors, owner]),
    );
    await pause(STORM_MS);
    const said: Said[] = [];
    const bans: Promise<number>[] = [];
    const begunMs = Date.now();
    for (let number = 0; number < STORM_TIPS; number += 1) {
      await pause(Math.max(0, begunMs + (number / STORM_TIPS) * STORM_MS - Date.now()));
      const place = places[number % STORM_GROUPS]!;
      const turn = Math.floor(number / STORM_GROUPS) % STORM_GIVERS_EACH;
      said.push(tip(telegram, place.group, { giver: place.givers[turn]!, author: place.authors[turn]! }));
      const isBan = number % (STORM_TIPS / BANS) === STORM_TIPS / BANS / 2;
      // One that is never answered is a figure too.
      if (isBan) bans.push(banned(telegram, places[bans.length % STORM_GROUPS]!).catch(() => Infinity));
    }
    await allPaid(telegram, said);
    report(telegram, `${STORM_TIPS} tips in ${STORM_MS / 1_000} s over ${STORM_GROUPS} groups`, said);
    print('Telegram', `a ban in that storm, ${BANS} times`, { answered: await Promise.all(bans) });
    const lost = said.length - ringsOf(telegram, said).filter((atMs) => atMs !== null).length;
    console.log(`  lost ${lost}`);
  });
}

async function withTelegram(work: (telegram: FakeTelegram) => Promise<void>): Promise<void> {
  const telegram = await startFakeTelegram({ botUsername: 'penny_bot' });
  const bot = await startBot({ TELEGRAM_TOKEN: telegram.token, TELEGRAM_API_URL: telegram.url });
  try {
    await work(telegram);
  } finally {
    await bot.close();
    await telegram.close();
  }
}

const people = (telegram: FakeTelegram, count: number): User[] =>
  Array.from({ length: count }, () => telegram.createUser({ started: true }));

/** They have talked to the bot, so it may tell them alone. */
async function know(telegram: FakeTelegram, users: readonly User[]): Promise<void> {
  for (const user of users) telegram.say(user, user, '/balance');
  await eventually(async () => {
    if (users.some((user) => telegram.fromBot(user, user).length === 0)) throw new Error('not all are known yet');
    await pause(LOOK_EVERY_MS);
  }, PATIENCE_MS);
}

function tip(telegram: FakeTelegram, group: Group, { giver, author }: Pick<Said, 'giver' | 'author'>): Said {
  const post = telegram.say(author, group, 'Look what I made').message;
  const { message } = telegram.say(giver, group, '/tip 0.1', { replyTo: post });
  return { group, giver, author, command: message.message_id, atMs: Date.now() };
}

/** How long a ban takes to be answered, to the moderator alone. */
async function banned(
  telegram: FakeTelegram,
  { group, owner, nuisance }: { group: Group; owner: User; nuisance: User },
): Promise<number> {
  const before = new Set(telegram.fromBot(owner, group).map(({ message }) => idOf(message)));
  const text = `/settings ban ${nuisance.first_name}`;
  const entity = { type: 'text_mention', offset: text.length - nuisance.first_name.length, user: nuisance } as const;
  const atMs = Date.now();
  telegram.say(owner, group, text, { entities: [{ ...entity, length: nuisance.first_name.length }] });
  const answer = await eventually(async () => {
    const found = telegram
      .fromBot(owner, group)
      .find(({ message, ephemeral, versions }) => ephemeral && !before.has(idOf(message)) && versions.length > 0);
    const said = found?.versions.find((version) => /can’t tip here any more/.test(version.text));
    if (said === undefined) throw new Error('the ban is not answered');
    return said;
  }, PATIENCE_MS);
  return answer.atMs - atMs;
}

type Named = Pick<Message, 'message_id'> & { ephemeral_message_id?: number };
const idOf = ({ message_id: id, ephemeral_message_id: ephemeral }: Named): string => `${id}/${ephemeral ?? ''}`;

const inPublic = (telegram: FakeTelegram, group: Group) =>
  telegram.history(group).filter(({ fromBot, onlyFor }) => fromBot && onlyFor === null);

/** Every author has heard of every tip, so none is lost on its way; books and chain are looked at by other tests. */
async function allPaid(telegram: FakeTelegram, said: readonly Said[]): Promise<void> {
  await eventually(async () => {
    await pause(LOOK_EVERY_MS);
    const rings = ringsOf(telegram, said);
    const open = rings.filter((atMs) => atMs === null).length;
    if (open > 0) throw new Error(`${open} of ${said.length} tips were not told to their recipients`);
  }, 2 * PATIENCE_MS);
}

/** When each recipient was rung, alone. Several of one author count one by one. */
function ringsOf(telegram: FakeTelegram, said: readonly Said[]): (number | null)[] {
  const alone = new Map<number, number[]>();
  return said.map(({ author }) => {
    const known = alone.get(author.id) ?? told(telegram, author);
    alone.set(author.id, known);
    return known.shift() ?? null;
  });
}

const told = (telegram: FakeTelegram, author: User): number[] =>
  telegram
    .fromBot(author, author)
    .filter(({ text }) => / sent you /.test(text))
    .map(({ versions }) => versions[0]?.atMs ?? 0);

/** When each giver saw something on the command. */
function signsOf(telegram: FakeTelegram, said: readonly Said[]): number[] {
  const reactions = new Map<string, number>();
  for (const { parameters, answeredAtMs } of telegram.calls('setMessageReaction')) {
    const key = `${String(parameters['chat_id'])}/${String(parameters['message_id'])}`;
    if (!reactions.has(key)) reactions.set(key, answeredAtMs ?? Infinity);
  }
  return said.map(({ group, command }) => {
    const answer = inPublic(telegram, group).find(({ message }) => message.reply_to_message?.message_id === command);
    return Math.min(answer?.versions[0]?.atMs ?? Infinity, reactions.get(`${group.id}/${command}`) ?? Infinity);
  });
}

function report(telegram: FakeTelegram, title: string, said: readonly Said[]): void {
  const since = (times: readonly (number | null)[]) => times.map((atMs, at) => (atMs ?? Infinity) - said[at]!.atMs);
  print('Telegram', title, { sign: since(signsOf(telegram, said)), ring: since(ringsOf(telegram, said)) });
  const kinds = telegram.refused().map(({ method, parameters, outcome }) => {
    const where = Number(parameters['chat_id'] ?? 0) < 0 ? 'group' : 'private';
    return `${method} in ${where} ${outcome.kind === 'refused' ? `${outcome.errorCode} ${outcome.description}` : ''}`;
  });
  const counts = new Map<string, number>();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  console.log(`  refused ${telegram.refused().length}, told to wait ${telegram.refused(429).length}`);
  for (const [kind, count] of counts) console.log(`    ${count} × ${kind}`);
}
