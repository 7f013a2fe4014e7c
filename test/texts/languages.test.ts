import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { textsEn, type Texts } from '../../texts/en.ts';
import { findLanguage } from '../../core/languages.ts';
import { LANGUAGES } from '../../texts/languages.ts';
import { microUsdc } from '../../core/money.ts';
import type { Paragraph, Span } from '../../core/view.ts';
import { PAY_PAGE_SAMPLES, PURSE_SAMPLES, SAMPLES, WALLET_PAGE_SAMPLES } from './samples.ts';

/** A message of Discord; Telegram allows more. */
const MESSAGE_CHARACTERS_MAX = 2_000;
/** A button of Discord; Telegram cuts what is too wide. */
const LABEL_CHARACTERS_MAX = 80;

const PAGE_SAMPLES = new Map<string, object>([
  ['walletPage', WALLET_PAGE_SAMPLES],
  ['purse', PURSE_SAMPLES],
  ['payPage', PAY_PAGE_SAMPLES],
]);

type Answer = string | Paragraph | readonly Paragraph[];
type Said = { path: string; paragraphs: readonly Paragraph[]; isLabel: boolean };

const others = Object.entries(LANGUAGES).filter(([tag]) => tag !== 'en');
const english = everythingIn(textsEn);

describe.each(others)('%s', (_tag, texts) => {
  const said = everythingIn(texts);
  const pairs = english.map((one, index) => [one.path, one, said[index]] as const);

  test('has every text of English, called in the same way', () => {
    // Its one value is an English sentence from below; other languages say something of their own instead.
    expect(shapeOf(texts)).toEqual({ ...shapeOf(textsEn), withdrawLimited: 'function of 0' });
    expect(said.map(({ path }) => path)).toEqual(english.map(({ path }) => path));
  });

  test('says every name, amount, number and command that English says', () => {
    const missing = pairs.flatMap(([path, one, other]) =>
      factsIn(one).flatMap((fact) => (other && factsIn(other).includes(fact) ? [] : [`${path}: ${fact}`])),
    );
    expect(missing).toEqual(['withdrawLimited: zqdetail']);
  });

  test('sets off the same parts, and the same ones as code', () => {
    const differing = pairs.filter(([, one, other]) => other === undefined || marksOf(one) !== marksOf(other));
    expect(differing.map(([path]) => path)).toEqual([]);
  });

  test('has nothing left in English', () => {
    const same = pairs.filter(([, one, other]) => hasLanguage(one) && (!other || wordsOf(one) === wordsOf(other)));
    // A command, and our own name.
    expect(same.map(([path]) => path)).toEqual(['page.placeholder', 'page.bot']);
    const slips = said.filter((one) => /\b(?:the|you|your|and|with|nothing)\b/i.test(wordsOf(one)));
    expect(slips.map(({ path }) => path)).toEqual([]);
  });

  test('knows every reason that English knows', () => {
    const unknown = failureReasons().filter((reason) => wordsIn(texts.failure(reason, 'alice')).includes(reason));
    expect(unknown).toEqual([]);
    expect(wordsIn(texts.failure('constructor', 'alice'))).toContain('constructor');
  });

  test('says why a name was refused', () => {
    const mistake = { kind: 'mistake', code: 'bad_recipient', found: '@zq!', examples: ['/tip @x:alice 1'] } as const;
    const reason = { kind: 'look_alike', character: 'а', like: 'zqlike' } as const;
    expect(wordsIn(texts.mistake({ ...mistake, reason }))).toMatch(/"@zq!".*zqlike|zqlike.*"@zq!"/);
    expect(wordsIn(texts.mistake({ ...mistake, reason: { kind: 'hidden' } }))).not.toContain('zqlike');
  });
});

test.each(Object.entries(LANGUAGES))('%s fits into messages and onto buttons', (_tag, texts) => {
  const sizes = everythingIn(texts).map(({ path, paragraphs, isLabel }) => {
    const size = paragraphs.map(wordsIn).join('\n').length;
    return { path, size, fits: size <= (isLabel ? LABEL_CHARACTERS_MAX : MESSAGE_CHARACTERS_MAX) };
  });
  expect(sizes.filter(({ fits }) => !fits)).toEqual([]);
  const dear = microUsdc(999_999_999_999_999n);
  const labels = [texts.confirmWithdrawButton(dear), texts.confirmSeveral(dear), texts.payFrom(`x:${'a'.repeat(39)}`)];
  expect(labels.filter((label) => label.length > LABEL_CHARACTERS_MAX)).toEqual([]);
});

