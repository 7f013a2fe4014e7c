import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AGENT_ROWS } from './coverage/agents.ts';
import { AMOUNT_ROWS } from './coverage/amounts.ts';
import { CLAIM_ROWS } from './coverage/claims.ts';
import { LIMIT_ROWS } from './coverage/limits.ts';
import { PAYING_ROWS } from './coverage/paying.ts';
import { PAYMENT_ROWS } from './coverage/payments.ts';
import { PLATFORM_ROWS } from './coverage/platforms.ts';
import { RETRYING_ROWS } from './coverage/retrying.ts';
import { REWARD_ROWS } from './coverage/rewards.ts';
import type { CoverageRow } from './coverage/row.ts';

/**
 * The index from promises to proofs. It fails when a test that is named here is renamed or thrown away, so that a
 * promise cannot lose its proof unnoticed: name another test, or bring this one back.
 */
const TESTS = join(import.meta.dirname, '..');
const SECTIONS: readonly [section: string, rows: readonly CoverageRow[]][] = [
  ['1. platforms', PLATFORM_ROWS],
  ['2. amounts and bodies', AMOUNT_ROWS],
  ['3. the price and its proof', PAYING_ROWS],
  ['3. the same request again', RETRYING_ROWS],
  ['4. payments', PAYMENT_ROWS],
  ['5. rewards', REWARD_ROWS],
  ['6. and 7. tools and skills', AGENT_ROWS],
  ['8. claims', CLAIM_ROWS],
  ['9. errors, limits, other routes', LIMIT_ROWS],
];
const ALL = SECTIONS.flatMap(([, rows]) => rows);

describe.each(SECTIONS)('%s', (_section, rows) => {
  test.each(rows.map((row) => [row.says, row] as const))('%s', (_says, { tests }) => {
    expect(tests.filter(([file, title]) => !isThere(file, title))).toEqual([]);
    expect(tests.length, 'a promise has a test').toBeGreaterThan(0);
  });
});

test('no promise stands there twice', () => {
  expect(new Set(ALL.map(({ says }) => says)).size).toBe(ALL.length);
});

describe('CONTROL: what is not there is missed', () => {
  const [file, title] = ['contract/order.test.ts', 'the syntax is judged, and no platform is asked'];
  test.each([
    ['a title that nobody wrote', file, 'the syntax is judged, and every platform is asked'],
    ['a part of a title', file, 'the syntax is judged'],
    ['a title in another file', 'contract/answers.test.ts', title],
    ['a file that is gone', 'contract/gone.test.ts', title],
  ])('%s', (_name, otherFile, otherTitle) => {
    expect(isThere(otherFile, otherTitle)).toBe(false);
    expect(isThere(file, title)).toBe(true);
  });
});

/** Whether the file has this text as a whole literal: titles and the first cells of tables are nothing else. */
function isThere(file: string, title: string): boolean {
  const path = join(TESTS, file);
  if (!existsSync(path)) return false;
  const source = readFileSync(path, 'utf8').replaceAll(/\\(['"`])/g, '$1');
  return ["'", '"', '`'].some((quote) => source.includes(quote + title + quote));
}
