import { describe, expect, test } from 'vitest';
import { parseExposition, valueOf } from './exposition.ts';

const head = (type: string, name = 'a') => `# HELP ${name} What it is.\n# TYPE ${name} ${type}\n`;

test('what is well formed is read, with escaped labels and every kind of number', () => {
  const families = parseExposition(
    `${head('gauge')}a{b="c,d=\\"e\\"",f=""} -1.5e-7\na NaN\na{b="x"} +Inf\n\n${head('histogram', 'h')}h_bucket{le="1"} 2\nh_bucket{le="+Inf"} 3\nh_sum 4\nh_count 3\n`,
  );
  expect([...families.keys()]).toEqual(['a', 'h']);
  expect(valueOf(families, 'a', { f: '', b: 'c,d=\\"e\\"' })).toBe(-1.5e-7);
  expect(valueOf(families, 'a')).toBeNaN();
  expect(valueOf(families, 'a', { b: 'x' })).toBe(Infinity);
  expect(valueOf(families, 'h_bucket', { le: '1' })).toBe(2);
  expect(valueOf(families, 'h_count')).toBe(3);
  expect(valueOf(families, 'a', { b: 'y' })).toBeUndefined();
});

describe('CONTROL: a scraper’s stumbling block is found', () => {
  const histogram = `${head('histogram')}a_bucket{le="1"} 2\n`;
  test.each([
    ['a last line without an end', `${head('gauge')}a 1`, 'no end'],
    ['a sample that nobody announced', 'a 1\n', 'not announced'],
    ['a sample of another family', `${head('gauge')}b 1\n`, 'not announced'],
    ['a family that comes twice', `${head('gauge')}a 1\n${head('gauge')}`, 'described twice'],
    ['a series that comes twice', `${head('gauge')}a{b="1",c="2"} 1\na{c="2",b="1"} 1\n`, 'told twice'],
    ['an unknown type', head('number'), 'unknown type'],
    ['a type without its description', '# TYPE a gauge\n', 'not below its HELP'],
    ['a value that is no number', `${head('gauge')}a 0x10\n`, 'no sample'],
    ['a name with a dash', `${head('gauge')}a-b 1\n`, 'no sample'],
    ['an open quote', `${head('gauge')}a{b="1} 1\n`, 'broken labels'],
    ['a quote within a label', `${head('gauge')}a{b="1"2"} 1\n`, 'broken labels'],
    ['a label that comes twice', `${head('gauge')}a{b="1",b="2"} 1\n`, 'broken labels'],
    ['buckets that shrink', `${histogram}a_bucket{le="+Inf"} 1\na_sum 1\na_count 1\n`, 'does not add up'],
    ['a count beside the buckets', `${histogram}a_bucket{le="+Inf"} 2\na_sum 1\na_count 3\n`, 'does not add up'],
    ['buckets without an end', `${histogram}a_sum 1\na_count 2\n`, 'does not add up'],
  ])('%s', (_name, text, problem) => {
    expect(() => parseExposition(text)).toThrow(problem);
  });
});
