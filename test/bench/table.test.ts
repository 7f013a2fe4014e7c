import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { figuresOf, type Sample } from '../../scripts/bench/figures.ts';
import { plotOf } from '../../scripts/bench/plot.ts';
import { ROWS } from '../../scripts/bench/rows.ts';
import { readSettings } from '../../scripts/bench/settings.ts';
import { tableOf, withTable } from '../../scripts/bench/table.ts';
import type { Result } from '../../scripts/bench/results.ts';

const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'performance.md'), 'utf8');

const sample = (ours: number, value: number): Sample => ({
  what: 'settled a second',
  unit: '/s',
  better: 'more',
  ours,
  beside: { name: 'stock', value },
  gate: { of: 'ratio', at: 3 },
});
const rounds = [sample(300, 50), sample(90, 60), sample(240, 80)].map((one) => ({ load: 0.5, samples: [one] }));
const measured: Result = {
  name: 'sustained',
  tree: 'abc',
  told: '',
  about: 'SQLite',
  read: 'More is better.',
  rounds,
  lines: [],
  ended: true,
};
const printed: Result = { ...measured, name: 'move', rounds: [], lines: ['1 | 2'] };

test('a figure is the median of its rounds; its ratio is that of each round by itself', () => {
  expect(figuresOf(rounds.map(({ samples }) => samples))).toEqual([
    expect.objectContaining({
      ours: { median: 240, least: 90, most: 300 },
      beside: { name: 'stock', median: 60, least: 50, most: 80 },
      // 6, 1.5 and 3: not 240 : 60.
      ratio: { median: 3, least: 1.5, most: 6 },
      holds: true,
    }),
  ]);
  const worse = figuresOf([[sample(100, 50)]]);
  expect(worse[0]?.holds).toBe(false);
});

test('the table is written into its place, and what people wrote beside it stays', () => {
  const table = tableOf([measured, printed]);
  expect(table).toContain(
    '| sustained | settled a second | 240 (90 to 300) /s | stock 60 (50 to 80) | 3 (1.5 to 6) | 3 holds |',
  );
  expect(table).toContain('- `sustained`: SQLite; 3 rounds at abc, load of the machine 0.5 to 0.5. More is better.');
  expect(table).toContain('`move` printed:\n\n```\n1 | 2\n```');
  const once = withTable(page, table);
  expect(withTable(once, table)).toBe(once);
  const around = (text: string) => [text.split('<!-- bench')[0], text.split('bench: end -->')[1]];
  expect(around(once)).toEqual(around(page));
  expect(() => withTable('# a page', 'table')).toThrow('no place for the table');
});

test('the plot has a dot for each figure with another beside it', () => {
  expect(plotOf([measured, printed]).match(/<circle/g)).toHaveLength(1);
});

test('of a setting that is given twice the last one counts', () => {
  const settings = readSettings(['burst-50', 'payers=50', 'payers=20']);
  expect([settings.row, settings.number('payers', 1), settings.number('rounds', 5)]).toEqual(['burst-50', 20, 5]);
  expect(() => readSettings(['burst-50', 'payers=many']).number('payers', 1)).toThrow('payers is a whole number');
  expect(Object.keys(ROWS).filter((name) => !/^[a-z0-9-]+$/.test(name))).toEqual([]);
});
