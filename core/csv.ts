/** One line per row, below the names of the columns (RFC 4180). */
export function formatCsv<Column extends string>(
  columns: readonly Column[],
  rows: readonly Readonly<Record<Column, string>>[],
): string {
  const lines = rows.map((row) => columns.map((column) => toCell(row[column])).join(','));
  return [columns.join(','), ...lines, ''].join('\r\n');
}

/** Quoted where needed, and escaped where a spreadsheet would read a formula. */
function toCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
