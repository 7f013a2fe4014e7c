import { expect, test } from 'vitest';
import { readAmount, sumIn } from '../../../core/grammar/amount.ts';
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

const SHAPES: readonly (readonly [before: string, repeated: string])[] = [
  ['', 'あ'],
  ['', 'アリスに5ドル'],
  ['/tip ', '五'],
  ['', '誰'],
  ['', 'what-i-'],
  ['/tip ', '....a'],
  ['/tip @x:alice 5 ', 'あ'],
  ['/request ', 'a'],
  ['/request ', 'x:'],
  ['/request @x:alice 5 ', 'a'],
  ['/drop 5 10 people ', '、'],
  ['/drop ', '五'],
  ['/drop ', 'happy 5 '],
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

const lineOf = ([before, repeated]: readonly [string, string], length: number) =>
  `${before}${repeated.repeat(length)}`.slice(0, length);

test.each(SHAPES)('a line of %j and then %j takes as much longer as it is longer', (...shape) => {
  const short = Math.max(busyFor(lineOf(shape, SHORT)), NOISE_MS);
  expect(busyFor(lineOf(shape, LONG)) / short).toBeLessThan(GROWTH_MAX);
});

/** How often an element is read. */
function counted<Element extends object | string>(elements: readonly Element[]) {
  let reads = 0;
  const list = new Proxy(elements, {
    get(target, key, receiver) {
      if (typeof key === 'string' && /^[0-9]+$/.test(key)) reads += 1;
      return Reflect.get(target, key, receiver) as unknown;
    },
  });
  return { list, reads: () => reads };
}

/** Reads for each element, of 100 and of 1,000 of them. */
function readsEach<Element extends object | string>(
  of: (length: number) => Element[],
  read: (list: readonly Element[]) => void,
) {
  return [100, 1_000].map((length) => {
    const { list, reads } = counted(of(length));
    read(list);
    return reads() / length;
  });
}

test.each([
  ['none is a sum', 'from'],
  ['each is asked about as one', 'two'],
])('a sum is looked for among words by a few looks at each: %s', (_, word) => {
  const [few = 0, many = 0] = readsEach(
    (length) => Array.from({ length }, (_, at) => (at % 2 === 0 ? word : 'fifty')),
    (words) => sumIn(words),
  );
  expect(many).toBeLessThanOrEqual(few * 1.1);
});

test('a sum is read without the words that stand far behind it', () => {
  const { list, reads } = counted(['5', 'cents', ...Array.from({ length: 1_000 }, () => 'thanks')]);
  expect(readAmount(list, 0)).toMatchObject({ kind: 'amount', used: 2 });
  expect(reads()).toBeLessThan(list.length / 2);
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
