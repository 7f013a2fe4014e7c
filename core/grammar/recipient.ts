import { AppError } from '../errors.ts';
import { addressFamily } from '../networks.ts';
import { findPlatform, platformRow, recognisePlatform, type Platform } from '../platforms/platforms.ts';
import { findPostLink, findProfileLink, platformOfHost } from '../platforms/profile-link.ts';
import { recipientName } from '../platforms/recipient-name.ts';
import { parseRecipient, type Recipient } from '../platforms/recipient.ts';
import { reasonAgainst, type NameReason } from './name-reason.ts';
import type { Rates } from './rates.ts';
import { isMailHost, meantMailHost } from './words/near.ts';

/** The platform's id, and the name that people see there. */
export type Named = { id: string; name: string };

/** What the place of a command adds to its meaning. */
export type GrammarContext = {
  /** The platform of a name without a prefix, on transports that have names themselves (Telegram). */
  bareNames?: Platform;
  /** Who has typed it, on platforms that have names themselves. */
  asker?: Recipient;
  /** The author of the message that the command replies to. */
  repliesTo?: Recipient;
  /** The platform's id of that message. */
  repliesToMessageId?: string;
  /** What other money is worth; absent: nothing is known of it. */
  rates?: Rates;
  /** Named accounts that the platform marks as bots, by user id: `discord:17`. */
  bots?: readonly string[];
  /** People named by a native mention, by user id: `discord:17`. */
  people?: readonly Named[];
  /** Named roles, by the platform's own ids; in the text they are `<@&17>`. */
  roles?: readonly Named[];
};

export type NameMistake =
  | 'which_network'
  | 'unknown_network'
  | 'bad_recipient'
  | 'wallet_address'
  | 'phone_number'
  | 'bank_account'
  | 'platform_domain'
  /** A link to a page that anyone may have written, in a place whose owner is known. */
  | 'post_of_owner'
  | 'post_without_author'
  | 'mail_domain';

export type WrongName = {
  kind: 'mistake';
  code: NameMistake;
  found: string;
  reason?: NameReason;
  /** Names that may have been meant, likeliest first. */
  instead?: readonly string[];
};

export type RecipientReading =
  | { kind: 'recipient'; recipient: Recipient }
  | WrongName
  /** A word that names nobody. */
  | { kind: 'word' };

const PREFIXED = /^@?([A-Za-z]+)[:/]@?([^/].*)$/;
/** Both sides look like words: a name on a platform that we do not know, not a smiley or a time of day. */
const UNKNOWN_PREFIX = /^@?(?=[\p{N}_-]*\p{L})[\p{L}\p{N}_-]+[:/]@?[\p{L}\p{N}._-]+$/u;
const PHONE = /^(?:(?:\+|00)[0-9][0-9().-]{5,}|0[0-9]{1,4}-[0-9]{1,4}-[0-9]{3,4}|0[1-9][0-9]{7,10})$/;
/** An address of Solana in all but its sum of digits, of Bitcoin or of Tron. */
const LIKE_WALLET =
  /^(?=.*[0-9])(?=.*[a-z])(?=.*[A-Z])(?:[1-9A-HJ-NP-Za-km-z]{40,44}|[T13][1-9A-HJ-NP-Za-km-z]{33})$|^bc1[a-z0-9]{20,}$/;
const EVM_ADDRESS = /^0x[0-9a-f]{6,}/i;
/** A page without its scheme. */
const PAGE = /^(?:[a-z0-9-]+\.)+[a-z]{2,}\/\S/i;
const SHARED_NAME = /^@[^@\s]+@[^@\s]+$/;
/** Sites where people have names whose owners we cannot find. Nobody means the site itself. */
// prettier-ignore
const OTHER_SITES = [
  'youtube.com', 'youtu.be', 'facebook.com', 'fb.com', 'linkedin.com', 'tiktok.com', 'reddit.com', 'threads.net',
  'threads.com', 'bsky.app', 'bsky.social', 'mastodon.social', 'twitch.tv', 'patreon.com', 'pinterest.com',
  'snapchat.com', 'wa.me', 'whatsapp.com', 'paypal.me', 'paypal.com', 'venmo.com', 'cash.app',
];

