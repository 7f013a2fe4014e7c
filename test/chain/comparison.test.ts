/** What is made of two nodes' answers, with a clock that stands until it is moved. */
import { beforeEach, expect, test } from 'vitest';
import { createComparison, DIFFERS, LAGS, same, type Comparison, type ComparisonNews } from '../../chain/comparison.ts';
import { ChainUnavailable, type ChainFault } from '../../chain/errors.ts';

type Node = { height: number; ageMs: number; says: number; fault: ChainFault | null; code: number | null };

let nowMs: number;
/** Of our clock. */
let fastMs: number;
let first: Node;
let second: Node;
let news: ComparisonNews[];
let comparison: Comparison<Node>;

beforeEach(() => {
  nowMs = 1_000_000;
  fastMs = 0;
  first = { height: 100, ageMs: 0, says: 1, fault: null, code: null };
  second = { height: 100, ageMs: 0, says: 1, fault: null, code: null };
  news = [];
  const options = { first, second, nearBy: 3, tell: (one: ComparisonNews) => void news.push(one), now: () => nowMs };
  comparison = createComparison({
    ...options,
    heightOf: (node) => answer(node, node.height),
    timeMsOf: (node) => answer(node, nowMs - node.ageMs),
    wallNow: () => nowMs + fastMs,
  });
});

async function answer(node: Node, value: number): Promise<number> {
  if (Number.isNaN(value)) throw new ChainUnavailable('question', 'refused');
  if (node.fault !== null) throw new ChainUnavailable('question', node.fault, node.code);
  return value;
}

