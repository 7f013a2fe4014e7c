import { findPlatform, platformRow, type Platform } from '../../platforms/platforms.ts';
import { JOINING, list } from './vocabulary.ts';
import type { Word } from './words.ts';

/** What people call platforms, beside the names that they have here. */
const NICKNAMES: Readonly<Record<string, string>> = {
  insta: 'instagram',
  tuiter: 'twitter',
  twiter: 'twitter',
  twtr: 'twitter',
  インスタ: 'instagram',
  インスタグラム: 'instagram',
  ツイッター: 'twitter',
  ギットハブ: 'github',
  ファーキャスター: 'farcaster',
  ファルキャスター: 'farcaster',
  テレグラム: 'telegram',
  ディスコード: 'discord',
  ディスコ: 'discord',
  エックス: 'x',
};
/** `alice on github`, `alice von github`. */
export const ON = list('on at from auf bei von aus en de del no na do da の');
export const CALLED = list(
  'user account handle profile name nutzer user: usuario usuária usuário usuaria cuenta conta perfil konto',
);

/** `the one on twitter`, `lá do insta`. */
export const POINTING = list(
  'the one guy over there account his her der die das den dem el la los lo ese esa cuenta o a aquele aquela lá la ali aí conta usuario usuário',
);
/** `the twitter guy @alice`, `al twitter de @alice`: only before a sign. */
const WHOSE = list('guy girl dude lady artist typ mädel chico chica tipo cara moça moço pessoa de of von da do der');

/** Names of platforms that are words of a sentence as well. */
const WORDS_TOO = list('code photo decsocial');

/** A platform as one word; null for other words, and for the mere letter that is also a word of languages (`x el café`). */
export function placeOf(word: string): { prefix: string; platform: Platform } | null {
  const bare = word
    .normalize('NFKC')
    .toLowerCase()
    .replace(/^〔(.+)〕$/, '$1')
    .replace(/[,:]$|の$/u, '');
  const name = NICKNAMES[bare] ?? bare;
  const platform = /^\p{L}+$/u.test(name) && !WORDS_TOO.has(name) ? findPlatform(name) : null;
  if (platform === null) return null;
  const { prefix, nameIsIdentity } = platformRow(platform);
  return prefix === null || nameIsIdentity ? null : { prefix, platform };
}

const END = /(?<![,;!?])[,;!?]+$/;

/** Written as no word of a language is: with a sign before it, or with digits or marks inside. */
export function isHandle(text: string): boolean {
  const bare = text.replace(END, '');
  return /^@[\w][\w.-]*$/.test(bare) || (/^[A-Za-z][\w.-]*[\w]$/.test(bare) && /[0-9_.-]/.test(bare.slice(1)));
}

const nameOf = (text: string) => text.replace(/^@/, '').replace(END, '');
const isSum = (text: string) => /^[$€£]?[0-9０-９.]/.test(text);

/** `twitter @alice`, `@alice on twitter`, `torv-k on github` as the one word that each of them means. */
export function joinPlaces(words: readonly Word[]): Word[] {
  const before: Before = { joined: [], hasSum: false, hasSign: false };
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined) continue;
    const found = placeFirst(words, at) ?? nameFirst(words, at, before);
    const text = found?.text ?? word.text;
    before.joined.push({ ...word, text });
    before.hasSum ||= isSum(text);
    before.hasSign ||= /^@[\w.]+[,;]?$/.test(text);
    if (found !== null) at += found.used - 1;
  }
  return before.joined;
}

type Found = { text: string; used: number };
/** The words so far, and whether there is a sum among them, or a name with a sign and without a place. */
type Before = { joined: Word[]; hasSum: boolean; hasSign: boolean };

/** With a sign before the name: a bare one could be any word. */
function placeFirst(words: readonly Word[], at: number): Found | null {
  const word = words[at]?.text ?? '';
  const place = placeOf(word);
  // A single letter is a word as well: `5 x @alice` means for.
  if (place === null || word.length === 1) return null;
  const next = (words[at + 1]?.text ?? '').toLowerCase();
  const isWhose = WHOSE.has(next) && (words[at + 2]?.text ?? '').startsWith('@');
  const skipped = CALLED.has(next) || isWhose ? 2 : 1;
  const name = words[at + skipped]?.text ?? '';
  const isClear = isHandle(name);
  return isClear && !isNamedElsewhere(words, at + skipped)
    ? { text: `${place.prefix}:${nameOf(name)}`, used: skipped + 1 }
    : null;
}

/** `github @alice on twitter` could be either. */
const isNamedElsewhere = (words: readonly Word[], at: number) =>
  ON.has((words[at + 1]?.text ?? '').toLowerCase()) && placeOf(words[at + 2]?.text ?? '') !== null;

/** Where more words follow than a sum, `on twitter` may be what the tip is for. */
function nameFirst(words: readonly Word[], at: number, { joined, hasSum, hasSign }: Before): Found | null {
  const name = words[at]?.text ?? '';
  const isOn = ON.has((words[at + 1]?.text ?? '').toLowerCase());
  const isInBrackets = /^〔.+〕$/.test(words[at + 1]?.text ?? '');
  // `@alice twitter 5`
  const isBeforeSum = name.startsWith('@') && isSum(words[at + 2]?.text ?? '') && !hasSum;
  if (!isHandle(name) || !(isOn || isInBrackets || isBeforeSum)) return null;
  const place = placeOf(words[at + (isOn ? 2 : 1)]?.text ?? '');
  const used = isOn ? 3 : 2;
  const next = words[at + used]?.text ?? '';
  // `@alice and @bob on github`: both of them, or one.
  const isOfSeveral = name.startsWith('@') && hasSign;
  // `1 each to @alice and torv-k on github, thanks`
  const isListed =
    JOINING.has((joined.at(-1)?.text ?? '').toLowerCase()) && /^(?:@\w|@?[a-z]+:)/i.test(joined.at(-2)?.text ?? '');
  const isClear = place !== null && !isOfSeveral && (next === '' || !hasSum || isInBrackets || isListed);
  return isClear ? { text: `${place.prefix}:${nameOf(name)}`, used } : null;
}