/** Reads one word as a recipient: `x:alice`, `@x/alice`, a link to a profile or a post, an e-mail address, a domain. */
export function readRecipient(word: string, context: GrammarContext): RecipientReading {
  // This only tells the forms apart; `parseRecipient` finds what is wrong inside a name.
  const text = cleanWord(word.normalize('NFKC'));
  if (EVM_ADDRESS.test(text) || addressFamily(text) === 'svm' || LIKE_WALLET.test(text))
    return wrong('wallet_address', text);
  if (PHONE.test(text)) return wrong('phone_number', text);
  const [, prefix = '', name = ''] = PREFIXED.exec(text) ?? [];
  const platform = findPlatform(prefix);
  if (platform && isAsWritten(platform, prefix)) return parse(platform, name, word);
  if (platform) return readRecognised(platform, cleanWord(name), word);
  const profile = findProfileLink(text);
  if (profile) return parse(profile.platform, profile.receiver, word);
  const post = readPost(text, word);
  if (post) return post;
  const [, someone = '', place = ''] = /^@?([^@\s]+)@([A-Za-z]+)$/.exec(text) ?? [];
  if (findPlatform(place)) return wrong('which_network', word, namesOn(findPlatform(place), someone));
  const recognised = recognisePlatform(text) ?? (PAGE.test(text) ? 'web' : null);
  if (recognised) return readRecognised(recognised, text, word);
  if (SHARED_NAME.test(text)) return wrong('unknown_network', word);
  if (/^@[^@]/.test(text)) return readBareName(text, word, context);
  if (UNKNOWN_PREFIX.test(text)) return wrong('unknown_network', word);
  return { kind: 'word' };
}

/** Our own questions about a mistyped domain are answered with `mail:`; people type `email:` of their own accord. */
const isAsWritten = (platform: Platform, prefix: string): boolean =>
  platformRow(platform).findAddress === undefined || prefix.toLowerCase() === 'mail';

/** Strips the brackets and marks that people and chat programs put around a name in a list or a sentence. */
export function cleanWord(word: string): string {
  return word.replace(/^<(.+)>$/, '$1').replace(/(?<![.,;:!?。、])[.,;:!?。、]+$/, '');
}

function readPost(text: string, word: string): RecipientReading | null {
  const post = findPostLink(text);
  if (post === null) return null;
  if (post.receiver === null) return wrong('post_without_author', word);
  if (post.by === 'author') return parse(post.platform, post.receiver, word);
  return wrong('post_of_owner', word, namesOn(post.platform, post.receiver));
}

/** The name on that platform, if it can exist there. */
function namesOn(platform: Platform | null, name: string): string[] {
  const reading = platform === null ? null : parse(platform, name, name);
  return reading?.kind === 'recipient' ? [recipientName(reading.recipient)] : [];
}

/** An address or a domain. With `mail:` or `web:` before it, it is taken as it is written. */
function readRecognised(platform: Platform, text: string, word: string): RecipientReading {
  const reading = parse(platform, text, word);
  const { findAddress } = platformRow(platform);
  if (findAddress === undefined) return readSite(text, word) ?? reading;
  const at = text.lastIndexOf('@');
  const meant = meantMailHost(text.slice(at + 1));
  if (meant === null) return reading;
  const kept = reading.kind === 'recipient' ? [`mail:${reading.recipient.key}`] : [];
  return wrong('mail_domain', word, [...namesOn(platform, `${text.slice(0, at)}@${meant}`), ...kept]);
}

function readSite(text: string, word: string): RecipientReading | null {
  const [, host = ''] = /^(?:https?:\/\/)?([^/?#:]+)/i.exec(text) ?? [];
  if (platformOfHost(host) !== null || isMailHost(host)) return wrong('platform_domain', word);
  const isOther = OTHER_SITES.some((site) => host.toLowerCase() === site || host.toLowerCase().endsWith(`.${site}`));
  if (isOther) return wrong('unknown_network', word);
  const reading = parse('web', text, word);
  const instead = reading.kind === 'mistake' ? namesOn('web', host) : [];
  return reading.kind === 'mistake' && instead.length > 0 ? { ...reading, instead } : null;
}

function readBareName(text: string, word: string, context: GrammarContext): RecipientReading {
  if (context.bareNames) return parse(context.bareNames, text, word);
  return wrong('which_network', word);
}

function wrong(code: NameMistake, found: string, instead: readonly string[] = []): WrongName {
  return { kind: 'mistake', code, found, ...(instead.length === 0 ? {} : { instead }) };
}

function parse(platform: Platform, receiver: string, word: string): RecipientReading {
  try {
    return { kind: 'recipient', recipient: parseRecipient(platform, receiver) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { kind: 'mistake', code: 'bad_recipient', found: word, reason: reasonAgainst(platform, receiver) };
  }
}
