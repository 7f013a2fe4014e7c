/**
 * Many people tip in the same moment: `npm run bench -- chat-burst` on Discord and Telegram, each alone with the bot (or
 * `only=discord`, `only=telegram`); `npm run bench -- chat-group` in one group, and `npm run bench -- storm` over ten of them,
 * with `tips=`, `seconds=`, `groups=`, `bans=`. The bot is a process of its own, as its hosts run it, the API with its worker
 * another, and this one is both platforms and all the people. Times count from when the platform sent the command off, so
 * those of these stand-ins are in them. What the bot says of itself counts from when it heard of a command until the platform
 * had answered its acknowledgement.
 */
import type { User as TelegramUser } from 'grammy/types';
import { eventually } from '../../scripts/torture/eventually.ts';
import { readSettings } from '../../scripts/bench/settings.ts';
import { startDiscord, type Discord } from '../fakes/discord/server.ts';
import { startFakeTelegram, type FakeTelegram } from '../fakes/telegram/start.ts';
import { startBot, takePlayMoneyOnTelegram, type Bot } from './chat/bot.ts';
import { onManyGroups, onOneGroup } from './chat/groups.ts';
import { print } from './chat/print.ts';

const COMMANDS = 600;
/** Each of them may say thirty things a minute. */
const TIPS_EACH = 10;
/** As people type them; beside it, all in one moment, which no crowd does. */
const SPREAD_MS = 2_000;
const PEOPLE = COMMANDS / TIPS_EACH;
/** What Telegram lets a bot say to all of its chats together is about thirty; what comes later has to share it. */
const TELEGRAM_PER_SECOND = 10;

/** So long it shows that the bot is typing. */
const TYPING_MS = 5_000;

const PATIENCE_MS = 240_000;
const QUIET_MS = 5_000;

async function onDiscord(): Promise<void> {
  const discord = await startDiscord({ answerMs: 60_000 });
  const bot = await startBot({
    DISCORD_TOKEN: discord.token,
    DISCORD_APP_ID: discord.applicationId,
    DISCORD_API_URL: discord.apiUrl,
  });
  try {
    await eventually(async () => {
      if (discord.gateway.connected() === 0) throw new Error('no gateway');
    }, 60_000);
    await measureDiscord(discord, bot);
  } finally {
    await bot.close();
    await discord.close();
  }
}

async function measureDiscord(discord: Discord, bot: Bot): Promise<void> {
  const guild = discord.guild({ name: 'Tippers' });
  const people = Array.from({ length: PEOPLE }, (_, index) => discord.user(`person${index}`));
  const channels = people.map((_, index) => discord.channel(guild, `room-${index}`));
  for (const person of people) discord.join(guild, person);
  const places = people.map((person, index) => ({ person, channel: channels[index]! }));
  for (const { person, channel } of places) await takePlayMoneyOnDiscord(discord, person, channel);

  for (const spreadMs of [SPREAD_MS, 0]) await measureRush(discord, bot, places, spreadMs);
}

/** `spreadMs`: the time in which all of them are said; 0 hands every frame over in one moment. */
async function measureRush(discord: Discord, bot: Bot, places: readonly Place[], spreadMs: number): Promise<void> {
  const earlier = discord.acknowledgements().length;
  const heardBefore = readWaits(await bot.metrics());
  // What taking play money and asking for metrics have begun is over by then.
  await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
  // Making them takes the stand-in as long as hearing them takes the bot.
  const release = spreadMs === 0 ? discord.holdEvents() : () => undefined;
  const usedBefore = process.cpuUsage();
  const tips = await sayAll(discord, places, spreadMs);
  const sentMs = spreadMs === 0 ? Date.now() : null;
  release();
  await Promise.all(tips.map((tip) => discord.answered(tip)));
  const used = process.cpuUsage(usedBefore);
  await eventually(async () => {
    const open = tips.filter((tip) => !discord.answerTo(tip)?.text.startsWith('Sent'));
    if (open.length > 0) throw new Error(`${open.length} of ${tips.length} tips have not ended`);
  }, PATIENCE_MS);
  const times = discord.acknowledgements().slice(earlier);
  print('Discord', `${tips.length} tips ${spreadMs === 0 ? 'in one moment' : `within ${spreadMs / 1_000} s`}`, {
    acknowledged: times.map(({ createdAt, afterMs }) => (afterMs ?? Infinity) + createdAt - (sentMs ?? createdAt)),
  });
  const limited = discord.requests().filter(({ status }) => status === 429).length;
  console.log(`  refused ${discord.refusals().length}, told to wait ${limited}`);
  console.log(`  the bot itself: ${describeWaits(heardBefore, readWaits(await bot.metrics()))}`);
  const standInMs = Math.round((used.user + used.system) / 1_000);
  console.log(`  until all were acknowledged the stand-in used ${standInMs} ms of its processor`);
}

async function sayAll(discord: Discord, places: readonly Place[], spreadMs: number) {
  const begunMs = performance.now();
  const tips: ReturnType<Discord['slash']>[] = [];
  for (let number = 0; number < COMMANDS; number++) {
    const aheadMs = begunMs + (number / COMMANDS) * spreadMs - performance.now();
    if (aheadMs > 0) await new Promise((resolve) => setTimeout(resolve, aheadMs));
    const { person, channel } = places[number % places.length]!;
    tips.push(discord.slash(person, channel, 'tip', { to: `x:jack${number}s${spreadMs}`, amount: '0.1' }));
  }
  return tips;
}

