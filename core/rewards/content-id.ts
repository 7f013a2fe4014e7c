import { quoteText } from '../characters.ts';
import { AppError } from '../errors.ts';
import { platformRow } from '../platforms/platforms.ts';
import { findProfileLink } from '../platforms/profile-link.ts';
import { parseRecipient } from '../platforms/recipient.ts';
import { REWARD_PLATFORM } from './engagement.ts';

/** A cast as the caller names it, with hexadecimal digits in lower case. */
export type ContentId =
  /** All 40 digits, without the author. */
  | { kind: 'hash'; hash: string }
  /** From the address of its page: the author's name, and 8 to 40 digits from the hash's beginning. */
  | { kind: 'page'; name: string; hashStart: string };

/** Longer than any address of a cast. */
const LENGTH_MAX = 300;

const WANTED =
  'wanted: the address of a cast, such as https://farcaster.xyz/alice/0x1a2b3c4d, or its hash (0x and 40 hexadecimal digits)';

/** Throws AppError `validation_failed` for everything else. `field` is the body key it names. */
export function parseContentId(text: string, field = 'content_id'): ContentId {
  const wanted = text.trim();
  const found = wanted.length > LENGTH_MAX ? null : (readHash(wanted) ?? readPage(wanted));
  if (found !== null) return found;
  throw new AppError('validation_failed', { field, detail: `${quoteText(text)} ${explain(wanted)}; ${WANTED}` });
}

function readHash(text: string): ContentId | null {
  return /^0x[0-9a-f]{40}$/i.test(text) ? { kind: 'hash', hash: text.toLowerCase() } : null;
}

/** `farcaster.xyz/alice/0x…`, with or without its scheme; `/~/conversations/0x…` has the whole hash and no author. */
function readPage(text: string): ContentId | null {
  const link = /^(?:https?:\/\/)?(?:www\.)?([a-z0-9.-]+)\/([^?#]*?)\/?(?:[?#].*)?$/i.exec(text);
  if (!isHost(link?.[1] ?? '')) return null;
  const [first = '', second = '', third = '', ...more] = (link?.[2] ?? '').split('/');
  if (more.length > 0) return null;
  if (first === '~') return second === 'conversations' ? readHash(third) : null;
  const name = readName(first);
  const isStart = /^0x[0-9a-f]{8,40}$/i.test(second) && third === '';
  return name !== null && isStart ? { kind: 'page', name, hashStart: second.toLowerCase() } : null;
}

function isHost(host: string): boolean {
  return platformRow(REWARD_PLATFORM).profiles.hosts.some((known) => known === host.toLowerCase());
}

function readName(text: string): string | null {
  try {
    return parseRecipient(REWARD_PLATFORM, text).key;
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

function explain(text: string): string {
  if (text === '') return 'is empty';
  if (/^0x[0-9a-f]*$/i.test(text)) return 'is not a whole hash';
  const link = findProfileLink(text);
  if (link?.platform === REWARD_PLATFORM) return 'is a profile, not a cast';
  const host = /^(?:https?:\/\/)?(?:www\.)?([a-z0-9.-]+\.[a-z]+)(?:\/|$)/i.exec(text)?.[1] ?? '';
  return host !== '' && !isHost(host) ? 'is not a post on Farcaster' : 'is not a cast';
}
