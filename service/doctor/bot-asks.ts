/** What Telegram and Discord say of our bots. It only asks: nothing is sent, and nothing is registered. */
import { z } from 'zod';
import type { Config } from '../../core/config/config.ts';
import { privilegesOf, rightsMissing } from '../../core/discord/rights.ts';
import type { BotAsks, TelegramGroup } from './world.ts';

const TIMEOUT_MS = 8_000;
const TELEGRAM_URL = 'https://api.telegram.org';
const DISCORD_URL = 'https://discord.com/api';

const me = z.looseObject({
  id: z.int(),
  username: z.string(),
  can_join_groups: z.boolean(),
  can_read_all_group_messages: z.boolean(),
});
const chat = z.looseObject({ permissions: z.looseObject({ can_send_messages: z.boolean().optional() }).optional() });
const member = z.looseObject({ status: z.string(), can_send_messages: z.boolean().optional() });
const bits = z.union([z.int().nonnegative(), z.string().regex(/^[0-9]{1,30}$/)]).transform((value) => BigInt(value));
const application = z.looseObject({
  id: z.string(),
  bot_public: z.boolean().optional(),
  bot_require_code_grant: z.boolean().optional(),
  flags: bits.optional(),
  integration_types_config: z.record(z.string(), z.unknown()).nullish(),
});
const servers = z.array(z.looseObject({ id: z.string(), permissions: bits })).max(200);

/** `groups`: ids of those to be asked about. */
export function askBots(config: Config, groups: () => Promise<readonly string[]>): BotAsks {
  const telegram = askTelegram(config);
  const discord = askDiscord(config);
  return {
    telegramBot: async () => {
      const bot = me.parse(await telegram('getMe'));
      return {
        username: bot.username,
        mayJoinGroups: bot.can_join_groups,
        readsAllMessages: bot.can_read_all_group_messages,
      };
    },
    telegramGroups: async () => {
      const { id } = me.parse(await telegram('getMe'));
      const found: TelegramGroup[] = [];
      for (const group of await groups()) found.push(await askGroup(telegram, group, id));
      return found;
    },
    discordApplication: async () => {
      const found = application.parse(await discord('/applications/@me'));
      const types = found.integration_types_config ?? null;
      return {
        id: found.id,
        isPublic: found.bot_public !== false,
        needsCodeGrant: found.bot_require_code_grant === true,
        // Applications that are older than the choice are for servers.
        isForServers: types === null || '0' in types,
        privileges: privilegesOf(found.flags ?? 0n),
      };
    },
    discordServers: async () => {
      const found = servers.parse(await discord('/users/@me/guilds'));
      return found.map(({ id, permissions }) => ({ id, missing: rightsMissing(permissions) }));
    },
    knowsAlertChat: async () => {
      const [transport = '', id = ''] = config.alerts.chat?.split(':') ?? [];
      const asks = new Map<string, () => Promise<unknown>>([
        ['telegram', () => telegram('getChat', { chat_id: id })],
        ['discord', () => discord(`/users/${id}`)],
      ]);
      const ask = asks.get(transport);
      if (ask === undefined) throw new Error(`${transport} is no chat of ours`);
      return ask().then(
        () => true,
        (error: unknown) => {
          if (error instanceof Refused && (error.status === 400 || error.status === 404)) return false;
          throw error;
        },
      );
    },
  };
}

type AskTelegram = (method: string, parameters?: Record<string, string>) => Promise<unknown>;

/** A group that the bot has left, or was thrown out of, takes nothing from it. */
async function askGroup(telegram: AskTelegram, group: string, botId: number): Promise<TelegramGroup> {
  try {
    const own = member.parse(await telegram('getChatMember', { chat_id: group, user_id: String(botId) }));
    const isAdmin = own.status === 'administrator' || own.status === 'creator';
    if (isAdmin) return { isAdmin, mayWrite: true };
    if (own.status !== 'member') return { isAdmin, mayWrite: own.can_send_messages === true };
    const { permissions } = chat.parse(await telegram('getChat', { chat_id: group }));
    return { isAdmin, mayWrite: permissions?.can_send_messages !== false };
  } catch (error) {
    if (error instanceof Refused && error.status < 500 && error.status !== 429)
      return { isAdmin: false, mayWrite: false };
    throw error;
  }
}

function askTelegram({ telegram }: Config): AskTelegram {
  const { token = '', apiUrl = TELEGRAM_URL } = telegram ?? {};
  return async (method, parameters = {}) => {
    const query = new URLSearchParams(parameters);
    const answer = await askJson(`${apiUrl.replace(/\/+$/, '')}/bot${token}/${method}?${query.toString()}`, {});
    return z.looseObject({ result: z.unknown() }).parse(answer).result;
  };
}

function askDiscord({ discord }: Config): (path: string) => Promise<unknown> {
  const { token = '', apiUrl = DISCORD_URL } = discord ?? {};
  return (path) => askJson(`${apiUrl.replace(/\/+$/, '')}/v10${path}`, { authorization: `Bot ${token}` });
}

class Refused extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`the server answers ${status}`);
    this.status = status;
  }
}

/** The address may hold a token, so no error names it. */
async function askJson(url: string, headers: Record<string, string>): Promise<unknown> {
  const answer = await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => {
    throw new Error('the server does not answer');
  });
  if (!answer.ok) throw new Refused(answer.status);
  return answer.json();
}
