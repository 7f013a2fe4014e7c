import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { byFile, byFolder, bySharedTitle, byTitle, readTestFiles } from '../../scripts/house/test-times.ts';
import { plantTree } from './scratch-tree.ts';

const SUITE = `
test('of 5 parts', () => undefined);
test.each(TABLE)('of %s parts', () => undefined);
test.each(TABLE)('%s', () => undefined);
`;

test('seconds are added up by folder, file, table and shared title', () => {
  const results = [
    suite('core/a.test.ts', 9_000, ['of 5 parts', 'of no parts', 'of 7 parts', 'another', 'round 1', 'round 2']),
    suite('core/b.test.ts', 3_000, ['round 1']),
    suite('db/c.test.ts', 1_000, []),
  ];
  const root = plantTree({ 'result.json': JSON.stringify({ testResults: results }) });
  const files = readTestFiles(join(root, 'result.json'));
  rmSync(root, { recursive: true });

  expect(byFolder(files)).toEqual([
    { name: 'test/core', seconds: 12, tests: 7 },
    { name: 'test/db', seconds: 1, tests: 0 },
  ]);
  expect(byFile(files).map(({ name }) => name)).toEqual([
    'test/core/a.test.ts',
    'test/core/b.test.ts',
    'test/db/c.test.ts',
  ]);
  expect(byTitle(files, new Map([['test/core/a.test.ts', SUITE]]))).toEqual([
    { name: 'test/core/a.test.ts  %s', seconds: 3, tests: 3 },
    { name: 'test/core/a.test.ts  of %s parts', seconds: 2, tests: 2 },
  ]);
  expect(byTitle(files, new Map())).toEqual([
    { name: 'test/core/a.test.ts  of # parts', seconds: 2, tests: 2 },
    { name: 'test/core/a.test.ts  round #', seconds: 2, tests: 2 },
  ]);
  expect(bySharedTitle(files)).toEqual([
    { name: 'round 1  (test/core/a.test.ts, test/core/b.test.ts)', seconds: 2, tests: 2 },
  ]);
});

function suite(file: string, durationMs: number, titles: string[]) {
  const assertionResults = titles.map((title) => ({ title, duration: 1_000 }));
  return { name: `/somewhere/test/${file}`, startTime: 50_000, endTime: 50_000 + durationMs, assertionResults };
}
