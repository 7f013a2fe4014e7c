import { recipientName } from '../../platforms/recipient-name.ts';
import { findPlatform, PLATFORM_NAMES, platformRow, type Platform } from '../../platforms/platforms.ts';
import { readRecipient } from '../recipient.ts';
import { CENTS, DOLLARS, NO_NAMES, NUMBERS, OTHER_MONEY, SCALES } from '../words/vocabulary.ts';
import { FILLING } from './filling.ts';
import { NOBODY } from './phrases.ts';
import type { Pieces } from './pieces.ts';

/** Other words for platforms, as far as people have handles there. */
const ALSO: Readonly<Record<string, Platform>> = {
  insta: 'photo',
  fname: 'decsocial',
  'x.com': 'x',
  'twitter.com': 'x',
  'github.com': 'code',
  'warpcast.com': 'decsocial',
};
const WITH_HANDLES = PLATFORM_NAMES.filter((name) => !platformRow(name).nameIsIdentity);
const PLACES: ReadonlyMap<string, Platform> = new Map([
  ...WITH_HANDLES.flatMap((name) =>
    // Not our own names for them: `for code review` names nobody.
    [platformRow(name).title.toLowerCase(), ...platformRow(name).aliases].map((word) => [word, name] as const),
  ),
  ...Object.entries(ALSO),
]);
const P = `(?:${Array.from(PLACES.keys(), (word) => word.replaceAll('.', '\\.'))
  .toSorted((a, b) => b.length - a.length)
  .join('|')})`;
const H = '(?!and\\b)"?@?[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,37}[A-Za-z0-9_])?"?';
const LIST_OF_MORE = `${H}(?:(?:\\s*,\\s*(?:and\\s+)?|\\s+and\\s+|\\s*&\\s*)${H})+`;
const START = '(?<![\\w@:/.-])';
/** A name ends here, so that none is cut in two. */
const BOUND = '(?=[,;!?)]*[.:]*(?:\\s|⟦|$))';
const END = `${BOUND}(?=[,.;:!?)]|\\s*(?:[\\n⟦(]|$|(?:gets?|should|shall|each|apiece|receives?|on|over|via|for|because|please|pls|thanks|and\\s+(?:the\\s+)?${P}\\b|[$\\d])))`;
const KIND =
  '(?:users?|accounts?|handles?|profiles?|people|usernames?|names?|members?|contributors?|maintainers?|artists?)';

/** Whether a name stands there without any word that makes it one. */
type Bareness = boolean | 'as a handle';
type Form = readonly [
  RegExp,
  (found: readonly (string | undefined)[]) => {
    place: string;
    names: string;
    isBare?: Bareness;
    count?: number | undefined;
  },
];
const FORMS: readonly Form[] = [
  // `@a, @b and @c, all on X`
  [
    new RegExp(
      `${START}(${LIST_OF_MORE}),?\\s+\\(?(all|both)(?:\\s+(?:(two|three|four|five|six)|of (?:them|whom)))?(?:\\s+are)?(?:\\s+on)?\\s+(${P})(?![\\w.@:/-])\\)?`,
      'gi',
    ),
    ([, names = '', both = '', word = '', place = '']) => ({
      place,
      names,
      count: countOf(both, word),
    }),
  ],
  // `alice (GitHub)`, `alice on X`
  [
    new RegExp(
      `${START}(${H})(?:\\s+(on|over at|at)\\s+(?:the\\s+)?(${P})|\\s*\\(\\s*(?:on\\s+)?(${P})\\s*\\))(?![\\w@/-]|[.:]\\S)`,
      'gi',
    ),
    ([, names = '', where, place, other = '']) => ({
      place: place ?? other,
      names,
      // `dinner at X`.
      isBare: where?.toLowerCase() === 'at' && 'as a handle',
    }),
  ],
  // `GitHub users a, b and c`, `the fnames: a, b`
  [
    new RegExp(
      `${START}(${P})(?:\\s+(?:users|accounts|handles|people|usernames|names|members|contributors|maintainers|artists)|s)(?:\\s*⟦w\\d+⟧)?\\s*:?\\s+(?:named\\s+|called\\s+)?(${LIST_OF_MORE})${END}`,
      'gi',
    ),
    ([, place = '', names = '']) => ({ place, names }),
  ],
  // `X account "alice"`, `the X user named alice`, `IG: alice`, `GitHub / alice`
  [
    new RegExp(
      `${START}(?:the\\s+)?(${P})(?:\\s+${KIND})?(?:\\s+(?=["@])|\\s*[:/]\\s*|\\s+(?:named|called):?\\s+)(${H})${BOUND}`,
      'gi',
    ),
    ([, place = '', names = '']) => ({ place, names }),
  ],
  // `GitHub's ivory-tower`
  [
    new RegExp(`${START}(${P})'s\\s+(${H})${END}`, 'gi'),
    ([, place = '', names = '']) => ({ place, names, isBare: 'as a handle' }),
  ],
  // `GitHub user alice`, `farcaster alice`
  [
    new RegExp(
      `${START}(the\\s+)?(${P})(\\s+(?:user|account|handle|profile|username|name|member))?\\s+(${H})${END}`,
      'gi',
    ),
    ([, article, place = '', kind = '', names = '']) => ({
      place,
      names,
      // `GitHub sponsors`, `2 x coffee`: without a word that says so only what looks like a handle is one.
      isBare: kind === '' ? 'as a handle' : article !== undefined && !/handle|name/i.test(kind),
    }),
  ],
];

