import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse, readTree } from '../../scripts/house/tree.ts';
import { chooseMutants, globPattern, mirroredTests } from '../../scripts/mutants/choose.ts';
import { mutate, mutationsIn } from '../../scripts/mutants/mutations.ts';
import { lostSince, readResults, type MutantResult, type Outcome } from '../../scripts/mutants/results.ts';
import { runMutants } from '../../scripts/mutants/run.ts';
import { plantTree } from './scratch-tree.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PARSED = 50;
const LIMIT_MS = 60_000;
/** A mutant that never ends is out of time whatever the limit. */
const SHORT_LIMIT_MS = 2_000;

/** The sum of what is there, which ends in no time only while it counts down. */
const MONEY = `export function half(cents: bigint): bigint {
  if (cents < 0n) throw new Error('negative');
  return cents / 2n;
}
export const unseen = (cents: bigint) => cents + 7n;
export function count(left: number): number {
  for (; left > 0; left = left + -1) void 0;
  return left;
}
`;
const MONEY_TEST = `import { expect, test } from 'vitest';
import { count, half } from '../../core/money.ts';
test('half', () => expect(half(4n)).toBe(2n));
test('negative', () => expect(() => half(-1n)).toThrow('negative'));
test('count', () => expect(count(3)).toBe(0));
`;
const PASSES = `import { expect, test } from 'vitest';\ntest('passes', () => expect(1).toBe(1));\n`;
const FAILS = `import { expect, test } from 'vitest';\ntest('fails', () => expect(1).toBe(2));\n`;

describe('a change', () => {
  test.each<[string, string[]]>([
    ['a < b', ['a <= b']],
    ['a >= b', ['a > b']],
    ['a !== b', ['a === b']],
    ['a && b || c', ['a || b || c', 'a && b && c']],
    ['a + b', ['a - b']],
    [`a + 'text'`, []],
    ['a ? b : c', ['!(a) ? b : c']],
    ['41', ['42']],
    ['1_000n', ['1001n']],
    ['and(a, ...b)', ['and(undefined, ...b)', 'and(a, undefined)']],
    [`log.warn({ a: 1 }, 'text')`, []],
  ])('of %s', (expression, changed) => {
    const text = `x = ${expression};`;
    expect(mutationsIn('a.ts', text).map((one) => mutate(text, one))).toEqual(changed.map((one) => `x = ${one};`));
  });

  test.each<[string, string[]]>([
    ['if (a) return;', [';', 'if (!(a)) return;']],
    ['if (a) { throw b; }', [';', 'if (!(a)) { throw b; }']],
    ['if (a) b();', ['if (!(a)) b();']],
    ['await a(b);', [';']],
    ['const c = await a(b);', []],
    ['type A = 1;', []],
  ])('of the statement %s', (statement, changed) => {
    const text = `async function f() { for (;;) { ${statement} } }`;
    const expected = changed.map((one) => `async function f() { for (;;) { ${one} } }`);
    expect(mutationsIn('a.ts', text).map((one) => mutate(text, one))).toEqual(expected);
  });
});

describe('the mutants of this repository', () => {
  const { texts } = readTree(ROOT);
  const mutants = chooseMutants(texts, 'a', null);
  /** Few files are enough for what is true of any. */
  const few = new Map([...texts].filter(([file]) => file.startsWith('core/') || file.startsWith('test/core/')));
  const idsOf = (of: typeof texts, seed = 'a') => chooseMutants(of, seed, null).map(({ id }) => id);

  test('are thousands, each of its own, and those that come first still parse', () => {
    expect(mutants.length).toBeGreaterThan(2_000);
    expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length);
    for (const mutant of mutants.slice(0, PARSED)) parse(mutant.file, mutate(texts.get(mutant.file) ?? '', mutant));
  });

  test('come in an order that the seed decides, and that a new line elsewhere does not move', () => {
    const money = texts.get('core/money.ts') ?? '';
    const ids = idsOf(few);
    expect(ids.length).toBeGreaterThan(100);
    const longer = new Map(few).set('core/money.ts', `// A line.\n${money}`).set('db/transfers/new.ts', 'x = 1 < y;\n');
    const ofAll = idsOf(longer);
    expect(ofAll.length).toBeGreaterThan(ids.length);
    expect(ofAll.filter((id) => !id.startsWith('db/transfers/new.ts'))).toEqual(ids);
    expect(idsOf(few, 'b')).not.toEqual(ids);
  });

  test('are those of the files that a glob names', () => {
    const files = new Set(chooseMutants(texts, 'a', globPattern('core/m*.ts')).map(({ file }) => file));
    expect([...files]).toEqual(['core/money.ts']);
    expect(globPattern('db/**').test('db/scan/land-transfer.ts')).toBe(true);
    expect(globPattern('db/*.ts').test('db/scan/land-transfer.ts')).toBe(false);
  });
});

