import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DrizzleQueryError } from 'drizzle-orm/errors';
import { pino, type Logger } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '../../service/log.ts';

/** What a failed statement was asked with: a receipt's address, and a note of several lines. */
const CANARIES = ['canary-slug', 'canary-note', 'canary-detail'];

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'pennypost-log-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function failedStatement(): Error {
  const cause = Object.assign(new Error('duplicate key'), { detail: 'Key (slug)=(canary-detail) exists' });
  const query = new DrizzleQueryError('select 1 from lines', ['canary-slug', 'a\ncanary-note'], cause);
  return Object.assign(query, { detail: cause.detail });
}

const foundIn = (text: string) => CANARIES.filter((canary) => text.includes(canary));

test('an error is written with its statement and place, and without the values', () => {
  const log: Logger = createLog({ level: 'error', dataDir: dir, secrets: () => [] });
  log.error({ err: failedStatement() }, 'failed');
  const written = readFileSync(join(dir, 'pennypost.log'), 'utf8');
  expect(foundIn(written)).toEqual([]);
  // Compiled, this file has another ending.
  for (const part of ['select 1 from lines', 'log.test.', 'caused by: Error: duplicate key']) {
    expect(written).toContain(part);
  }
});

test.each(['error', 'reason'])('so is the text of an error, as `%s`', (key) => {
  const log = createLog({ level: 'error', dataDir: dir, secrets: () => [] });
  log.error({ [key]: String(failedStatement()) }, `failed with ${key}`);
  const line = readFileSync(join(dir, 'pennypost.log'), 'utf8')
    .split('\n')
    .find((one) => one.includes(`with ${key}`));
  expect(line).toContain('Failed query: select 1 from lines');
  expect(foundIn(line ?? '')).toEqual([]);
});

test.skipIf(!existsSync('/dev/full'))('a full disk takes no line, and ends nothing', () => {
  const full = join(dir, 'full');
  mkdirSync(full);
  symlinkSync('/dev/full', join(full, 'pennypost.log'));
  const log = createLog({ level: 'error', dataDir: full, secrets: () => [] });
  for (const count of [1, 2, 3]) expect(() => log.error({ count }, 'no room')).not.toThrow();
});

test('CONTROL: written as errors come, it names them all', () => {
  const lines: string[] = [];
  pino({ level: 'error' }, { write: (line: string) => void lines.push(line) }).error(
    { err: failedStatement() },
    'failed',
  );
  expect(foundIn(lines.join(''))).toEqual(CANARIES);
});
