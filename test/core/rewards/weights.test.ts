import { expect, test } from 'vitest';
import { DEFAULT_WEIGHTS, formatWeights, parseWeights } from '../../../core/rewards/weights.ts';

test.each([
  ['none', undefined, { like: 1, comment: 2, repost: 3 }],
  ['null', null, { like: 1, comment: 2, repost: 3 }],
  ['numbers', { like: 0, comment: 100, repost: 0.000001 }, { like: 0, comment: 100, repost: 0.000001 }],
  ['texts', { like: '1', comment: '2.5', repost: '0' }, { like: 1, comment: 2.5, repost: 0 }],
  ['another key', { like: 1, comment: 1, repost: 1, quote: 7 }, { like: 1, comment: 1, repost: 1 }],
])('%s', (_case, value, expected) => {
  expect(formatWeights(parseWeights(value))).toEqual(expected);
});

test('are exact', () => {
  expect(parseWeights({ like: 0.1, comment: 0.2, repost: 0.3 })).toEqual({
    like: 100_000n,
    comment: 200_000n,
    repost: 300_000n,
  });
  expect(DEFAULT_WEIGHTS).toEqual({ like: 1_000_000n, comment: 2_000_000n, repost: 3_000_000n });
});

const ONE = { like: 1, comment: 1, repost: 1 };

test.each([
  ['a number', 3, '"weights" must be {like, comment, repost}'],
  ['a list', [1, 2, 3], '"weights" must be {like, comment, repost}'],
  ['nothing above 0', { like: 0, comment: 0, repost: 0 }, 'One of "weights" must be above 0'],
  ['a kind that is missing', { like: 1, comment: 1 }, '"weights.repost" must be 0 to 100'],
  ['above 100', { ...ONE, like: 100.000001 }, 'found 100.000001'],
  ['below 0', { ...ONE, like: -1 }, 'found -1'],
  ['a seventh decimal', { ...ONE, like: 0.0000001 }, '"weights.like"'],
  ['an exponent', { ...ONE, like: '1e1' }, 'found "1e1"'],
  ['no number', { ...ONE, like: Number.NaN }, 'found NaN'],
  ['null', { ...ONE, like: null }, 'found null'],
  ['an object', { ...ONE, like: {} }, 'found something else'],
])('%s is refused', (_case, value, problem) => {
  expect(() => parseWeights(value)).toThrow(problem);
});