test('the tests of a file are in the folder that mirrors its own, or in the nearest above', () => {
  const files = ['test/db/a.test.ts', 'test/db/tasks/b.test.ts', 'test/db/tasks/world.ts'];
  expect(mirroredTests('db/tasks/open.ts', files)).toEqual(['test/db/tasks/b.test.ts']);
  expect(mirroredTests('db/payments/reserve.ts', files)).toEqual(['test/db/a.test.ts']);
  expect(mirroredTests('core/money.ts', files)).toEqual([]);
});

describe('in a project of its own', () => {
  const lines: string[] = [];
  let root = '';
  let out = '';

  beforeAll(() => {
    root = plantTree({
      'package.json': '{ "type": "module" }',
      'core/money.ts': MONEY,
      'core/payments/x402.ts': 'export const one = 1;\n',
      'test/core/money.test.ts': MONEY_TEST,
      'test/flow/payments/pay.test.ts': PASSES,
    });
    out = join(root, '.cache/results.jsonl');
  });

  afterAll(() => rmSync(root, { recursive: true, force: true }));

  test('a mutant is killed or survives, or never ends and is ended, and the checkout stays as it is', async () => {
    await tryThose(['drops the guard', 'cents + 7n'], LIMIT_MS);
    await tryThose(['left + -1'], SHORT_LIMIT_MS);
    expect(lines.splice(0)).toHaveLength(3);
    expect(outcomes()).toEqual({
      'drops the guard': 'killed',
      'cents + 7n': 'survived',
      'left + -1': 'timed out',
    });
    expect(readFileSync(join(root, 'core/money.ts'), 'utf8')).toBe(MONEY);
  });

  test('tests that fail by themselves kill nothing', async () => {
    appendFileSync(join(root, 'test/core/money.test.ts'), FAILS.split('\n')[1] ?? '');
    await tryThose(['not (cents < 0n)'], LIMIT_MS);
    expect(lines.splice(0)).toHaveLength(1);
    expect(outcomes()).toMatchObject({ 'not (cents < 0n)': 'untested' });
  });

  async function tryThose(changes: string[], limitMs: number): Promise<void> {
    const { files, texts } = readTree(root);
    const mutants = chooseMutants(texts, 'a', null).filter(({ change }) =>
      changes.some((one) => change.startsWith(one)),
    );
    await runMutants(mutants, { root, files, out, limitMs, log: (line) => lines.push(line) });
  }

  function outcomes(): Record<string, Outcome> {
    const names = ['drops the guard', 'cents + 7n', 'left + -1', 'not (cents < 0n)'];
    return Object.fromEntries(
      readResults(out).map(({ change, outcome }) => [names.find((name) => change.startsWith(name)) ?? change, outcome]),
    );
  }
});

test('a mutant that was killed must be killed again: to survive and not to be tried are losses', () => {
  const before = (['kept', 'slow', 'lost', 'gone'] as const).map((id) => result(id, 'killed'));
  const after = [result('kept', 'killed'), result('slow', 'timed out'), result('lost', 'survived')];
  expect(lostSince([...before, result('never', 'survived')], after)).toEqual([
    '  a.ts:1  lost: survived',
    '  a.ts:1  gone: not tried',
  ]);
});

function result(id: string, outcome: Outcome): MutantResult {
  return { id, file: 'a.ts', line: 1, change: id, outcome, seconds: 1 };
}