const question = (about = 'it') => ({
  method: 'question',
  at: 'latest',
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

test('a contradiction is no answer; after two seconds the nodes disagree, until they agree on it', async () => {
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
  // It comes back from the depths: while its newest block is old, the first is believed.
  Object.assign(second, { fault: null, height: 10, ageMs: 180_000, says: 7 });
  expect((await askFor(4_000)).at(-1)).toBe('1');
  Object.assign(second, { height: 98, ageMs: 0, says: 1 });
  await askFor(4_000);
  expect([comparison.compares(), news]).toEqual([true, [{ kind: 'aside', why: 'silent' }, { kind: 'back' }]]);
});

test('one that refuses a kind of question is left out of that kind alone', async () => {
  const other = { ...question('other'), method: 'other', ask: async (node: Node) => node.says };
  Object.assign(second, { fault: 'refused', code: -32_601 });
  await askFor(3_000);
  expect([await ask(), news]).toEqual([
    1,
    expect.arrayContaining([{ kind: 'refuses', method: 'question', at: 'latest' }]),
  ]);
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

test('one that keeps no old state is left out of questions about it alone, whatever else it answers', async () => {
  first.height = second.height = 1_000;
  const old = (at: number | string) => ({
    ...question(`old ${at}`),
    at,
    ask: (node: Node) =>
      node === second && (at === 'finalized' || Number(at) < 872)
        ? Promise.reject(new ChainUnavailable('question', 'refused', -32_000))
        : answer(node, node.says),
  });
  const askAll = (wanted: readonly (number | string)[]) =>
    Promise.all(
      wanted.map((at) => comparison.one(old(at)).catch((error: unknown) => (error as ChainUnavailable).fault)),
    );
  const wanted = ['latest', 990, 880, 'finalized', 860, 500];
  expect(await askAll(wanted)).toEqual([1, 1, 1, 'refused', 'refused', 'refused']);
  for (let passed = 0; passed <= 3_500; passed += 500) {
    await askAll(wanted);
    nowMs += 500;
  }
  expect(await askAll(wanted)).toEqual([1, 1, 1, 1, 1, 1]);
  second.says = 2;
  expect(await askAll(wanted)).toEqual([...Array(3).fill('contradicted'), 1, 1, 1]);
  expect(comparison.compares()).toBe(false);
});

test('a first that says a height far above the truth from the start leaves out nobody', async () => {
  first.height = 10_000;
  expect(await askFor(4_000)).toEqual(Array(9).fill('1'));
  second.says = 2;
  expect(await askFor(4_000)).toEqual(Array(9).fill('contradicted'));
  expect([comparison.compares(), comparison.disagrees()]).toEqual([true, true]);
  Object.assign(first, { height: 100, says: 2 });
  expect((await askFor(2_500)).at(-1)).toBe('2');
  expect(comparison.disagrees()).toBe(false);
});

test('nor does it with our clock minutes fast: a second that moves as time does is at the end of its chain', async () => {
  fastMs = 180_000;
  Object.assign(first, { height: 10_000, says: 666 });
  // Until its pace has shown, nothing is believed of either.
  const outcomes = await askFor(20_000);
  expect(new Set(outcomes.slice(0, 12))).toEqual(new Set(['inconsistent']));
  expect(new Set(outcomes)).toEqual(new Set(['inconsistent', 'contradicted']));
  expect([comparison.compares(), comparison.disagrees()]).toEqual([true, true]);
});

test('nor does it when the second was silent and our clock is minutes fast', async () => {
  fastMs = 180_000;
  await askFor(0);
  second.fault = 'timeout';
  await askFor(4_000);
  expect(comparison.compares()).toBe(false);
  Object.assign(first, { height: 10_000, says: 666 });
  second.fault = null;
  await askFor(12_000);
  expect([await askFor(0), comparison.compares()]).toEqual([['contradicted'], true]);
});

test('a second that starts half a minute behind is compared from the start, and nobody is doubted', async () => {
  Object.assign(second, { height: 80, ageMs: 40_000 });
  expect(new Set(await askFor(20_000))).toEqual(new Set(['1']));
  expect([comparison.compares(), comparison.disagrees(), news]).toEqual([true, false, []]);
});

test('a second that was silent is compared again once its newest block is new, whatever height the first says', async () => {
  second.fault = 'timeout';
  await askFor(4_000);
  expect(comparison.compares()).toBe(false);
  Object.assign(first, { height: 10_000 });
  Object.assign(second, { fault: null, height: 101, says: 2 });
  await askFor(2_500);
  expect([await askFor(0), comparison.compares()]).toEqual([['contradicted'], true]);
});

test('a second that does not say how old its newest block is stays compared', async () => {
  second.height = 10;
  second.ageMs = Number.NaN;
  expect(new Set(await askFor(4_000))).toEqual(new Set(['1']));
  expect([comparison.compares(), comparison.disagrees()]).toEqual([true, false]);
});

test('one that comes up from far behind is left out until its newest block is new', async () => {
  Object.assign(second, { height: 10, ageMs: 800_000 });
  first.says = -1;
  const outcomes: string[] = [];
  for (let seconds = 0; seconds < 20; seconds += 1) {
    outcomes.push(...(await askFor(500)));
    second.ageMs -= 10_000;
    second.height += 1;
  }
  expect(new Set(outcomes.slice(0, 12))).toEqual(new Set(['inconsistent']));
  expect([outcomes.at(-1), comparison.compares(), news]).toEqual(['-1', false, [{ kind: 'aside', why: 'behind' }]]);
  Object.assign(second, { height: 98, ageMs: 0, says: 1 });
  first.says = 2;
  await askFor(2_500);
  expect([await askFor(0), comparison.compares()]).toEqual([['contradicted'], true]);
});

test('one that starts old and stands still is left out, and nothing is believed before', async () => {
  second.height = 10;
  const outcomes: string[] = [];
  for (let seconds = 0; seconds < 40; seconds += 1) {
    second.ageMs = 180_000 + seconds * 1_000;
    outcomes.push(...(await askFor(500)));
  }
  expect([outcomes[0], outcomes.at(-1)]).toEqual(['inconsistent', '1']);
  expect(news).toEqual([{ kind: 'aside', why: 'stuck' }]);
});

test.each([
  ['from the start on', false],
  ['after it was up', true],
])('one that reads blocks of hours ago at the pace of its chain is left out, %s', async (_, wasUp) => {
  if (wasUp) await askFor(4_000);
  Object.assign(first, { height: 20_000 });
  // Its age stays the same: it moves as time does.
  Object.assign(second, { height: 100, ageMs: 6 * 3_600_000, says: -1 });
  await askFor(2_000);
  expect([new Set(await askFor(20_000)), news]).toEqual([new Set(['1']), [{ kind: 'aside', why: 'behind' }]]);
  Object.assign(second, { height: 20_000, ageMs: 0, says: 2 });
  await askFor(2_500);
  expect([await askFor(0), comparison.compares()]).toEqual([['contradicted'], true]);
});

test('one that starts old and falls further behind is left out, though it gets a block now and then', async () => {
  second.height = 10;
  const outcomes: string[] = [];
  for (let seconds = 0; seconds < 40; seconds += 1) {
    // A block of two seconds in ten.
    const blocks = Math.floor(seconds / 10);
    Object.assign(second, { height: 10 + blocks, ageMs: 180_000 + (seconds - 2 * blocks) * 1_000 });
    outcomes.push(...(await askFor(500)));
  }
  expect([outcomes[0], outcomes.at(-1), news]).toEqual(['inconsistent', '1', [{ kind: 'aside', why: 'stuck' }]]);
});

test('one that has not come to the slot asked for is never left out', async () => {
  Object.assign(second, { fault: 'refused', code: -32_016 });
  expect(await askFor(20_000)).toEqual(Array(41).fill('refused'));
  expect(comparison.compares()).toBe(true);
});

test('a second that stands still while the first goes on is left out; one that only lags is not', async () => {
  await askFor(0);
  first.height += 50;
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
