/** The doctor's look at the bots, asked of strict servers: what each platform says there is what it would say of a real one. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GatewayIntentBits } from 'discord-api-types/v10';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parseConfig } from '../../../core/config/config.ts';
import { rightsMissing } from '../../../core/discord/rights.ts';
import { lastSeenCommunities } from '../../../db/communities/last-seen.ts';
import { askBots } from '../../../service/doctor/bot-asks.ts';
import { checkBots } from '../../../service/doctor/bots.ts';
import { findingLines } from '../../../service/doctor/finding.ts';
import { openDiscord } from '../../fakes/discord/bot.ts';
import { startFakeTelegram, type FakeTelegramOptions } from '../../fakes/telegram/start.ts';
import { openMigrated } from '../../support/databases/migrated.ts';

/** What the doctor says of them, a text for each finding with its cure. */
async function told(env: Record<string, string>, groups: readonly number[] = []): Promise<string[]> {
  const config = parseConfig(env);
  const asks = askBots(config, async () => groups.map(String));
  const found = await checkBots({ config, asks });
  return found.map((one) => findingLines([one]).join(' ').replace(/\s+/g, ' '));
}

describe('of Telegram', () => {
  async function open(options: FakeTelegramOptions = {}) {
    const telegram = await startFakeTelegram(options);
    onTestFinished(telegram.close);
    return { telegram, env: { TELEGRAM_TOKEN: telegram.token, TELEGRAM_API_URL: telegram.url } };
  }
  const SOUND = 'ok Telegram the bot is @test_bot';

  test('a bot as it comes from @BotFather is fine, in groups where it is an admin', async () => {
    const { telegram, env } = await open();
    const group = telegram.createGroup({ bot: 'administrator' });
    expect(await told(env, [group.id])).toEqual([SOUND]);
    expect(telegram.refused()).toEqual([]);
  });

  test('a bot that may not be added to groups is wrong', async () => {
    const { telegram, env } = await open();
    telegram.bot.can_join_groups = false;
    expect(await told(env)).toEqual([
      SOUND,
      'WRONG Telegram @test_bot may not be added to groups -> send /setjoingroups to @BotFather and choose Enable',
    ]);
  });

  test('a bot to which every message is sent is told', async () => {
    const { env } = await open({ privacyMode: false });
    const [, open1] = await told(env);
    expect(open1).toContain('note Telegram every message of its groups is sent to @test_bot');
    expect(open1).toContain('/setprivacy');
  });

  test('groups where it is no admin, may not write, or is no more are counted, and keep nothing from starting', async () => {
    const { telegram, env } = await open();
    const [plain, mute, left] = [
      telegram.createGroup(),
      telegram.createGroup({ membersMayWrite: false }),
      telegram.createGroup({ bot: 'absent' }),
    ];
    const group = telegram.createGroup({ bot: 'administrator', membersMayWrite: false });
    const [, silent, member, ...others] = await told(env, [plain.id, mute.id, left.id, group.id]);
    expect(silent).toMatch(/^note .* in 2 of the 4 groups .* may not write -> their moderators let it write/);
    expect(member).toMatch(
      /^note .* in 1 of the 4 groups .* is no admin: drops reach nobody there.* -> their moderators/,
    );
    expect(others).toEqual([]);
  });

  test('an account that has never written to the bot is wrong as ALERT_CHAT, and one that has is fine', async () => {
    const { telegram, env } = await open();
    const operator = telegram.createUser({ started: false });
    const alerts = { ...env, ALERT_CHAT: `telegram:${operator.id}` };
    expect(await told(alerts)).toEqual([
      SOUND,
      expect.stringMatching(/^WRONG alerts the bot does not know telegram:.*write to it once/),
    ]);
    telegram.start(operator);
    expect(await told(alerts)).toEqual([SOUND]);
  });

  test('a refused token is the only thing that is told', async () => {
    const { env } = await open();
    const lines = await told({ ...env, TELEGRAM_TOKEN: '7000000001:AAwrong', ALERT_CHAT: 'telegram:7' });
    expect(lines).toEqual([
      expect.stringMatching(/^WRONG Telegram no usable answer: the server answers 401 -> ask @BotFather/),
    ]);
  });

  test('the groups that are asked about are those that used the bot last', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'pennypost-groups-'));
    const store = await openMigrated({ kind: 'sqlite', path: join(dir, 'test.sqlite') });
    onTestFinished(async () => {
      await store.close();
      rmSync(dir, { recursive: true });
    });
    const seen = [
      ['telegram', '-1', 5],
      ['telegram', '-2', 9],
      ['telegram', '-1', 7],
      ['telegram', '-3', 1],
      ['discord', '4', 99],
    ] as const;
    const rows = seen.map(([transport, communityId, seenAtMs], index) => {
      const person = { userId: `telegram:${index}`, username: null, isBot: false };
      return { transport, communityId, ...person, firstSeenAtMs: seenAtMs, seenAtMs };
    });
    await store.tx((db) => db.insert(store.tables.communityPeople).values(rows));
    expect(await lastSeenCommunities(store, 'telegram', 2)).toEqual(['-2', '-1']);
  });
});

