/** Text, or a sum that its writer has formatted: a minus before it is no formula. */
export type Cell = string | { number: string };

/** One line per row, below the names of the columns (RFC 4180). */
export function formatCsv<Column extends string>(
  columns: readonly Column[],
  rows: readonly Readonly<Record<Column, Cell>>[],
): string {
  return `${columns.join(',')}\r\n${csvLines(columns, rows)}`;
}

/** The same without the names of the columns, for a table that is written in pieces. */
export function csvLines<Column extends string>(
  columns: readonly Column[],
  rows: readonly Readonly<Record<Column, Cell>>[],
): string {
  return rows.map((row) => `${columns.map((column) => toCell(row[column])).join(',')}\r\n`).join('');
}

/**
 * Where a spreadsheet reads a formula: at the beginning, and behind what begins a cell in the language of its reader. In
 * many that is a semicolon, and then a quote in the middle of a line keeps no cell together.
 */
const FORMULA = /(^|[;\t\r\n])(["'\s]*)(?=[=+\-@＝＋－＠])/gu;

/** Quoted where needed, and escaped where a spreadsheet would read a formula. */
function toCell(cell: Cell): string {
  if (typeof cell === 'object') return cell.number;
  const text = cell.replace(FORMULA, "$1$2'");
  const safe = /^[\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
