import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createErasureList, erasedName } from '../../../service/readiness/erasure-list.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'pennypost-erasures-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

test('an erasure is kept outside the database, without its person’s name', async () => {
  expect(await createErasureList(dataDir).read()).toEqual([]);
  await createErasureList(dataDir).note('discord:1234567890', 7);
  await createErasureList(dataDir).note('telegram:42', 8);
  expect(await createErasureList(dataDir).read()).toEqual([
    { user: erasedName('discord:1234567890'), atMs: 7 },
    { user: erasedName('telegram:42'), atMs: 8 },
  ]);
  const path = join(dataDir, 'erasures.jsonl');
  expect(readFileSync(path, 'utf8')).not.toMatch(/1234567890|telegram/);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('a line that a crash cut off hides no other', async () => {
  const list = createErasureList(dataDir);
  await list.note('web:1', 7);
  appendFileSync(join(dataDir, 'erasures.jsonl'), '{"user":"ab');
  await list.note('web:2', 9);
  expect(await list.read()).toMatchObject([{ atMs: 7 }, { atMs: 9 }]);
});
