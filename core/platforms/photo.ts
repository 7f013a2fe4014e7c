import { parsePlainName } from './parsed-name.ts';
import type { PlatformRow } from './row.ts';

export const photo = {
  title: 'Instagram',
  receiver: 'an Instagram name (1 to 30 letters, digits, underscores or single inner dots)',
  example: 'alice.smith',
  aliases: ['instagram', 'ig'],
  prefix: 'instagram',
  http: 'bot',
  mcp: false,
  a2a: true,
  chat: true,
  nameIsIdentity: false,
  parse: (text) => parsePlainName(text, /^[A-Za-z0-9._]$/, /^(?=.{1,30}$)[a-z0-9_]+(?:\.[a-z0-9_]+)*$/),
  profiles: {
    hosts: ['instagram.com'],
    under: '',
    deeper: 'author',
    notNames: ['about', 'accounts', 'direct', 'explore', 'p', 'reel', 'reels', 'stories', 'tv'],
  },
  peopleAreCalled: '@name on title',
  proof: { method: 'oauth', variables: 'INSTAGRAM' },
  toldBy: 'payer',
  addressLapses: false,
  keepsWallets: true,
} as const satisfies PlatformRow;