describe('of Discord', () => {
  async function open(chosen: Parameters<typeof openDiscord>[0] = {}) {
    const discord = await openDiscord(chosen);
    const { token, applicationId, apiUrl } = discord;
    return { discord, env: { DISCORD_TOKEN: token, DISCORD_APP_ID: applicationId, DISCORD_API_URL: apiUrl } };
  }
  const sound = (id: string) => `ok Discord the application is ${id}`;
  const application = { isPublic: true, needsCodeGrant: false, installs: ['0', '1'] } as const;

  test('an application as the portal makes it is fine, in servers that invited it by the link', async () => {
    const { discord, env } = await open();
    discord.guild();
    expect(await told(env)).toEqual([sound(discord.applicationId)]);
    expect(discord.refusals()).toEqual([]);
  });

  test.each([
    [
      'that asks for a code grant',
      { ...application, needsCodeGrant: true },
      'WRONG',
      'switch off Requires OAuth2 Code Grant',
    ],
    ['that no server can install', { ...application, installs: ['1'] }, 'WRONG', 'tick Guild Install'],
    ['that only its owner can add', { ...application, isPublic: false }, 'note', 'switch on Public Bot'],
  ] as const)('one %s is told', async (_which, chosen, sign, cure) => {
    const { discord, env } = await open({ application: chosen });
    const [first, second, ...others] = await told(env);
    expect([first, others]).toEqual([sound(discord.applicationId), []]);
    expect(second).toMatch(new RegExp(`^${sign} .* -> .*${cure}`));
  });

  test('privileged intents that the bot does not need are told', async () => {
    const { env } = await open({
      privilegedIntents: GatewayIntentBits.MessageContent | GatewayIntentBits.GuildMembers,
    });
    const [, more] = await told(env);
    expect(more).toMatch(
      /^note .* more than it needs: Server Members Intent, Message Content Intent -> switch that off/,
    );
  });

  test('servers in which the bot lacks rights are told with the invitation, and keep nothing from starting', async () => {
    const { discord, env } = await open();
    const guild = discord.guild();
    discord.guild();
    const everyone = guild.roles.get(guild.id);
    if (everyone) everyone.permissions = discord.permissions.ViewChannel;
    const [, short, ...others] = await told(env);
    expect(short).toContain(
      `note Discord in 1 of 2 servers the bot lacks rights: ${guild.id} (Send Messages, Read Message History)`,
    );
    expect(short).toContain(`client_id=${discord.applicationId}&scope=bot+applications.commands&permissions=68608`);
    expect(others).toEqual([]);
    // What the invitation asks for is enough.
    expect([rightsMissing(68_608n), rightsMissing(discord.permissions.Administrator)]).toEqual([[], []]);
  });

  test('an account that Discord does not have is wrong as ALERT_CHAT', async () => {
    const { discord, env } = await open();
    const operator = discord.user('operator');
    expect(await told({ ...env, ALERT_CHAT: `discord:${operator.id}` })).toEqual([sound(discord.applicationId)]);
    expect(await told({ ...env, ALERT_CHAT: 'discord:123456789012345678' })).toEqual([
      sound(discord.applicationId),
      expect.stringMatching(/^WRONG alerts the bot does not know discord:123456789012345678/),
    ]);
  });
});
