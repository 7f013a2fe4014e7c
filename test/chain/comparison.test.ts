/** What is made of two nodes' answers, with a clock that stands until it is moved. */
import { beforeEach, expect, test } from 'vitest';
import { createComparison, DIFFERS, LAGS, same, type Comparison, type ComparisonNews } from '../../chain/comparison.ts';
import { ChainUnavailable, type ChainFault } from '../../chain/errors.ts';

type Node = { height: number; says: number; fault: ChainFault | null; code: number | null };

let nowMs: number;
let first: Node;
let second: Node;
let news: ComparisonNews[];
let comparison: Comparison<Node>;

beforeEach(() => {
  nowMs = 1_000_000;
  first = { height: 100, says: 1, fault: null, code: null };
  second = { height: 100, says: 1, fault: null, code: null };
  news = [];
  const options = { first, second, nearBy: 3, tell: (one: ComparisonNews) => void news.push(one), now: () => nowMs };
  comparison = createComparison({ ...options, heightOf: (node) => answer(node, node.height) });
});

async function answer(node: Node, value: number): Promise<number> {
  if (node.fault !== null) throw new ChainUnavailable('question', node.fault, node.code);
  return value;
}

const question = (about = 'it') => ({
  method: 'question',
  about,
  ask: (node: Node) => answer(node, node.says),
  judge: (one: number, two: number) => (one === two ? same(one) : one === -1 ? LAGS : DIFFERS),
});
const ask = (about?: string) => comparison.one(question(about));

/** Asks on, as jobs of the worker do; what is asked beside a question is answered before the next one. */
async function askFor(ms: number, about?: string): Promise<string[]> {
  const outcomes: string[] = [];
  for (let passed = 0; passed <= ms; passed += 500) {
    outcomes.push(
      await ask(about).then(
        (found) => `${found}`,
        (error: unknown) => (error as ChainUnavailable).fault,
      ),
    );
    await new Promise((turn) => setImmediate(turn));
    nowMs += 500;
  }
  return outcomes;
}

test('what both say is the answer', async () => {
  expect([await ask(), comparison.disagrees(), comparison.compares()]).toEqual([1, false, true]);
});

test('what they contradict each other about is no answer; after two seconds they disagree, until they agree on it', async () => {
  second.says = 2;
  expect(await askFor(1_500)).toEqual(Array(4).fill('contradicted'));
  expect(comparison.disagrees()).toBe(false);
  await askFor(500);
  expect(comparison.disagrees()).toBe(true);
  // Another question says nothing about this one.
  second.says = 1;
  await askFor(0, 'something else');
  expect(comparison.disagrees()).toBe(true);
  await askFor(0);
  expect(comparison.disagrees()).toBe(false);
  expect(news).toEqual([{ kind: 'disagree', about: 'it' }, { kind: 'agree' }]);
});

test('a question that is not asked again is forgotten', async () => {
  second.says = 2;
  await askFor(3_000);
  expect(comparison.disagrees()).toBe(true);
  nowMs += 60_001;
  expect(comparison.disagrees()).toBe(false);
});

test('a node that lags is waited for, and is no liar', async () => {
  first.says = -1;
  second.says = 2;
  expect(await askFor(20_000)).toEqual(Array(41).fill('inconsistent'));
  expect([comparison.disagrees(), comparison.compares(), news]).toEqual([false, true, []]);
});

test('one lost answer of the second is no answer; one that is silent is left out until it is as far as the first', async () => {
  second.fault = 'timeout';
  expect((await askFor(4_000)).slice(0, 6)).toEqual(Array(6).fill('timeout'));
  expect(await ask()).toBe(1);
  expect([comparison.disagrees(), comparison.compares()]).toEqual([false, false]);
  // It comes back from the depths: until it is near, the first is believed.
  Object.assign(second, { fault: null, height: 10, says: 7 });
  expect((await askFor(4_000)).at(-1)).toBe('1');
  Object.assign(second, { height: 98, says: 1 });
  await askFor(4_000);
  expect([comparison.compares(), news]).toEqual([true, [{ kind: 'aside', why: 'silent' }, { kind: 'back' }]]);
});

test('one that refuses a kind of question is left out of that kind alone', async () => {
  const other = { ...question('other'), method: 'other', ask: async (node: Node) => node.says };
  Object.assign(second, { fault: 'refused', code: -32_601 });
  await askFor(3_000);
  expect([await ask(), news]).toEqual([1, expect.arrayContaining([{ kind: 'refuses', method: 'question' }])]);
  expect(comparison.compares()).toBe(false);
  second.says = 2;
  await expect(comparison.one(other)).rejects.toThrow('contradicted');
});

test('one that never answers a kind of question is left out of that kind alone, however well it answers others', async () => {
  const slow = (node: Node) =>
    node === second ? Promise.reject(new ChainUnavailable('slow', 'timeout')) : answer(node, node.says);
  const askSlow = () => comparison.one({ ...question('slow'), method: 'slow', ask: slow }).catch(() => null);
  for (let passed = 0; passed <= 3_500; passed += 500) {
    await askSlow();
    await askFor(0);
  }
  expect(await askSlow()).toBe(1);
  second.says = 2;
  expect(await askFor(0)).toEqual(['contradicted']);
});

test('one that has not come to the slot asked for is never left out', async () => {
  Object.assign(second, { fault: 'refused', code: -32_016 });
  expect(await askFor(20_000)).toEqual(Array(41).fill('refused'));
  expect(comparison.compares()).toBe(true);
});

test('a second that stands still while the first goes on is left out; one that only lags is not', async () => {
  for (let seconds = 0; seconds < 60; seconds += 1) {
    first.height += 1;
    second.height = first.height - 50;
    await askFor(500);
  }
  expect([comparison.compares(), news]).toEqual([true, []]);
  for (let seconds = 0; seconds < 40; seconds += 1) {
    first.height += 1;
    await askFor(500);
  }
  expect(news).toEqual([{ kind: 'aside', why: 'stuck' }]);
});

test('a first that stands still while the second goes on contradicts it', async () => {
  for (let seconds = 0; seconds < 40; seconds += 1) {
    second.height += 1;
    await askFor(500);
  }
  expect([comparison.disagrees(), comparison.compares()]).toEqual([true, true]);
  first.height = second.height;
  await askFor(2_500);
  expect(comparison.disagrees()).toBe(false);
});

test('each part of an answer is judged alone', async () => {
  const says = (node: Node) => [5, node.says];
  const parts = { ...question(), about: ['one', 'other'], ask: async (node: Node) => says(node) };
  expect(await comparison.each(parts)).toEqual([5, 1]);
  second.says = 2;
  await expect(comparison.each(parts)).rejects.toThrow('contradicted');
});

test('a first that does not answer is not replaced', async () => {
  first.fault = 'unreachable';
  await expect(ask()).rejects.toThrow('unreachable');
});
