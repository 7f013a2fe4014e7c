import { expect, test } from 'vitest';
import { readAmount } from '../../../core/grammar/amount.ts';
import { parseCommand } from '../../../core/grammar/command.ts';
import { inOrder } from '../../../core/grammar/words/in-order.ts';
import { joinPlaces } from '../../../core/grammar/words/places.ts';
import type { Word } from '../../../core/grammar/words/words.ts';

/** A line as long as a message can be, and one of a quarter of that. */
const [LONG, SHORT] = [4_096, 1_024];
/** Four times as long may take ten times as long; where each part is looked at again for each other, it takes sixteen. */
const GROWTH_MAX = 10;
const RUNS = 5;
/** Less is not measured well enough to compare. */
const NOISE_MS = 5;

const SHAPES: readonly (readonly [before: string, repeated: string, behind: string])[] = [
  ['', 'あ', ''],
  ['', 'アリスに5ドル', ''],
  ['/tip ', '五', ''],
  ['', '誰', ''],
  ['', 'what-i-', ''],
  ['/tip ', '.', 'a'],
  ['/tip x', '"', 'a'],
  ['/drop 5 10 people ', ',', 'x'],
  ['/drop ', '!', 'a'],
  ['tip-me ', 'cancel-', ''],
  ['send ', '?', 'x'],
];

/** What the process itself was busy for, so that others on the machine do not count; of several runs the shortest. */
function busyFor(text: string): number {
  const times = Array.from({ length: RUNS }, () => {
    const before = process.cpuUsage();
    parseCommand(text);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...times);
}

test.each(SHAPES)(
  'a line of %j and then %j, up to %j, takes as much longer as it is longer',
  (before, repeated, behind) => {
    const lineOf = (length: number) => `${before}${repeated.repeat(length)}`.slice(0, length - behind.length) + behind;
    const short = Math.max(busyFor(lineOf(SHORT)), NOISE_MS);
    expect(busyFor(lineOf(LONG)) / short).toBeLessThan(GROWTH_MAX);
  },
);

test('a sum is read without the words that stand far behind it', () => {
  let reads = 0;
  const words = new Proxy(['5', 'cents', ...Array.from({ length: 1_000 }, () => 'thanks')], {
    get(target, key, receiver) {
      if (typeof key === 'string' && /^[0-9]+$/.test(key)) reads += 1;
      return Reflect.get(target, key, receiver) as unknown;
    },
  });
  expect(readAmount(words, 0)).toMatchObject({ kind: 'amount', used: 2 });
  expect(reads).toBeLessThan(words.length / 2);
});

test('names are joined with their places by a few looks at each word', () => {
  const looksFor = (length: number) => {
    let looks = 0;
    const words = Array.from({ length }, (_, start): Word => ({
      get text() {
        looks += 1;
        return start % 2 === 0 ? '@alice' : 'on';
      },
      start,
    }));
    joinPlaces(words);
    return looks / length;
  };
  expect(looksFor(1_000)).toBeLessThanOrEqual(looksFor(100) * 1.1);
});

test('forms in order stand in one line, one behind the other', () => {
  const form = inOrder(/\bhow\b/giu, /\bmuch\b/giu, /\bleft\b/giu);
  expect(form.test('How is that much, and what is left?')).toBe(true);
  expect(form.test('how much is left')).toBe(true);
  expect(form.test('left: how much')).toBe(false);
  expect(form.test('how much\nis left')).toBe(false);
  expect(form.test('how\nhow much left')).toBe(true);
});
