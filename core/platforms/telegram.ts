import { isProblem, parsePlainName, type ParsedName } from './parsed-name.ts';
import type { PlatformRow } from './row.ts';

/** Ids have at most 52 significant bits (Telegram Bot API, type User). Groups are negative and are not people. */
const ID_MAX = 2n ** 52n - 1n;

export const telegram = {
  title: 'Telegram',
  receiver: 'a numeric Telegram user id or a Telegram name (4 to 32 letters, digits or underscores, a letter first)',
  example: '123456789',
  aliases: ['tg'],
  prefix: 'telegram',
  http: 'bot',
  mcp: false,
  a2a: false,
  chat: true,
  nameIsIdentity: false,
  isUserId,
  parse: parseTelegram,
  profiles: {
    hosts: ['t.me', 'telegram.me'],
    under: '',
    // prettier-ignore
    notNames: [
      'addemoji', 'addlist', 'addstickers', 'addtheme', 'boost', 'confirmphone', 'contact', 'invoice', 'joinchat', 'login',
      'proxy', 'setlanguage', 'share', 'socks',
    ],
  },
  // An id has no page.
  profileUrl: (key) => (isUserId(key) ? null : `https://t.me/${key}`),
  peopleAreCalled: 'as in a chat',
  proof: { method: 'chat' },
  toldBy: 'bot',
  addressLapses: false,
  keepsWallets: true,
} as const satisfies PlatformRow;

/** A numeric id, or a name until its id is known. A name starts with a letter, so the two cannot collide. */
function parseTelegram(text: string): ParsedName {
  if (!isUserId(text)) {
    // Names of five letters and more are free; names of four are sold.
    return parsePlainName(text, /^[A-Za-z0-9_]$/, /^(?=.{4,32}$)[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/);
  }
  const parsed = parsePlainName(text, /^[0-9]$/, /^[1-9][0-9]{0,15}$/);
  if (!isProblem(parsed) && BigInt(parsed.key) > ID_MAX) return { problem: 'is larger than any user id' };
  return parsed;
}

function isUserId(key: string): boolean {
  return /^[0-9]+$/.test(key);
}