/** Whether people have handles on what is called so. */
export const isPlace = (word: string): boolean => PLACES.has(word.toLowerCase());

/** How many people `both` and `all four` say there are. */
const countOf = (both: string, word: string): number | undefined =>
  NUMBERS.get(word.toLowerCase()) ?? (/^both$/i.test(both) ? 2 : undefined);

/** Marks every name; null where one is wrong, or its platform unsaid. */
export function findNames(text: string, pieces: Pieces): string | null {
  const found: { isWrong: boolean } = { isWrong: false };
  const words = text.replace(/[^\s⟦⟧]+/g, (word) => markWord(word, text, pieces, found));
  if (found.isWrong) return null;
  const joined = FORMS.reduce((rest, [form, read]) => {
    return rest.replace(form, (...found: (string | undefined)[]) => {
      // Behind the groups stand the place in the text and the text itself.
      const { place, names, isBare = false, count } = read(found.slice(0, -2));
      const before = String(found.at(-1)).slice(0, Number(found.at(-2)));
      // What is paid for, and not whom: `for ads on X`.
      const isThing = /\bfor\s+(?:the\s+|an?\s+|your\s+|my\s+)?$/i.test(before) && !/["@]/.test(names);
      const isOther = isThing || (count !== undefined && count !== splitNames(names).length);
      return (isOther ? null : markNames(place, names, isBare, pieces)) ?? found[0] ?? '';
    });
  }, words);
  const named = withTheirPlace(joined, pieces);
  // A bare `@name` names a person only on a platform, and none was said.
  const once = named.replace(TWICE, (whole, name: string, mark: string, at: string) =>
    isSameName(name, pieces.of('n', Number(at))) ? mark : whole,
  );
  return /(?:^|\s|\()@[\w.]/.test(once) ? null : pieces.renumber('n', around(once));
}

/** `octocat (github.com/octocat)`. */
const TWICE = /(?<![\w@.-])@?([\w.-]+)\s*\(\s*(⟦n(\d+)⟧)\s*\)/g;
const isSameName = (written: string, name: string) => name.toLowerCase().endsWith(`:${written.toLowerCase()}`);

const ALL_ON = new RegExp(
  `,?\\s*\\(?\\b(both|all)(?: (?:of them|(two|three|four|five|six)))?(?: are)? on (${P})(?![\\w.@:/-]*[\\w@:/-])\\)?`,
  'gi',
);
const BARE = new RegExp(`(?<=^|[\\s(])@[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,37}[A-Za-z0-9_])?${BOUND}`, 'g');

/** `5 to @a and 6 to @b, both on X`. */
function withTheirPlace(text: string, pieces: Pieces): string {
  const [said, ...others] = Array.from(text.matchAll(ALL_ON));
  if (said === undefined || others.length > 0 || /⟦n/.test(text)) return text;
  const [, both = '', word = '', place = ''] = said;
  const count = countOf(both, word);
  if (count !== undefined && count !== (text.match(BARE)?.length ?? 0)) return text;
  return text.replace(ALL_ON, ' ').replace(BARE, (name) => markNames(place, name, false, pieces) ?? name);
}

/** `the website ⟦n0⟧`, `⟦n0⟧ (web domain)`, `⟦n0⟧ by e-mail`: a name that says itself where it is. */
const around = (text: string) =>
  text
    .replace(/(?:\bthe\s+)?\b(?:web\s?site|site|(?:web )?domain|e-?mail(?:\s+address)?|page)\s*:?\s*(?=⟦n)/gi, ' ')
    .replace(/(⟦n\d+⟧)\s*\(\s*(?:the )?(?:web ?site|site|(?:web )?domain|e-?mail(?: address)?)\s*\)/gi, '$1')
    .replace(/(⟦n\d+⟧)\s+(?:by|via)\s+e-?mail/gi, '$1');

/** A name that needs no other word: an address, a link, `x:alice`, `discord/alice`. */
function markWord(word: string, text: string, pieces: Pieces, found: { isWrong: boolean }): string {
  const [, open = '', bare = '', close = ''] = /^([("]*)(.*?)([)",;:.!?]*)$/.exec(word) ?? [];
  if (!/[@:/.]/.test(bare) || /^[$€£¥\d.,+-]+$/.test(bare) || /^@[\w.-]+$/.test(bare)) return word;
  // `x.com` behind a handle is where it is; alone it is nobody.
  if (PLACES.has(bare.toLowerCase())) return word;
  const reading = readRecipient(bare, {});
  if (reading.kind === 'word') return word;
  // `lensby.maja` and `dwr.eth` may be a handle, where the words beside it say so.
  if (!/[@:/]/.test(bare) && isHandleHere(bare, text)) return word;
  if (reading.kind === 'mistake') {
    found.isWrong = true;
    return word;
  }
  return `${open.replaceAll('"', '')}${pieces.mark('n', recipientName(reading.recipient))}${close.replaceAll('"', '')}`;
}

function isHandleHere(bare: string, text: string): boolean {
  const name = bare.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const before = new RegExp(
    `(?:${P}|${P}s?\\s+${KIND}|${KIND}|[:/]|named|called)(?:\\s*⟦w\\d+⟧)?\\s*:?\\s*(?:(?!and\\b)@?[\\w.-]+(?:\\s*[,&]\\s*(?:and\\s+)?|\\s+and\\s+))*@?"?${name}`,
    'i',
  );
  const after = new RegExp(
    `${name}"?\\s*(?:\\(?\\s*(?:on\\s+)?${P}\\b|(?:(?:\\s*[,&]\\s*(?:and\\s+)?|\\s+and\\s+)(?!and\\b)@?[\\w.-]+)+,?\\s*\\(?(?:all|both)\\b)`,
    'i',
  );
  return (before.test(text) && new RegExp(`\\b${P}s?\\b`, 'i').test(text)) || after.test(text);
}

const splitNames = (names: string) => names.split(/\s*,\s*(?:and\s+)?|\s+and\s+|\s*&\s*/i);

/** Null where a word of the list is nobody's name. */
function markNames(place: string, names: string, isBare: Bareness, pieces: Pieces): string | null {
  const platform = PLACES.get(place.toLowerCase()) ?? findPlatform(place);
  if (platform === undefined || platform === null) return null;
  const read = splitNames(names).map((name) => toName(platform, name, isBare));
  const valid = read.filter((name) => name !== null);
  // `@a, @b, x2`: among handles a word without their sign is none.
  const signed = names.match(/@/g)?.length ?? 0;
  if (valid.length < read.length || (signed > 0 && signed < read.length)) return null;
  return valid.map((name) => pieces.mark('n', name)).join(', ');
}

/** Between names they are no name, but say whose is none: `a, b, not c`. */
export const DOUBTS: ReadonlySet<string> = new Set(
  (
    'not no nor none never neither either without except excluding minus less skip skipping omit drop exclude ignore stop undo cancel ' +
    'cancelled canceled declined denied failed refused rejected blocked banned forbidden wrong fake scam wait hold pending later tomorrow ' +
    'today now soon then once twice double half only just also too maybe perhaps possibly might may could would should must will was were is ' +
    'are said says instead rather actually sorry oops correction draft test example if unless until when while before after already about ' +
    'around former formerly previously aka alias or and but plus more fewer again monthly weekly daily yearly hypothetically pretend non un ' +
    'whoever whichever whatever etc others optional optionally excluded'
  ).split(' '),
);

/** `the X user responsible`: behind an article a plain word may be no name at all. */
const DESCRIBING = /(?:ed|ing|ible|able|ent|ant|er|or|ion|ive|ous|al|ful|less|ly|ist|ment|ity|ness|ers|ors|s)$/i;

/** `co-founder`, `top-3`: what looks like a handle, and is a word. */
const COMPOUND =
  /^(?:co|ex|vice|sub|non|self|semi|anti|pre|post|re|un|e|in|on|off|open|best|top|third|first|second|last|well|long|short|high|low|full|part|half|head|chief|general|so-called|multi|cross|all|any|every|no|not|much|most|more|less|new|old)-/i;

function toName(platform: Platform, written: string, isBare: Bareness): string | null {
  const isMarked = /["@]/.test(written);
  const bare = written.replace(/["@]/g, '');
  const lower = bare.toLowerCase();
  const isOther = [DOLLARS, CENTS, NO_NAMES, NUMBERS, OTHER_MONEY, SCALES, NOBODY, FILLING, DOUBTS].some((words) =>
    words.has(lower),
  );
  const isPlain = /^[a-z]+$/i.test(bare);
  const isCompound = isBare === 'as a handle' && COMPOUND.test(bare);
  const isWord = isCompound || (isPlain && (isBare === 'as a handle' || bare.length < 5 || DESCRIBING.test(bare)));
  if (!/[a-z]/i.test(bare) && !isMarked) return null;
  if (!isMarked && (isOther || PLACES.has(lower) || (isBare !== false && isWord))) return null;
  const name = `${platformRow(platform).prefix ?? platform}:${bare}`;
  const reading = readRecipient(name, {});
  return reading.kind === 'recipient' ? recipientName(reading.recipient) : nameOfChat(platform, name);
}

/** Names of chats are numbers for us; they are read, and refused where they cannot be paid. */
const nameOfChat = (platform: Platform, name: string): string | null =>
  platformRow(platform).http === 'public' ? null : name;
