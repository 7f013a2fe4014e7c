/** The whole service on play money, with a token and a Discord to use it with. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findViolations } from '../../db/audit/invariants.ts';
import { eventually } from '../../scripts/torture/eventually.ts';
import type { Service } from '../../service/start.ts';
import { readAlerts } from '../../db/operator/alerts.ts';
import { refusedBots } from '../../db/processes/refused-bots.ts';
import { startFakeTelegram, type FakeTelegram } from '../fakes/telegram/start.ts';
import { alertsRound } from '../../worker/alerts/round.ts';
import { startDiscord, type Discord } from '../fakes/discord/server.ts';
import { startLocalService } from '../support/local-service.ts';
import { refuseViolations } from '../support/databases/refuse-violations.ts';

let dataDir: string;
let service: Service;
let discord: Discord;
let telegram: FakeTelegram;
const logged: string[] = [];

const start = () =>
  startLocalService({
    dataDir,
    env: {
      NETWORKS: 'base',
      DISCORD_TOKEN: discord.token,
      DISCORD_APP_ID: discord.applicationId,
      DISCORD_API_URL: discord.apiUrl,
      // Of a bot that was deleted.
      TELEGRAM_TOKEN: '7000000009:AAgone',
      TELEGRAM_API_URL: telegram.url,
    },
    log: pino({ level: 'info' }, { write: (text) => void logged.push(text) }),
  });

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'pennypost-discord-'));
  discord = await startDiscord({ answerMs: 30_000 });
  telegram = await startFakeTelegram();
  service = await start();
}, 120_000);

afterAll(async () => {
  await eventually(async () => refuseViolations(await findViolations(service.store)));
  await service.close();
  await discord.close();
  await telegram.close();
  rmSync(dataDir, { recursive: true, force: true });
});

test('a platform that refuses our token is noted, and its alarm rings', async () => {
  await eventually(async () => expect(await refusedBots(service.store)).toEqual(['telegram']), 60_000);
  const store = service.store;
  const worker = { store, networks: [], chat: null, mail: null, mailTo: null, log: pino({ level: 'silent' }) };
  await alertsRound({ ...worker, now: () => Date.now() });
  expect((await readAlerts(store)).map(({ name }) => name)).toContain('bots:telegram');
});

test('a member gets play money, tips two people, and everybody reads the receipts', async () => {
  const guild = discord.guild();
  const channel = discord.channel(guild);
  const [alice, bob] = [discord.user('alice'), discord.user('bob')];
  for (const person of [alice, bob]) discord.join(guild, person);
  await discord.until(() => discord.gateway.connected() === 1 && discord.commands().length > 0, 'the bot', 60_000);

  const deposit = discord.slash(alice, channel, 'deposit');
  await discord.until(() => discord.answerTo(deposit)?.buttons.length === 1, 'the button', 60_000);
  const card = discord.answerTo(deposit);
  const press = discord.press(alice, { id: card?.id ?? '' }, card?.buttons[0]?.customId ?? '');
  await discord.until(() => discord.followUpsTo(press)[0]?.text.startsWith('Done'), 'the play money', 60_000);

  const toBob = discord.slash(alice, channel, 'tip', { user: bob, amount: '0.5', note: 'for *lunch*' });
  await discord.until(() => discord.answerTo(toBob)?.text.startsWith('Sent'), 'the end', 60_000);
  const toCarol = discord.slash(alice, channel, 'tip', { to: 'x:alice', amount: '0.25' });
  await discord.until(() => discord.answerTo(toCarol)?.text.startsWith('Sent'), 'the end', 60_000);
  await discord.until(() => discord.notifications(bob).length === 1, 'the receipt', 60_000);
  expect(discord.notifications(bob)[0]?.text).toContain(`<@${alice.id}> sent **<@${bob.id}>** **0.50 USDC**`);
  expect(discord.notifications(alice)).toEqual([]);
  // What was written with it Bob reads when he presses, as text: he knows nothing of this giver yet. How to get it stands there.
  const notice = discord.notifications(bob)[0];
  expect(notice?.text).not.toContain('lunch');
  const note = notice?.buttons.find(({ label }) => label === 'Read the note');
  const reading = discord.press(bob, { id: notice?.id ?? '' }, note?.customId ?? '');
  const isRead = () => discord.followUpsTo(reading)[0]?.text.includes('for \\*lunch\\*') === true;
  await discord.until(isRead, 'the note', 60_000);
  expect(notice?.text).toContain(
    `<@${bob.id}>: type \`/claim\` here to collect it. If nobody collects it, it goes back to its sender on`,
  );
  await discord.until(() => discord.sees(bob, channel).some(({ text }) => text.includes('0.25')), 'the other', 60_000);
  expect(discord.refusals()).toEqual([]);

  // The next process takes over the connection, the books and the chats.
  await service.close();
  service = await start();
  await discord.until(() => discord.gateway.connected() === 1, 'the bot again', 60_000);
  const balance = discord.slash(alice, channel, 'balance');
  await discord.until(() => discord.answerTo(balance)?.text.startsWith('You have'), 'the balance', 60_000);
  expect(discord.answerTo(balance)?.isEphemeral).toBe(true);
  expect(logged.join('\n')).not.toContain(discord.token);
  for (const { token } of discord.interactions()) expect(logged.join('\n')).not.toContain(token);
});
