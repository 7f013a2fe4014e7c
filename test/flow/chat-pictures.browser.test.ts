/** One service that speaks on both networks at once, and the pictures that docs/chat.md shows of it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { User as TelegramUser } from 'grammy/types';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findViolations } from '../../db/audit/invariants.ts';
import { eventually } from '../../scripts/torture/eventually.ts';
import type { Service } from '../../service/start.ts';
import { admit, passTime } from '../attack/chat-kills/groups/books.ts';
import type { Regular } from '../attack/chat-kills/groups/screen.ts';
import { startDiscord, type Discord } from '../fakes/discord/server.ts';
import { startFakeTelegram, type FakeTelegram } from '../fakes/telegram/start.ts';
import { startBrowser, type TestBrowser } from '../support/browser/browser.ts';
import { drawChat } from '../support/browser/chat-picture.ts';
import { toPicture as toDiscordPicture } from '../support/browser/discord-picture.ts';
import { toPicture as toTelegramPicture } from '../support/browser/telegram-picture.ts';
import { refuseViolations } from '../support/databases/refuse-violations.ts';
import { startLocalService } from '../support/local-service.ts';

const SOON = 60_000;
const takePictures = process.env['SCREENSHOTS'] !== undefined;

let dataDir: string;
let service: Service;
let discord: Discord;
let telegram: FakeTelegram;
let browser: TestBrowser;

const start = () =>
  startLocalService({
    dataDir,
    env: {
      DISCORD_TOKEN: discord.token,
      DISCORD_APP_ID: discord.applicationId,
      DISCORD_API_URL: discord.apiUrl,
      TELEGRAM_TOKEN: telegram.token,
      TELEGRAM_API_URL: telegram.url,
    },
  });

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'pennypost-pictures-'));
  [discord, telegram] = await Promise.all([
    startDiscord({ answerMs: 30_000 }),
    startFakeTelegram({ botName: 'pennypost' }),
  ]);
  browser = await startBrowser();
  service = await start();
});

afterAll(async () => {
  await eventually(async () => refuseViolations(await findViolations(service.store)));
  await service.close();
  await Promise.all([discord.close(), telegram.close(), browser.close()]);
  rmSync(dataDir, { recursive: true, force: true });
});

const fileOf = (name: string) => (takePictures ? `docs/images/${name}.png` : join(dataDir, `${name}.png`));

// The first two in groups of their own, each with its people: what each waits for comes at the same time.
test.concurrent('on Discord a tip, its receipt, and what only one person sees', async () => {
  await discord.until(() => discord.gateway.connected() === 1 && discord.commands().length > 0, 'the bot', SOON);
  const guild = discord.guild({ name: 'Penny fans' });
  const [channel, elsewhere] = [discord.channel(guild, 'thanks'), discord.channel(guild, 'elsewhere')];
  const [alice, bob] = [discord.user('alice'), discord.user('bob')];
  for (const person of [alice, bob]) discord.join(guild, person);
  const deposit = discord.slash(alice, elsewhere, 'deposit');
  await discord.until(() => discord.answerTo(deposit)?.buttons.length === 1, 'the button', SOON);
  const card = discord.answerTo(deposit);
  const press = discord.press(alice, { id: card?.id ?? '' }, card?.buttons[0]?.customId ?? '');
  await discord.until(() => discord.followUpsTo(press)[0]?.text.startsWith('Done'), 'the play money', SOON);

  discord.say(bob, channel, 'The install guide now works on a fresh machine.');
  const tip = discord.slash(alice, channel, 'tip', { user: bob, amount: '1', note: 'for the install guide' });
  await discord.until(() => discord.answerTo(tip)?.text.startsWith('Sent'), 'the end', SOON);
  await discord.until(() => discord.sees(bob, channel).some(({ text }) => text.includes('waiting')), 'it', SOON);
  const balance = discord.slash(alice, channel, 'balance');
  await discord.until(() => discord.answerTo(balance)?.text.startsWith('You have'), 'the balance', SOON);

  const seen = discord.sees(alice, channel);
  expect(seen.map(({ author }) => author.username)).toEqual(['bob', 'pennypost', 'pennypost', 'pennypost']);
  const people = new Map([alice, bob].map(({ id, username }) => [id, username]));
  const commands = new Map([tip, balance].map(({ id, name }) => [id, `alice used /${name}`]));
  const messages = seen.map((message) =>
    toDiscordPicture(message, (id) => people.get(id) ?? id, commands.get(message.interactionId ?? '')),
  );
  await drawChat(browser, { title: '# thanks', messages }, fileOf('discord'));
  // What was sent is drawn, and no mark of it is left over.
  expect(messages.map(({ html }) => html).join()).toMatch(
    /<b>1\.00 USDC<\/b> to <b><span class="person">@bob<\/span><\/b>/,
  );
  expect(messages.map(({ html }) => html).join()).not.toMatch(/\*\*|\\|&#60;@/);
});

test.concurrent('on Telegram a tip by reply, in a group where the bot is admin', async () => {
  const alice = telegram.createUser({ firstName: 'Alice', languageCode: 'en', started: true });
  const bob = telegram.createUser({ firstName: 'Bob' });
  await takePlayMoney(alice);
  const group = telegram.createGroup({ title: 'Penny fans', members: [alice, bob] });
  const { message } = telegram.say(bob, group, 'The install guide now works on a fresh machine.');
  telegram.say(alice, group, '/tip 1 for the install guide', { replyTo: message });
  const screen = () => telegram.screen(alice, group);
  await eventually(async () => {
    if (!screen().some(({ text }) => /^Bob .*1\.00 USDC|waiting for Bob/.test(text))) throw new Error('no end yet');
    if (screen().some(({ text }) => text.endsWith('…'))) throw new Error('a message is not written yet');
  }, SOON);
  const messages = screen().map(toTelegramPicture);
  await drawChat(browser, { title: 'Penny fans', messages }, fileOf('telegram'));
  expect(messages.map(({ author }) => author).slice(0, 3)).toEqual(['Bob', 'Alice', 'pennypost']);
  expect(messages.map(({ html }) => html).join()).toContain('<b>1.00 USDC</b>');
});

// By itself, because the service ends in it.
test('on Telegram a drop, what its giver looks through, and a request', async () => {
  const create = (firstName: string) => telegram.createUser({ firstName, languageCode: 'en', started: true });
  const people = { giver: create('Alice'), first: create('Bob'), second: create('Carl') };
  const { giver: alice, first: bob, second: carl } = people;
  await Promise.all([alice, bob].map((person) => takePlayMoney(person)));
  const group = telegram.createGroup({ title: 'Penny fans', members: Object.values(people), bot: 'administrator' });
  const userId = (member: Regular) => `telegram:${people[member].id}`;
  await admit(service.store, { transport: 'telegram', communityId: String(group.id), userId }, null);
  const screen = (user: TelegramUser) => telegram.screen(user, group);
  const until = (user: TelegramUser, text: RegExp) =>
    eventually(async () => {
      const found = screen(user).findLast((shown) => text.test(shown.text));
      if (found === undefined)
        throw new Error(`${text} in ${JSON.stringify(screen(user).map(({ text: seen }) => seen))}`);
      return found;
    }, SOON);
  const draw = async (user: TelegramUser, name: string) => {
    const messages = screen(user).map(toTelegramPicture);
    if (takePictures) await drawChat(browser, { title: 'Penny fans', messages }, fileOf(name));
  };
  const press = async (user: TelegramUser, text: RegExp, button: RegExp) => {
    const shown = await until(user, text);
    const label = shown.buttons.flat().find((one) => button.test(one));
    if (label === undefined) throw new Error(`no ${button} in ${JSON.stringify(shown.buttons)}`);
    telegram.press(user, shown.message, label);
  };

  telegram.say(alice, group, '/drop 5 10 people 1h');
  const take = async (person: TelegramUser) => {
    await press(person, /^Alice drops 5\.00 USDC/, /^I’m in/);
    await until(person, /^You’re in: 0\.50 USDC/);
  };
  await Promise.all([bob, carl].map(take));
  await until(bob, /Taken: 2 of 10/);
  await draw(bob, 'telegram-drop');
  await passTime(service.store, userId('giver'));
  // A bot looks for what is over once in half a minute (test/queue/job.test.ts), and when it starts: the next process
  // closes what the last one opened.
  await service.close();
  service = await start();
  await press(alice, /^Closed: /, /^See the list/);
  expect((await until(alice, /^2 on your list, /)).buttons.flat()).toEqual(['Pay 1.00 USDC', 'Strike 1', 'Strike 2']);
  await draw(alice, 'telegram-drop-list');
  await press(alice, /^2 on your list, /, /^Pay /);
  const paid = await until(bob, /^Sent 1\.00 USDC/);
  expect(paid.text).toContain(
    'Members of this chat collect it here with /claim. What nobody collects comes back to you on',
  );
  expect(paid.buttons.flat()).toEqual(['Receipt 1', 'Receipt 2', 'Take back what waits']);

  const asked = '/request Bob 5 lunch';
  const mention = { type: 'text_mention', offset: asked.indexOf('Bob'), length: 3, user: bob } as const;
  telegram.say(carl, group, asked, { entities: [mention] });
  await until(bob, /asks .*5\.00 USDC/);
  await draw(bob, 'telegram-request');
  await press(bob, /asks .*5\.00 USDC/, /^Pay/);
  await until(carl, /^Bob (?:sent|paid) 5\.00 USDC to Carl\./);
});

async function takePlayMoney(user: TelegramUser): Promise<void> {
  telegram.say(user, user, '/deposit');
  const shown = () => telegram.fromBot(user, user).at(-1);
  await eventually(async () => expect(shown()?.buttons.flat()).toHaveLength(1), SOON);
  const card = shown();
  if (card === undefined) throw new Error('no card for play money');
  telegram.press(user, card.message, card.buttons.flat()[0] ?? '');
  await eventually(async () => expect(shown()?.text).toMatch(/\d\.\d\d/), SOON);
}