test.each(Object.entries(LANGUAGES))('%s names people as they are read, not as they are typed', (_tag, texts) => {
  const typed = everythingIn(texts).filter(({ paragraphs }) => paragraphs.flat().some(isTyped));
  expect(typed.map(({ path }) => path)).toEqual([]);
  expect(isTyped({ text: 'Sent to x:zqrecipient' })).toBe(true);
});

const isTyped = ({ text, style }: Span): boolean => style !== 'code' && /\bx:zq/.test(text);

test.each([
  ['es-419', 'es'],
  ['pt-BR', 'pt'],
  ['DE_at', 'de'],
  ['ja', 'ja'],
  ['en-GB', 'en'],
  ['fr', null],
  ['des', null],
  ['constructor', null],
  [undefined, null],
])('the language of %s is %s', (tag, language) => {
  expect(findLanguage(tag)).toBe(language);
});

/** Every text with every one of its samples, in the order of English. */
function everythingIn(texts: Texts): Said[] {
  return Object.keys(textsEn).flatMap((key) => {
    const text: unknown = valueAt(texts, key);
    if (typeof text !== 'object' || text === null) return sayAll(key, text, valueAt(SAMPLES, key));
    const samples = PAGE_SAMPLES.get(key) ?? {};
    const keys = Object.keys(valueAt(textsEn, key) as object);
    return keys.flatMap((inner) => sayAll(`${key}.${inner}`, valueAt(text, inner), valueAt(samples, inner)));
  });
}

function sayAll(path: string, text: unknown, samples: unknown): Said[] {
  if (typeof text === 'string') return [{ path, paragraphs: [[{ text }]], isLabel: false }];
  if (typeof text === 'object' && text !== null) {
    return Object.entries(text).flatMap(([key, one]) => sayAll(`${path}.${key}`, one, undefined));
  }
  if (typeof text !== 'function') throw new Error(`${path} is ${typeof text}, and a text is words or a function`);
  if (!Array.isArray(samples) || samples.length === 0) throw new Error(`${path} has no sample to be called with`);
  return samples.map((values: unknown[]) => {
    const answer = (text as (...values: unknown[]) => Answer)(...values);
    return { path, paragraphs: paragraphsOf(answer), isLabel: typeof answer === 'string' && !path.includes('.') };
  });
}

function paragraphsOf(answer: Answer): readonly Paragraph[] {
  if (typeof answer === 'string') return [[{ text: answer }]];
  return answer.every((part): part is Paragraph => Array.isArray(part)) ? answer : [answer as Paragraph];
}

/** Which texts there are, and how many values each takes. */
function shapeOf(section: object): Record<string, unknown> {
  const shapes = Object.entries(section).map(([key, text]: [string, unknown]): [string, unknown] => {
    if (typeof text === 'function') return [key, `function of ${text.length}`];
    return [key, typeof text === 'object' && text !== null ? shapeOf(text) : typeof text];
  });
  return Object.fromEntries(shapes);
}

function valueAt(section: object, key: string): unknown {
  return new Map<string, unknown>(Object.entries(section)).get(key);
}

const wordsIn = (paragraph: Paragraph): string => paragraph.map(({ text }) => text).join('');
const wordsOf = ({ paragraphs }: Said): string => paragraphs.map(wordsIn).join('\n');
const FACTS = /zq[a-z]+|[0-9]+(?:\.[0-9]+)?|\/[a-z]+/g;
const factsIn = (said: Said): string[] => wordsOf(said).match(FACTS) ?? [];
/** A name with an amount is the same everywhere. */
const hasLanguage = (said: Said): boolean => /\p{L}/u.test(wordsOf(said).replace(FACTS, '').replaceAll('USDC', ''));

/** The words of code are for machines, so they stay; of what is strong or muted only the number does. */
function marksOf({ paragraphs }: Said): string {
  const marks = paragraphs.map((paragraph) =>
    paragraph.flatMap(({ text, style }) => (style === 'code' ? machineWords(text) : (style ?? []))).sort(),
  );
  return JSON.stringify(marks);
}

/** Without a note at the end of an example, which people write in their own language. */
const machineWords = (text: string): string => text.replace(/(?<=^\/tip .*\d) (?!split$).*$/, '');

/** The table is private to its file, and its rows are the reasons. */
function failureReasons(): string[] {
  const source = readFileSync(new URL('../../texts/failures/en.ts', import.meta.url), 'utf8');
  const rows = [...source.matchAll(/^ {2}([a-z_]+): \(/gm)].map(([, reason = '']) => reason);
  const reasons = rows.filter((reason) => !wordsIn(textsEn.failure(reason, 'alice')).includes(reason));
  if (!reasons.includes('receiver_not_found')) throw new Error('the table of reasons is not where it was');
  return reasons;
}
