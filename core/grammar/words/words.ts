import { NUMBERS } from './vocabulary.ts';

/**
 * A word of a command, without the quotation marks around it, and its place in the text, so that a note keeps its
 * spacing.
 */
export type Word = { text: string; start: number };

const QUOTES = `"'“”„‟«»‹›‘’‚「」『』\``;
const OPENING = new RegExp(`^[${QUOTES}]+`);
const CLOSING = new RegExp(`(?<![${QUOTES}])[${QUOTES}]+(?=[,;.!]*$)`);
/** A comma between two digits is a decimal mark, except inside a name. */
const COMMAS = /[,;、，；・]/g;
/** `x:aliceに5ドル`: Japanese is written without spaces, but no name ends in these. */
const PARTICLE =
  /^(.*?[A-Za-z0-9_])(さん|くん|君|ちゃん|様|宛|あて)?([にへとで])(?=$|[0-9０-９$全半一二三四五六七八九十百千各合]|それぞれ|@[A-Za-z]|[A-Za-z]+[:：])/;
/** `さっきの人に5ドル`: someone without a name. */
const SOMEONE = /^([^A-Za-z0-9@]*(?:人|方|子|さん|くん|君|ちゃん|様|みんな|皆|たち))([にへ])(?=[0-9０-９$])/u;
const AMOUNT_AND_MORE =
  /^([$]?[0-9０-９.,．，]+(?:米?ドル|どる|セント|円|ユーロ|usdc?)?)(ずつ|[をで]|割り?勘|山分け|折半|分け|送|あげ|払|お願|くださ|投げ|請求|頼|どうぞ|[(（])(.*)$/iu;
/** `に5ドル`, after a name and a space. */
const LEADING_PARTICLE =
  /^(さん|くん|君|ちゃん|様)?([にへで])(?=[$0-9０-９全半一二三四五六七八九十百千各合]|それぞれ)/u;
/** `1人2ドル`: as `各2ドル`. */
const A_HEAD = /^(?:[1１一]人|ひとり)(?:あたり|につき)?(?=[0-9０-９])/u;
/** `それぞれ2ドル`. */
const LEADING_EACH = /^(それぞれ|各|合計)(?=[$0-9０-９一二三四五六七八九十百千])/u;
/** `五ドル`. */
const NUMBER_AND_UNIT = /^([一二三四五六七八九十]+)(米?ドル|どる|セント|円)(.*)$/u;
/** `千五百円`. */
const LARGE_NUMBER =
  /^(?=[^円米ドど]*[百千])(?:([一二三四五六七八九]?)千)?(?:([一二三四五六七八九]?)百)?(?:([一二三四五六七八九]?)十)?([一二三四五六七八九])?(米?ドル|どる|円)/u;
const KANJI = '一二三四五六七八九';
/** `1ドル50セント`: one sum, and no other reading. */
const DOLLARS_AND_CENTS = /^([0-9]{1,4})米?ドル([0-9]{2})セント$/;
/** `二ドル五十セント`, `二ドル半`. */
const IN_KANJI = /^([一二三四五六七八九十]+)米?ドル(?:([一二三四五六七八九十]+)セント|半)$/u;
/** `1ドル半`. */
const DOLLARS_AND_HALF = /^([0-9]{1,4})米?ドル半$/;
/** `5$@alice`: no name begins like a sum. */
const SUM_AND_NAME = /^([$€£]?[0-9]+(?:[.,][0-9]+)?(?:[$€£]|usdc?)?)(@[A-Za-z][A-Za-z0-9_]*)$/i;
/** `aliceにあげて`, after which nothing else follows. */
const NAME_AND_VERB =
  /^(@?[A-Za-z0-9_.:@]*[A-Za-z0-9_])(さん|くん|君|ちゃん|様)?([にへ](?:あげ|送|渡|払|お願|投げ)\p{L}*)$/u;
/** `@aliceさん、5ドル`. */
const NAME_AND_TITLE = /^(@[A-Za-z0-9_.]+|[A-Za-z]+:@?[A-Za-z0-9_.-]+)(?:さん|くん|君|ちゃん|様)$/u;
/** `alice(インスタ)へ1.5ドル`. */
const NAME_IN_BRACKETS = /^(@?[A-Za-z0-9_.]*[A-Za-z0-9_])([(（]\p{L}+[)）])(.*)$/u;
/** `ファーキャスターのalice`, `githubのalice`. */
const PLACE_AND_NAME = /^([ァ-ヶー]{3,}|[A-Za-z]{5,})の(@?[A-Za-z0-9].*)$/u;
/** `aliceっていうgithubの人に3ドル` → `githubのaliceに3ドル`. */
const NAME_THEN_PLACE =
  /^(@?[A-Za-z0-9_.-]+)(?:っていう|という|って)([ァ-ヶー]{3,}|[A-Za-z]{5,})の(?:人|方|ユーザー|アカウント)/u;
/** `ランチ代5ドル`. */
const REASON_AND_SUM =
  /^([\p{sc=Han}\p{sc=Hira}\p{sc=Kana}ー]{2,}?)([0-9０-９][0-9０-９.,．]*(?:米?ドル|どる|円|セント)(?:ずつ|を|で)?)$/u;
/** `で分けて`: the two words are one in writing. */
const BY_SHARING = /^(で)((?:分け|割り?勘|山分け|折半).*)$/u;

/** Longer ones are no line of a person, and each part of one is looked at again. */
const GLUED_CHARACTERS_MAX = 400;

const splitUp = (word: Word): Word[] => splitGlued(word).flatMap(splitJapanese).flatMap(splitGlued);

export function splitWords(text: string): Word[] {
  return Array.from(text.matchAll(/[^\s→]+|→/g), (match) => ({ text: match[0], start: match.index }))
    .flatMap(splitAtCommas)
    .flatMap((word) => (word.text.length > GLUED_CHARACTERS_MAX ? [word] : splitUp(word)))
    .map(clean)
    .filter((word) => word.text !== '');
}

function splitAtCommas(word: Word): Word[] {
  const { text, start } = word;
  const isName = /[@:]/.test(text) && !text.includes('//');
  const parts: Word[] = [];
  let from = 0;
  for (const { index } of text.matchAll(COMMAS)) {
    const isDecimal = /[0-9０-９]/.test(text[index - 1] ?? '') && /[0-9０-９]/.test(text[index + 1] ?? '');
    const isDigitFirst = index === from && /[0-9０-９]/.test(text[index + 1] ?? '');
    if ((isDecimal && !isName) || isDigitFirst) continue;
    parts.push({ text: text.slice(from, index), start: start + from });
    from = index + 1;
  }
  return [...parts, { text: text.slice(from), start: start + from }];
}

/** What is written without a space between, where it can mean one thing only. */
function splitGlued(word: Word): Word[] {
  const { text, start } = word;
  const [sum, dollars, cents] = DOLLARS_AND_CENTS.exec(text.normalize('NFKC')) ?? [];
  if (sum !== undefined) return [{ text: `${dollars}.${cents}`, start }];
  const inKanji = readKanji(text);
  if (inKanji !== null) return [{ text: inKanji, start }];
  const halved = DOLLARS_AND_HALF.exec(text.normalize('NFKC'))?.[1];
  if (halved !== undefined) return [{ text: `${halved}.50`, start }];
  const [large, ...places] = LARGE_NUMBER.exec(text) ?? [];
  if (large !== undefined) return splitLarge(word, large, places);
  const [said, called = '', where = ''] = NAME_THEN_PLACE.exec(text) ?? [];
  if (said !== undefined) {
    const after = { text: text.slice(said.length), start: start + said.length };
    return [{ text: where, start }, { text: called, start }, ...splitParticle(after)];
  }
  const [, first, second = '', rest = ''] =
    SUM_AND_NAME.exec(text) ?? NAME_IN_BRACKETS.exec(text) ?? PLACE_AND_NAME.exec(text) ?? [];
  if (first !== undefined) {
    const at = text.indexOf(second, first.length);
    const after = { text: rest, start: start + at + second.length };
    const parts = [
      { text: first, start },
      { text: second.replace(/[(（](.+)[)）]/u, '〔$1〕'), start: start + at },
    ];
    return rest === '' ? parts : [...parts, ...splitParticle(after)];
  }
  const [, name, title = '', verb = ''] = NAME_AND_VERB.exec(text) ?? [];
  if (name === undefined) return [word];
  return [
    { text: name, start },
    { text: verb, start: start + name.length + title.length },
  ];
}

function readKanji(text: string): string | null {
  const [, dollars = '', cents] = IN_KANJI.exec(text) ?? [];
  const [whole, part] = [NUMBERS.get(dollars), cents === undefined ? 50 : NUMBERS.get(cents)];
  return whole === undefined || part === undefined ? null : `${whole}.${String(part).padStart(2, '0')}`;
}

/** `千五百円` in digits. */
function splitLarge({ text, start }: Word, found: string, places: readonly (string | undefined)[]): Word[] {
  const unit = places.at(-1) ?? '';
  const value = [1_000, 100, 10, 1].reduce((total, size, at) => {
    const place = places[at];
    if (place === undefined) return total;
    return total + size * (place === '' ? 1 : KANJI.indexOf(place) + 1);
  }, 0);
  const rest = { text: text.slice(found.length), start: start + found.length };
  return [{ text: `${value}${unit}`, start }, ...(rest.text === '' ? [] : [rest])];
}

/** `へ1.5ドル`, behind what was taken off. */
function splitParticle({ text, start }: Word): Word[] {
  const particle = /^(?:さん|くん|君|ちゃん|様)?[にへとで]/.exec(text)?.[0] ?? '';
  if (particle === '') return text === '' ? [] : [{ text, start }];
  const rest = { text: text.slice(particle.length), start: start + particle.length };
  return [{ text: particle.slice(-1), start }, ...(rest.text === '' ? [] : [rest])];
}

function splitJapanese(word: Word): Word[] {
  const { text, start } = word;
  if (IN_KANJI.test(text)) return [word];
  const [head] = A_HEAD.exec(text) ?? [];
  if (head !== undefined) {
    return [{ text: '各', start }, ...splitJapanese({ text: text.slice(head.length), start: start + head.length })];
  }
  // `$5を@aliceへ`: the sum first.
  const isSumFirst = AMOUNT_AND_MORE.test(text);
  const [found, name = '', , particle = ''] = (isSumFirst ? null : PARTICLE.exec(text)) ?? [];
  if (found !== undefined && found.length > 0) {
    const rest = { text: text.slice(found.length), start: start + found.length };
    const at = start + found.length - particle.length;
    return [{ text: name, start }, { text: particle, start: at }, ...splitJapanese(rest)];
  }
  const [someone, who = ''] = SOMEONE.exec(text) ?? [];
  if (someone !== undefined) return splitAfter(word, [who, someone.slice(who.length), text.slice(someone.length)]);
  const [leading = ''] = LEADING_PARTICLE.exec(text) ?? LEADING_EACH.exec(text) ?? [];
  const [, first = leading, ...others] =
    (leading === '' && (NUMBER_AND_UNIT.exec(text) ?? BY_SHARING.exec(text) ?? REASON_AND_SUM.exec(text))) || [];
  if (first !== '') return splitAfter(word, leading === '' ? [first, ...others] : [first, text.slice(first.length)]);
  const [, amount, more = '', end = ''] = AMOUNT_AND_MORE.exec(text) ?? [];
  if (amount === undefined) return [word];
  const cut = start + amount.length;
  const isParticle = more === 'ずつ' || more === 'を' || more === 'で';
  const tail = isParticle
    ? [{ text: more, start: cut }, ...(end === '' ? [] : splitJapanese({ text: end, start: cut + more.length }))]
    : [{ text: more + end, start: cut }];
  return [{ text: amount, start }, ...tail];
}

/** The parts of a word, of which the last may be more than one. */
function splitAfter({ start }: Word, texts: readonly string[]): Word[] {
  let at = start;
  return texts.flatMap((text, index) => {
    const part = { text, start: at };
    at += text.length;
    return index === texts.length - 1 ? splitJapanese(part) : [part];
  });
}

/** Digits as emoji are digits; brackets are taken off only in pairs, because `:)` has one. */
function clean({ text, start }: Word): Word {
  const digits = text.replace(/([0-9])\uFE0F?\u20E3/gu, '$1').replaceAll('🔟', '10');
  const bare = digits
    .replace(OPENING, '')
    .replace(CLOSING, '')
    .replace(/^\((.+)\)([,;]*)$/, '$1$2')
    .replace(NAME_AND_TITLE, '$1');
  return { text: bare === '' ? digits : bare, start };
}
