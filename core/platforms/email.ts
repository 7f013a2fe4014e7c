import { describeCharacter } from '../characters.ts';
import { parseHost } from './host.ts';
import { isProblem, type ParsedName, type Problem } from './parsed-name.ts';
import { NO_PROFILES, type PlatformRow } from './row.ts';

/** RFC 5321, 4.5.3.1 (with erratum 1690): what a mail server must be able to take. */
const ADDRESS_OCTETS_MAX = 254;
const LOCAL_PART_OCTETS_MAX = 64;

/** RFC 5322 "atext" without quotes of either kind, so that no address can close a string elsewhere. */
const LOCAL_CHARACTER = /^[A-Za-z0-9.!#$%&*+\-/=?^_{|}~]$/;

export const email = {
  title: 'E-mail',
  receiver: 'one e-mail address',
  example: 'alice@example.com',
  aliases: ['mail'],
  prefix: null,
  http: 'public',
  mcp: true,
  a2a: true,
  chat: true,
  nameIsIdentity: true,
  parse: parseEmail,
  recognises: (word) => /^[^@\s:/]+@[^@\s:/]+$/.test(word),
  findAddress: (text) => (text.includes('@') ? text.replace(/^mailto:/i, '') : null),
  mask: maskEmail,
  profiles: NO_PROFILES,
  nameIsCalled: 'e-mail address',
  peopleAreCalled: 'as in a chat',
  proof: { method: 'email' },
  toldBy: 'mail',
  addressLapses: true,
  keepsWallets: true,
} as const satisfies PlatformRow;

/**
 * One address. The key is lower case, with its domain as an A-label. Dots and +tags stay, because they can tell two
 * people apart.
 */
export function parseEmail(text: string): ParsedName {
  const at = text.lastIndexOf('@');
  if (at < 0) return { problem: 'has no "@"' };
  const local = text.slice(0, at);
  const problem = checkLocalPart(local);
  if (problem) return problem;
  const parsed = parseHost(text.slice(at + 1));
  if (isProblem(parsed)) return { ...parsed, problem: `has a wrong part after the "@": it ${parsed.problem}` };
  const key = `${local.toLowerCase()}@${parsed.host}`;
  // All is ASCII by now, so characters are octets.
  if (key.length > ADDRESS_OCTETS_MAX) return { problem: `is longer than ${ADDRESS_OCTETS_MAX} octets` };
  return { key, display: text };
}

function checkLocalPart(local: string): Problem | null {
  if (local === '') return { problem: 'has nothing before the "@"' };
  const stranger = Array.from(local).find((character) => !LOCAL_CHARACTER.test(character));
  if (stranger !== undefined) return { problem: `contains ${describeCharacter(stranger)}` };
  if (local.length > LOCAL_PART_OCTETS_MAX) {
    return { problem: `has more than ${LOCAL_PART_OCTETS_MAX} characters before the "@"` };
  }
  if (/^\.|\.$|\.\./.test(local)) return { problem: 'has a dot at the wrong place before the "@"' };
  return null;
}

/**
 * `a***@example.com`: for every place that others than the payer read. Takes a key; of anything that is not an address
 * nothing is shown.
 */
export function maskEmail(address: string): string {
  const at = address.lastIndexOf('@');
  return at < 1 ? '***' : `${address.slice(0, 1)}***${address.slice(at)}`;
}

/** The same for each address in a text. */
export function maskEmailsIn(text: string): string {
  return text.replace(/[^\s"'<>()[\],;:\\]+@[^\s"'<>()[\]{},;:|/\\]+/g, (address) => maskEmail(address));
}
