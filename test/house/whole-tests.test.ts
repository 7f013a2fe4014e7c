/** Which failures of a whole run are looked at again by themselves. */
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { BOOKS_FAIL, judge, saidOfSecond } from '../../scripts/whole-tests.mjs';
import { refuseViolations } from '../support/databases/refuse-violations.ts';

const failed = (message: string, name = '/a.test.ts') => ({
  name,
  status: 'failed',
  message: '',
  assertionResults: [{ status: 'failed', title: 'pays', failureMessages: [`Error: ${message}`] }],
});

test('a file that fails beside others is run once more', () => {
  expect(judge([failed('not there in time')]).isLookedAtAgain).toBe(true);
});

test('what failed compiled and passed from its sources is said on a line of its own', () => {
  const [late, broken] = [failed('late', resolve('late.test.ts')), failed('wrong', resolve('broken.test.ts'))];
  expect(saidOfSecond([late, broken], [broken]).split('\n')).toEqual([
    expect.stringMatching(/^FAILED AGAIN.*: broken\.test\.ts$/),
    expect.stringMatching(/^FAILED COMPILED, PASSED FROM SOURCES.*: late\.test\.ts$/),
    '',
  ]);
});

test('books that do not hold are not forgiven, and neither is a run in which much fails', () => {
  let thrown: unknown;
  try {
    refuseViolations([{ rule: 'assets = liabilities', detail: 'base: 1 too few' }]);
  } catch (error) {
    thrown = error;
  }
  expect(String(thrown)).toContain(BOOKS_FAIL);
  expect(judge([failed('not there in time'), failed(String(thrown))]).isLookedAtAgain).toBe(false);
  const many = Array.from({ length: 13 }, (_, index) => failed('not there in time', `/${index}.test.ts`));
  expect(judge(many).isLookedAtAgain).toBe(false);
  expect(judge([]).isLookedAtAgain).toBe(false);
});