/** How many first words took at most so long, by seconds. */
type Waits = { seconds: number; count: number }[];

function readWaits(metrics: string): Waits {
  const rows = metrics.matchAll(
    /^pennypost_chat_acknowledge_seconds_bucket\{le="([^"]+)",transport="discord"\} (\d+)/gm,
  );
  return [...rows].map(([, le, count]) => ({ seconds: le === '+Inf' ? Infinity : Number(le), count: Number(count) }));
}

function describeWaits(before: Waits, after: Waits): string {
  const grown = after.map(({ seconds, count }, index) => ({ seconds, count: count - (before[index]?.count ?? 0) }));
  const all = grown.at(-1)?.count ?? 0;
  const at = (share: number) => grown.find(({ count }) => count >= share * all)?.seconds ?? NaN;
  return `${all} acknowledged, p50 within ${at(0.5) * 1_000} ms, p99 within ${at(0.99) * 1_000} ms`;
}

type Place = { person: ReturnType<Discord['user']>; channel: ReturnType<Discord['channel']> };

async function takePlayMoneyOnDiscord(discord: Discord, person: Place['person'], channel: Place['channel']) {
  const asked = discord.slash(person, channel, 'deposit');
  await discord.answered(asked);
  await discord.until(() => (discord.answerTo(asked)?.buttons.length ?? 0) > 0, 'the button', 30_000);
  const shown = discord.answerTo(asked);
  const button = shown?.buttons[0];
  if (!shown || !button) throw new Error('no button for play money');
  const pressed = discord.press(person, shown, button.label ?? '');
  await discord.answered(pressed);
  await discord.until(() => discord.followUpsTo(pressed)[0]?.text.startsWith('Done'), 'play money', 30_000);
}

async function onTelegram(title: string, perSecond: number): Promise<void> {
  const telegram = await startFakeTelegram({ botUsername: 'penny_bot' });
  const bot = await startBot({ TELEGRAM_TOKEN: telegram.token, TELEGRAM_API_URL: telegram.url });
  try {
    await measureTelegram(telegram, title, perSecond);
  } finally {
    await bot.close();
    await telegram.close();
  }
}

async function measureTelegram(telegram: FakeTelegram, title: string, perSecond: number): Promise<void> {
  const people = Array.from({ length: PEOPLE }, () => telegram.createUser({ started: true }));
  await Promise.all(people.map((user) => takePlayMoneyOnTelegram(telegram, user)));
  const said: { user: TelegramUser; name: string; update: ReturnType<FakeTelegram['say']>['update'] }[] = [];
  const begunMs = performance.now();
  for (let number = 0; number < COMMANDS; number++) {
    const dueMs = (number / perSecond) * 1_000;
    const aheadMs = dueMs - (performance.now() - begunMs);
    if (aheadMs > 0) await new Promise((resolve) => setTimeout(resolve, aheadMs));
    const user = people[number % people.length]!;
    const name = `x:jack${number}`;
    said.push({ user, name, update: telegram.say(user, user, `/tip ${name} 0.1`).update });
  }
  const answerTo = ({ user, name }: (typeof said)[number]) =>
    telegram.fromBot(user, user).find(({ text }) => text.startsWith('Sent') && text.includes(`${name.slice(2)} on X`));
  await eventually(async () => {
    const open = said.filter((tip) => answerTo(tip) === undefined);
    if (open.length > 0) throw new Error(`${open.length} of ${said.length} tips have not ended`);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }, PATIENCE_MS);
  const seen: number[] = [];
  const answered: number[] = [];
  const ended: number[] = [];
  for (const tip of said) {
    const [deliveredMs = NaN] = tip.update ? telegram.deliveries(tip.update) : [];
    const versions = answerTo(tip)?.versions ?? [];
    const firstMs = versions[0]?.atMs ?? Infinity;
    seen.push(Math.min(firstMs, typingSince(telegram, tip.user, deliveredMs)) - deliveredMs);
    answered.push(firstMs - deliveredMs);
    ended.push((versions.at(-1)?.atMs ?? Infinity) - deliveredMs);
  }
  print('Telegram', title, { 'sign of life': seen, 'first word': answered, ended });
  console.log(`  refused ${telegram.refused().length}, told to wait ${telegram.refused(429).length}`);
}

/** From when on the bot is seen typing in that chat: maybe already when the command came. */
function typingSince(telegram: FakeTelegram, user: TelegramUser, deliveredMs: number): number {
  const times = telegram
    .calls('sendChatAction')
    .filter(({ parameters }) => parameters['chat_id'] === user.id)
    .map(({ answeredAtMs }) => answeredAtMs ?? Infinity)
    .filter((atMs) => atMs > deliveredMs - TYPING_MS);
  return Math.max(deliveredMs, Math.min(...times));
}

const settings = readSettings(process.argv.slice(2));
const size = (tips: number, seconds: number) => ({
  tips: settings.number('tips', tips),
  seconds: settings.number('seconds', seconds),
});
const wanted = settings.text('only', 'both');
if (wanted === 'both' || wanted === 'discord') await onDiscord();
if (wanted === 'both' || wanted === 'telegram') {
  await onTelegram(`${COMMANDS} tips, ${TELEGRAM_PER_SECOND} a second`, TELEGRAM_PER_SECOND);
  await onTelegram(`${COMMANDS} tips in one moment`, Infinity);
}
if (wanted === 'group') await onOneGroup(size(20, 20));
if (wanted === 'storm') {
  await onManyGroups({ ...size(600, 60), groups: settings.number('groups', 10), bans: settings.number('bans', 10) });
}
