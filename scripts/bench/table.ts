import { figuresOf, formatNumber, formatSeries, type Figure } from './figures.ts';
import type { Result } from './results.ts';

const START = '<!-- bench: what follows is written by `npm run bench -- all` -->';
const END = '<!-- bench: end -->';
const COLUMNS = ['row', 'figure', 'ours', 'beside', 'ours : beside', 'gate'];

/** A line for each figure; beneath them what each row ran on and how it is read, and what other rows printed. */
export function tableOf(results: readonly Result[]): string {
  const measured = results.filter(({ rounds }) => rounds.length > 0);
  const cells = measured.flatMap((result) =>
    figuresOf(result.rounds.map(({ samples }) => samples)).map((figure, index) =>
      rowOf([index === 0 ? result.name : '', ...cellsOf(figure)]),
    ),
  );
  const printed = results.filter(({ lines }) => lines.length > 0);
  return [
    '![Our figures as a multiple of what runs beside them](images/performance.svg)',
    '',
    ...(cells.length === 0 ? [] : [rowOf(COLUMNS), rowOf(COLUMNS.map(() => '---')), ...cells, '']),
    ...measured.map(noteOf),
    ...printed.flatMap(({ name, lines }) => ['', `\`${name}\` printed:`, '', '```', ...lines, '```']),
  ]
    .join('\n')
    .trimEnd();
}

function cellsOf({ what, unit, ours, beside, ratio, gate, holds }: Figure): string[] {
  const other = beside === null ? '' : `${beside.name} ${formatSeries(beside)}`;
  const judged = gate === undefined ? '' : `${formatNumber(gate.at)} ${holds ? 'holds' : '**missed**'}`;
  return [what, `${formatSeries(ours)} ${unit}`, other, ratio === null ? '' : formatSeries(ratio), judged];
}

function noteOf({ name, about, read, rounds, tree }: Result): string {
  const loads = rounds.map(({ load }) => load);
  const load = `${Math.min(...loads).toFixed(1)} to ${Math.max(...loads).toFixed(1)}`;
  const count = rounds.length === 1 ? '1 round' : `${rounds.length} rounds`;
  return `- \`${name}\`: ${about}; ${count} at ${tree}, load of the machine ${load}. ${read}`;
}

const rowOf = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

/** The page with this table between its marks; what people wrote beside it stays. */
export function withTable(page: string, table: string): string {
  const [start, end] = [page.indexOf(START), page.indexOf(END)];
  if (start === -1 || end < start) throw new Error(`the page has no place for the table: ${START} … ${END}`);
  return `${page.slice(0, start + START.length)}\n\n${table}\n\n${page.slice(end)}`;
}
