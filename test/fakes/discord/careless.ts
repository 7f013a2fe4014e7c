import { z } from 'zod';
import { openDiscord } from './bot.ts';
import type { Discord } from './server.ts';

const answer = z.looseObject({ code: z.number().optional(), errors: z.unknown().optional() }).or(z.array(z.unknown()));

/** One request as a careless bot would send it. */
export async function call(
  discord: Discord,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
) {
  const response = await fetch(`${discord.apiUrl}/v10${path}`, {
    method,
    headers: { authorization: `Bot ${discord.token}`, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const reply = text === '' ? [] : answer.parse(JSON.parse(text));
  const { code, errors } = Array.isArray(reply) ? { code: undefined, errors: undefined } : reply;
  return { status: response.status, code, errors: JSON.stringify(errors ?? {}), body: reply };
}

export async function openPlace() {
  const discord = await openDiscord({ rateLimits: 'off' });
  const guild = discord.guild();
  const channel = discord.channel(guild);
  const [alice, bob] = [discord.user('alice'), discord.user('bob')];
  discord.join(guild, alice);
  discord.join(guild, bob);
  await call(discord, 'PUT', `/applications/${discord.applicationId}/commands`, [
    { name: 'ping', description: 'Pings' },
    {
      name: 'find',
      description: 'Finds',
      options: [{ type: 3, name: 'what', description: 'What', autocomplete: true }],
    },
  ]);
  return { discord, guild, channel, alice, bob };
}

/** Components in the form of the API. */
export const row = (...components: object[]) => ({ type: 1, components });
export const button = (changed: object = {}) => ({ type: 2, style: 1, label: 'OK', custom_id: 'ok', ...changed });
export const select = (changed: object = {}) => ({
  type: 3,
  custom_id: 's',
  options: [{ label: 'a', value: 'a' }],
  ...changed,
});
