import { describeCharacter, findHidden, quoteText } from '../characters.ts';
import { AppError } from '../errors.ts';
import { findPlatform, PLATFORM_NAMES, platformRow, type Platform } from './platforms.ts';
import { isProblem, type ParsedName, type Problem } from './parsed-name.ts';
import { findPostLink, findProfileLink, platformOfHost, type ProfileLink } from './profile-link.ts';

/** `key` identifies (lower-case ASCII, unique on its platform); `display` is what the caller wrote. */
export type Recipient = { platform: Platform; key: string; display: string };

/** Longer than any valid receiver (an e-mail address in Unicode), and short enough to normalise safely. */
const RECEIVER_LENGTH_MAX = 512;

/**
 * Turns what the caller wrote into a recipient by syntax alone; resolving finds out whether the
 * name exists. `field` is the body key that an error names, such as `receivers[3].receiver`.
 * Throws AppError `invalid_receiver`, whose detail says what came and what to write instead.
 */
export function parseRecipient(platform: Platform, receiver: string, field = 'receiver'): Recipient {
  const { text, parsed } = read(platform, receiver);
  if (!isProblem(parsed)) return { platform, ...parsed };
  const meant = suggest(platform, text, parsed);
  const { receiver: wanted, example } = platformRow(platform);
  const advice = meant === null ? `wanted: ${wanted}, such as ${example}` : `${meant.verb} ${meant.suggestion}`;
  const detail = `${quoteText(text)} ${parsed.problem}; ${advice}`;
  throw new AppError('invalid_receiver', {
    field,
    detail,
    ...(meant === null ? {} : { suggestion: meant.suggestion }),
  });
}

/** `x:alice`: the recipient in logs, tables, and texts for the payer alone. */
export function formatRecipient(recipient: Pick<Recipient, 'platform' | 'key'>): string {
  return `${recipient.platform}:${recipient.key}`;
}

/** As `formatRecipient`, for every place that others read: masks private names. */
export function formatRecipientForOthers(recipient: Pick<Recipient, 'platform' | 'key'>): string {
  const { platform, key } = recipient;
  const { mask } = platformRow(platform);
  return formatRecipient({ platform, key: mask === undefined ? key : mask(key) });
}

function read(platform: Platform, receiver: string): { text: string; parsed: ParsedName } {
  if (receiver.length > RECEIVER_LENGTH_MAX) {
    return { text: receiver, parsed: { problem: `has more than ${RECEIVER_LENGTH_MAX} characters` } };
  }
  // NFKC first: it turns full-width letters and every kind of space into plain ones, and may lengthen the text.
  const text = receiver
    .normalize('NFKC')
    .replace(/^ +| +$/g, '')
    .replace(/^@/, '');
  if (text === '') return { text, parsed: { problem: 'is empty' } };
  const hidden = findHidden(text);
  if (hidden !== null) return { text, parsed: { problem: `contains ${describeCharacter(hidden)}` } };
  return { text, parsed: platformRow(platform).parse(text) };
}

type Suggestion = { verb: 'write' | 'use'; suggestion: string };

/** The name that was plainly meant; `code:octocat` where it is one of another platform. Null: that is not certain. */
function suggest(platform: Platform, text: string, { instead }: Problem): Suggestion | null {
  const meant = findMeant(text);
  if (meant?.platform === platform) return { verb: 'write', suggestion: meant.key };
  if (meant) return { verb: 'use', suggestion: formatRecipient(meant) };
  // The site of a platform belongs to none of the people who write there.
  if (instead === undefined || platformOfHost(instead) !== null) return null;
  return { verb: 'write', suggestion: instead };
}

/** Recognises a profile link, `github:octocat`, `mailto:` and a plain e-mail address, if it would then pass. */
function findMeant(text: string): Recipient | null {
  if (text.length > RECEIVER_LENGTH_MAX || findHidden(text) !== null) return null;
  const meant = findProfileLink(text) ?? findAuthor(text) ?? findPrefixed(text) ?? findAddress(text);
  if (!meant) return null;
  const { parsed } = read(meant.platform, meant.receiver);
  return isProblem(parsed) ? null : { platform: meant.platform, ...parsed };
}

/** Of a link to a post, if the link says who wrote it. */
function findAuthor(text: string): ProfileLink | null {
  const post = findPostLink(text);
  return post?.by === 'author' && post.receiver !== null ? { platform: post.platform, receiver: post.receiver } : null;
}

function findPrefixed(text: string): ProfileLink | null {
  const [, prefix = '', receiver = ''] = /^([A-Za-z]+)[:/]([^/].*)$/.exec(text) ?? [];
  const platform = findPlatform(prefix);
  return platform && { platform, receiver };
}

/** The platform and receiver of a text that is plainly an address of one platform. */
export function findAddress(text: string): ProfileLink | null {
  for (const platform of PLATFORM_NAMES) {
    const receiver = platformRow(platform).findAddress?.(text) ?? null;
    if (receiver !== null) return { platform, receiver };
  }
  return null;
}
