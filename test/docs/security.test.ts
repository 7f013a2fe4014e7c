import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TORTURES } from '../../scripts/torture/tortures.ts';

const ROOT = join(import.meta.dirname, '../..');
const text = readFileSync(join(ROOT, 'docs/security.md'), 'utf8');
const rows = text.split('\n').filter((line) => line.startsWith('| ') && !/^\| (what|found) \|/.test(line));

test('each line of what is protected names tests that exist', () => {
  const named = rows.map((row) => [...row.matchAll(/`(test\/[^`]+\.ts)`/g)].map(([, file = '']) => file));
  expect(named.filter((files) => files.length === 0)).toEqual([]);
  expect(named.flat().filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  const tortures = [...text.matchAll(/npm run torture -- (\w+)/g)].map(([, name = '']) => name);
  expect(tortures.filter((name) => !Object.hasOwn(TORTURES, name))).toEqual([]);
  expect(rows.length).toBeGreaterThan(10);
});
