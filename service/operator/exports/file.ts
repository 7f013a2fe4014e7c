import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { csvLines, formatCsv, type Cell } from '../../../core/csv.ts';

type Row<Column extends string> = Readonly<Record<Column, Cell>>;

/**
 * Writes a new file, in pieces, for its owner only: it tells what this service has, and when. Nothing is left of one that
 * could not be finished.
 */
export async function writeCsv<Column extends string, Result>(
  file: string,
  columns: readonly Column[],
  write: (add: (rows: readonly Row<Column>[]) => void) => Promise<Result>,
): Promise<Result> {
  const out = openSync(file, 'wx', 0o600);
  try {
    writeSync(out, formatCsv(columns, []));
    const result = await write((rows) => void writeSync(out, csvLines(columns, rows)));
    fsyncSync(out);
    return result;
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  } finally {
    closeSync(out);
  }
}

/** Exactly, in full units. */
export function decimalText(amount: bigint, decimals: number): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
