import { parsePlainName, type ParsedName } from './parsed-name.ts';
import type { PlatformRow } from './row.ts';

const FNAME = '[a-z0-9][a-z0-9-]{0,15}';
// The ASCII names that ENS normalisation (ENSIP-15) does not change: no hyphens in third and fourth place.
const ENS_LABEL = '(?!..--)[a-z0-9][a-z0-9-]{0,62}';
const NAME = new RegExp(`^(?:${FNAME}|(?:${ENS_LABEL}\\.){1,3}eth)$`);

export const decsocial = {
  title: 'Farcaster',
  receiver: 'a Farcaster name (1 to 16 letters, digits or hyphens, no hyphen first) or an ENS name that ends in .eth',
  example: 'alice',
  aliases: ['farcaster', 'fc', 'warpcast'],
  prefix: 'farcaster',
  http: 'public',
  mcp: true,
  a2a: true,
  chat: true,
  nameIsIdentity: false,
  parse: parseDecsocial,
  // An ENS name looks like a domain but is a name on Farcaster.
  recognises: (word) => /^[^@:/]+\.eth$/i.test(word),
  profiles: { hosts: ['farcaster.xyz', 'warpcast.com'], under: '', notNames: [], deeper: 'author' },
  peopleAreCalled: '@name on title',
  proof: { method: 'siwf' },
  toldBy: 'payer',
  addressLapses: false,
  keepsWallets: true,
} as const satisfies PlatformRow;

/** An fname (`alice`) or an ENS name (`alice.eth`, `alice.base.eth`). They can belong to different people. */
export function parseDecsocial(text: string): ParsedName {
  return parsePlainName(text, /^[A-Za-z0-9.-]$/, NAME);
}
