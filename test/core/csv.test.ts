import { describe, expect, test } from 'vitest';
import { formatCsv } from '../../core/csv.ts';

/**
 * What a spreadsheet makes of the table where the language of its reader has another separator: a quote counts at the beginning
 * of a cell only, so one within a line keeps nothing together.
 */
function cellsIn(table: string, separator: string): string[] {
  return table.split(/\r\n|\r|\n/).flatMap((row) => row.split(separator).map((cell) => cell.replace(/^["\s]+/, '')));
}

const FORMULA = /^[=+\-@＝＋－＠]/u;

describe('a text in a table', () => {
  test.each([
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\n=1',
    ' =1+1',
    '＝1+1',
    '＋1',
    '－1',
    '＠SUM(A1)',
    'alice;=HYPERLINK("https://evil.test")',
    'alice; =1',
    'alice\t=1',
    'alice\n=1',
    '";=1;"',
  ])('such as %j is no formula, with any separator', (text) => {
    const table = formatCsv(['name', 'sum'], [{ name: text, sum: '1' }]);
    expect(cellsIn(table, ';').filter((cell) => FORMULA.test(cell))).toEqual([]);
    expect(cellsIn(table, '\t').filter((cell) => FORMULA.test(cell))).toEqual([]);
    expect(table.slice('name,sum\r\n'.length)).not.toMatch(/^["\s]*[=+\-@]/);
  });

  test.each(['alice', 'x:bob', '1.5', 'a-b', 'a+b@example.com', '2026-11-20 12:00:00', 'Ann, Bob', 'a; b', '0xab=='])(
    'such as %j stays as it is',
    (text) => {
      const table = formatCsv(['name'], [{ name: text }]);
      expect(table.split('\r\n')[1]?.replaceAll('"', '')).toBe(text);
    },
  );

  test('a sum that its writer has formatted keeps its minus', () => {
    expect(formatCsv(['sum'], [{ sum: { number: '-1.5' } }])).toBe('sum\r\n-1.5\r\n');
  });
});
