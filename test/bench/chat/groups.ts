/**
 * Tips in groups of a Telegram that enforces its limits, edits included. What others have to scroll past are the bot's
 * messages that all see; a sign for the giver is whatever the bot shows first on the command: a reaction, or an answer.
 * Times are held against what was promised and printed. A tip that is lost, or a call that Telegram refuses for its rate,
 * fails the row.
 */
import type { Message, User } from 'grammy/types';
import { quantile } from '../../../scripts/bench/figures.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import { startFakeTelegram, type FakeTelegram } from '../../fakes/telegram/start.ts';
import { startBot, takePlayMoneyOnTelegram } from './bot.ts';
import { print, printGate } from './print.ts';

type Group = ReturnType<FakeTelegram['createGroup']>;
type Said = { group: Group; giver: User; author: User; command: number; atMs: number };

const PATIENCE_MS = 240_000;
const LOOK_EVERY_MS = 500;
const MINUTE_MS = 60_000;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** What a group was promised. */
const SIGN_WITHIN_MS = 2_000;
const RING_WITHIN_MS = 10_000;
const SCROLLED_MAX = 8;
const BAN_WITHIN_MS = 2_000;
const STORM_GIVERS_EACH = 6;

/** So many tips in so many seconds, over so many groups; `bans`: a moderator bans a member so often meanwhile. */
export type StormSize = { tips: number; seconds: number; groups: number; bans: number };
export type GroupSize = Pick<StormSize, 'tips' | 'seconds'>;

/** One group, each tip by a reply to another member's message. */
export function onOneGroup({ tips, seconds }: GroupSize): Promise<void> {
  return withTelegram(async (telegram) => {
    const [givers, authors] = [people(telegram, tips), people(telegram, tips)];
    await Promise.all(givers.map((user) => takePlayMoneyOnTelegram(telegram, user)));
    await know(telegram, authors);
    const group = telegram.createGroup({ members: [...givers, ...authors], bot: 'administrator' });
    const said: Said[] = [];
    for (const [at, giver] of givers.entries()) {
      said.push(tip(telegram, group, { giver, author: authors[at]! }));
      await pause((seconds / tips) * 1_000);
    }
    await allTold(telegram, said);
    const standing = inPublic(telegram, group).filter(({ deletedAtMs }) => deletedAtMs === null).length;
    const { sign, ring } = report(telegram, `${tips} tips in ${seconds} s in one group`, said);
    printGate('sign for the giver, p95', quantile(sign, 0.95), SIGN_WITHIN_MS, 'ms');
    printGate('the last recipient’s phone', Math.max(...ring), RING_WITHIN_MS, 'ms');
    printGate('messages to scroll past', standing, SCROLLED_MAX, '');
  });
}

/** Several groups at once, each with a moderator who bans a member in the middle of it. */
export function onManyGroups({ tips, seconds, groups, bans: banCount }: StormSize): Promise<void> {
  return withTelegram(async (telegram) => {
    const places = Array.from({ length: groups }, () => openPlace(telegram));
    await Promise.all(places.flatMap(({ givers }) => givers.map((user) => takePlayMoneyOnTelegram(telegram, user))));
    await know(
      telegram,
      places.flatMap(({ authors, owner }) => [...authors, owner]),
    );
    // What that took of the minute is over then.
    await pause(MINUTE_MS);
    const said: Said[] = [];
    const bans: Promise<number>[] = [];
    const begunMs = Date.now();
    const banEvery = Math.max(1, Math.floor(tips / banCount));
    for (let number = 0; number < tips; number += 1) {
      await pause(Math.max(0, begunMs + (number / tips) * seconds * 1_000 - Date.now()));
      const place = places[number % groups]!;
      const turn = Math.floor(number / groups) % STORM_GIVERS_EACH;
      said.push(tip(telegram, place.group, { giver: place.givers[turn]!, author: place.authors[turn]! }));
      const isBan = bans.length < banCount && number % banEvery === Math.floor(banEvery / 2);
      // One that is never answered is a figure too.
      if (isBan) bans.push(banned(telegram, places[bans.length % groups]!).catch(() => Infinity));
    }
    await allTold(telegram, said);
    report(telegram, `${tips} tips in ${seconds} s over ${groups} groups`, said);
    const answered = await Promise.all(bans);
    print('Telegram', `a ban in that storm, ${banCount} times`, { answered });
    printGate('the slowest answer to a ban', Math.max(...answered), BAN_WITHIN_MS, 'ms');
  });
}

function openPlace(telegram: FakeTelegram) {
  const [givers, authors] = [people(telegram, STORM_GIVERS_EACH), people(telegram, STORM_GIVERS_EACH)];
  const owner = telegram.createUser({ started: true });
  const nuisance = telegram.createUser({ firstName: 'Nuisance' });
  const members = [...givers, ...authors, nuisance];
  return { givers, authors, owner, nuisance, group: telegram.createGroup({ owner, members, bot: 'administrator' }) };
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

/**
 * Until every author has heard of every tip, or as long as it may take: what is missing then is lost, and counted so. Books and
 * chain are looked at by other tests.
 */
async function allTold(telegram: FakeTelegram, said: readonly Said[]): Promise<void> {
  await eventually(async () => {
    await pause(LOOK_EVERY_MS);
    if (lostOf(telegram, said) > 0) throw new Error('not every recipient was told yet');
  }, 2 * PATIENCE_MS).catch(() => undefined);
}

const lostOf = (telegram: FakeTelegram, said: readonly Said[]): number =>
  ringsOf(telegram, said).filter((atMs) => atMs === null).length;

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

/** Prints it, and fails the row where a tip was lost or a call refused for its rate. */
function report(telegram: FakeTelegram, title: string, said: readonly Said[]) {
  const since = (times: readonly (number | null)[]) => times.map((atMs, at) => (atMs ?? Infinity) - said[at]!.atMs);
  const times = { sign: since(signsOf(telegram, said)), ring: since(ringsOf(telegram, said)) };
  print('Telegram', title, times);
  const [lost, limited] = [lostOf(telegram, said), telegram.refused(429).length];
  console.log(`  lost ${lost}, refused ${telegram.refused().length}, of them for its rate ${limited}`);
  for (const [kind, count] of refusedKinds(telegram)) console.log(`    ${count} × ${kind}`);
  if (lost > 0 || limited > 0) process.exitCode = 1;
  return times;
}

function refusedKinds(telegram: FakeTelegram): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { method, parameters, outcome } of telegram.refused()) {
    const where = Number(parameters['chat_id'] ?? 0) < 0 ? 'group' : 'private';
    const kind = `${method} in ${where} ${outcome.kind === 'refused' ? `${outcome.errorCode} ${outcome.description}` : ''}`;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}
