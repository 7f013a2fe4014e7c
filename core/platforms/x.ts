import { parsePlainName } from './parsed-name.ts';
import type { PlatformRow } from './row.ts';

export const x = {
  title: 'X',
  receiver: 'an X handle (1 to 15 letters, digits or underscores)',
  example: 'alice',
  aliases: ['twitter'],
  prefix: 'x',
  http: 'public',
  mcp: true,
  a2a: true,
  chat: true,
  nameIsIdentity: false,
  parse: (text) => parsePlainName(text, /^[A-Za-z0-9_]$/, /^[a-z0-9_]{1,15}$/),
  profiles: {
    hosts: ['x.com', 'twitter.com'],
    under: '',
    deeper: 'author',
    // prettier-ignore
    notNames: [
      'about', 'compose', 'download', 'explore', 'hashtag', 'home', 'i', 'intent', 'jobs', 'login', 'logout', 'messages',
      'notifications', 'privacy', 'search', 'settings', 'share', 'signup', 'tos',
    ],
  },
  peopleAreCalled: '@name on title',
  proof: { method: 'oauth', variables: 'X' },
  toldBy: 'payer',
  addressLapses: false,
  keepsWallets: true,
} as const satisfies PlatformRow;
