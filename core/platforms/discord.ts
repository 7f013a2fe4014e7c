import { isProblem, parsePlainName, type ParsedName } from './parsed-name.ts';
import type { PlatformRow } from './row.ts';

/** Ids are unsigned 64-bit integers (Discord API reference, "Snowflakes"). */
const ID_MAX = 2n ** 64n - 1n;

export const discord = {
  title: 'Discord',
  receiver: 'a numeric Discord user id',
  example: '175928847299117063',
  aliases: [],
  prefix: 'discord',
  http: 'bot',
  mcp: false,
  a2a: false,
  chat: true,
  nameIsIdentity: false,
  isUserId: () => true,
  sinceMsOf,
  parse: parseDiscord,
  profiles: { hosts: ['discord.com'], under: 'users', notNames: [] },
  peopleAreCalled: 'as in a chat',
  proof: { method: 'chat' },
  toldBy: 'bot',
  addressLapses: false,
  keepsWallets: true,
} as const satisfies PlatformRow;

/** An id begins with the milliseconds since the start of 2015 (Discord API reference, "Snowflakes"). */
function sinceMsOf(stableId: string): number {
  return Number(BigInt(stableId) >> 22n) + Date.UTC(2015, 0, 1);
}

/** A leading zero is refused: one person must not have two keys. */
function parseDiscord(text: string): ParsedName {
  const parsed = parsePlainName(text, /^[0-9]$/, /^[1-9][0-9]{0,19}$/);
  if (!isProblem(parsed) && BigInt(parsed.key) > ID_MAX) return { problem: 'is larger than any user id' };
  return parsed;
}
