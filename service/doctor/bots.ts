import { inviteUrl } from '../../core/discord/rights.ts';
import { fine, looking, note, wrong, type Finding } from './finding.ts';
import type { BotAsks, DiscordApplication, DiscordServer, TelegramBot, TelegramGroup, World } from './world.ts';

type Asked = Pick<World, 'config'> & { asks: BotAsks };

/**
 * Whether the bots are let in, and may do what their commands need. What strangers have set in a group or server of theirs
 * is a note: it must not keep this service from starting.
 */
export async function checkBots(world: Asked): Promise<Finding[]> {
  return [await checkTelegram(world), await checkDiscord(world)].flat();
}

async function checkTelegram(world: Asked): Promise<readonly Finding[]> {
  const { config, asks } = world;
  if (config.telegram === undefined) return [];
  const cure = 'ask @BotFather for the token again and set TELEGRAM_TOKEN';
  const own = await looking('Telegram', cure, async () => {
    const bot = await asks.telegramBot();
    return [fine('Telegram', `the bot is @${bot.username}`), ...botFindings(bot)];
  });
  if (own[0]?.state === 'wrong') return own;
  const groups = await looking('Telegram', 'check that the database and Telegram answer this computer', async () =>
    groupFindings(await asks.telegramGroups()),
  );
  return [...own, ...groups, ...(await checkAlertChat(world, 'telegram'))];
}

function botFindings({ username, mayJoinGroups, readsAllMessages }: TelegramBot): Finding[] {
  const closed = wrong(
    'Telegram',
    `@${username} may not be added to groups`,
    'send /setjoingroups to @BotFather and choose Enable',
  );
  const open = note(
    'Telegram',
    `every message of its groups is sent to @${username}, which needs commands and replies only`,
    'send /setprivacy to @BotFather and choose Enable',
  );
  return [...(mayJoinGroups ? [] : [closed]), ...(readsAllMessages ? [open] : [])];
}

function groupFindings(groups: readonly TelegramGroup[]): Finding[] {
  const silent = groups.filter(({ mayWrite }) => !mayWrite).length;
  const plain = groups.filter(({ isAdmin, mayWrite }) => mayWrite && !isAdmin).length;
  const of = (count: number) => `in ${count} of the ${groups.length} groups that used it last the bot`;
  return [
    ...(silent === 0
      ? []
      : [note('Telegram', `${of(silent)} may not write`, 'their moderators let it write, or add it again')]),
    ...(plain === 0
      ? []
      : [
          note(
            'Telegram',
            `${of(plain)} is no admin: drops reach nobody there, and private answers are not kept in the group`,
            'their moderators make it an admin; it needs none of the rights of one',
          ),
        ]),
  ];
}

async function checkDiscord(world: Asked): Promise<readonly Finding[]> {
  const { config, asks } = world;
  const { discord } = config;
  if (discord === undefined) return [];
  const cure = 'copy token and application id of the same application from its pages at Discord';
  const own = await looking('Discord', cure, async () => {
    const found = await asks.discordApplication();
    if (found.id === discord.appId)
      return [fine('Discord', `the application is ${found.id}`), ...applicationFindings(found)];
    return wrong('Discord', `DISCORD_TOKEN belongs to application ${found.id}, not to DISCORD_APP_ID`, cure);
  });
  if (own[0]?.state === 'wrong') return own;
  const servers = await looking('Discord', 'check that Discord answers this computer', async () =>
    serverFindings(await asks.discordServers(), discord.appId ?? ''),
  );
  return [...own, ...servers, ...(await checkAlertChat(world, 'discord'))];
}

function applicationFindings({
  isPublic,
  needsCodeGrant,
  isForServers,
  privileges,
}: DiscordApplication): readonly Finding[] {
  const closed = wrong(
    'Discord',
    'an invitation of the bot needs a code grant, so nobody can add it',
    'on the page Bot of the application switch off Requires OAuth2 Code Grant',
  );
  const elsewhere = wrong(
    'Discord',
    'the application is for people only, so no server can add it',
    'on the page Installation of the application tick Guild Install',
  );
  const own = note(
    'Discord',
    'only you can add the bot to a server',
    'right if it is for your own servers; else switch on Public Bot on the page Bot of the application',
  );
  const more = note(
    'Discord',
    `the bot may read more than it needs: ${privileges.join(', ')}`,
    'switch that off on the page Bot of the application',
  );
  return [
    ...(needsCodeGrant ? [closed] : []),
    ...(isForServers ? [] : [elsewhere]),
    ...(isPublic ? [] : [own]),
    ...(privileges.length === 0 ? [] : [more]),
  ];
}

const SHOWN_MAX = 3;

function serverFindings(servers: readonly DiscordServer[], applicationId: string): Finding[] {
  const short = servers.filter(({ missing }) => missing.length > 0);
  if (short.length === 0) return [];
  const names = short.slice(0, SHOWN_MAX).map(({ id, missing }) => `${id} (${missing.join(', ')})`);
  const text = `in ${short.length} of ${servers.length} servers the bot lacks rights: ${names.join('; ')}`;
  const more = short.length > SHOWN_MAX ? ' and others' : '';
  return [note('Discord', `${text}${more}`, `invite it again: ${inviteUrl(applicationId)}`)];
}

/** A bot may not write to an account that has never met it. */
async function checkAlertChat({ config, asks }: Asked, platform: string): Promise<readonly Finding[]> {
  const { chat } = config.alerts;
  if (chat?.startsWith(`${platform}:`) !== true) return [];
  const cure = 'open the bot in that chat and write to it once, from the account whose number ALERT_CHAT has';
  return looking('alerts', cure, async () =>
    (await asks.knowsAlertChat()) ? [] : wrong('alerts', `the bot does not know ${chat}`, cure),
  );
}
