import { AppError, ERRORS } from '../errors.ts';
import { findPlatform, recognisePlatform, type Platform } from '../platforms/platforms.ts';
import { findProfileLink } from '../platforms/profile-link.ts';
import { parseRecipient, type Recipient } from '../platforms/recipient.ts';

/** The platform's id, and the name that people see there. */
export type Named = { id: string; name: string };

/** What the place of a command adds to its meaning. */
export type GrammarContext = {
  /** The platform of a name without a prefix, on transports that have names themselves (Telegram). */
  bareNames?: Platform;
  /** The author of the message that the command replies to. */
  repliesTo?: Recipient;
  /** The platform's id of that message. */
  repliesToMessageId?: string;
  /** Named accounts that the platform marks as bots, by user id: `discord:17`. */
  bots?: readonly string[];
  /** People named by a native mention, by user id: `discord:17`. */
  people?: readonly Named[];
  /** Named roles, by the platform's own ids; in the text they are `<@&17>`. */
  roles?: readonly Named[];
};

export type NameMistake = 'which_network' | 'unknown_network' | 'bad_recipient';

export type RecipientReading =
  | { kind: 'recipient'; recipient: Recipient }
  | { kind: 'mistake'; code: NameMistake; found: string; detail?: string }
  /** A word that names nobody. */
  | { kind: 'word' };

const PREFIXED = /^@?([A-Za-z]+)[:/]@?([^/].*)$/;
/** Both sides look like words: a name on a platform that we do not know, not a smiley or a time of day. */
const UNKNOWN_PREFIX = /^@?[\p{L}\p{N}_-]*\p{L}[\p{L}\p{N}_-]*[:/]@?[\p{L}\p{N}._-]+$/u;

/** Reads one word as a recipient: `x:alice`, `@x/alice`, a profile link, an e-mail address, a domain. */
export function readRecipient(word: string, context: GrammarContext): RecipientReading {
  // This only tells the forms apart; `parseRecipient` finds what is wrong inside a name.
  const text = cleanWord(word.normalize('NFKC'));
  const [, prefix = '', name = ''] = PREFIXED.exec(text) ?? [];
  const platform = findPlatform(prefix);
  if (platform) return parse(platform, name, word);
  const profile = findProfileLink(text);
  if (profile) return parse(profile.platform, profile.receiver, word);
  const recognised = recognisePlatform(text);
  if (recognised) return parse(recognised, text, word);
  if (/^@[^@]/.test(text)) return readBareName(text, word, context);
  if (UNKNOWN_PREFIX.test(text)) return { kind: 'mistake', code: 'unknown_network', found: word };
  return { kind: 'word' };
}

/** Strips the brackets and commas that people and chat programs put around a name in a list. */
export function cleanWord(word: string): string {
  return word.replace(/^<(.+)>$/, '$1').replace(/[,;]+$/, '');
}

function readBareName(text: string, word: string, context: GrammarContext): RecipientReading {
  if (context.bareNames) return parse(context.bareNames, text, word);
  return { kind: 'mistake', code: 'which_network', found: word };
}

function parse(platform: Platform, receiver: string, word: string): RecipientReading {
  try {
    return { kind: 'recipient', recipient: parseRecipient(platform, receiver) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return {
      kind: 'mistake',
      code: 'bad_recipient',
      found: word,
      detail: error.context.detail ?? ERRORS[error.code].detail,
    };
  }
}
