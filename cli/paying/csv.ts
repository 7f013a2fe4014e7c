import { quoteText } from '../../core/characters.ts';
import { readAmount, type OrderLine } from './order.ts';
import { onPlatform, readRecipient } from './recipient.ts';
import { Stop, toStop } from '../terminal/stop.ts';

/** A row and the line of the file on which it begins. */
type Row = { line: number; fields: string[] };

const COLUMNS = ['platform', 'receiver', 'recipient', 'amount', 'description'] as const;
type Column = (typeof COLUMNS)[number];

const HEADER =
  'The first line names the columns: platform,receiver,amount or recipient,amount; description may follow.';
const EXAMPLE = 'Such as: recipient,amount';

/**
 * Reads a table of payments. Every error names its line. A payment has one note, so the description must be the same on
 * all lines; otherwise a note would be lost.
 */
export function readCsv(text: string): { lines: OrderLine[]; note: string | null } {
  const [header, ...rows] = splitRows(text.replace(/^\uFEFF/, ''));
  if (header === undefined) throw atLine(1, 'The file is empty.', HEADER);
  const columns = readHeader(header);
  const read = rows.map((row) => readRow(row, columns));
  const [first] = read;
  if (first === undefined) throw atLine(header.line, 'Nobody is named below the header.', EXAMPLE);
  const other = read.find(({ note }) => note !== first.note);
  if (other !== undefined) {
    const next = 'Write the same on every line, or leave all of them empty and use --note.';
    throw atLine(other.line, 'A payment has one description, and this one differs from the first.', next);
  }
  return { lines: read.map(({ line: _line, note: _note, ...line }) => line), note: first.note };
}

function readRow({ line, fields }: Row, columns: readonly Column[]): OrderLine & { line: number; note: string | null } {
  if (fields.length !== columns.length) {
    throw atLine(
      line,
      `There are ${fields.length} fields for ${columns.length} columns.`,
      'Put a field with a comma in "quotes".',
    );
  }
  const field = (name: Column) => fields[columns.indexOf(name)]?.trim() ?? '';
  try {
    const recipient = columns.includes('recipient')
      ? readRecipient(field('recipient'))
      : onPlatform(field('platform'), field('receiver'));
    return { line, recipient, amount: readAmount(field('amount')), note: field('description') || null };
  } catch (error) {
    const stop = toStop(error);
    if (stop === null) throw error;
    throw atLine(line, stop.message, stop.next);
  }
}

function readHeader({ line, fields }: Row): readonly Column[] {
  const names = fields.map((field) => field.trim().toLowerCase());
  const columns = names.map((name) => {
    const column = COLUMNS.find((known) => known === name);
    if (column === undefined) throw atLine(line, `${quoteText(name)} is no column.`, HEADER);
    return column;
  });
  const has = (name: Column) => columns.includes(name);
  const isNamed = has('recipient') ? !has('platform') && !has('receiver') : has('platform') && has('receiver');
  if (new Set(columns).size !== columns.length || !isNamed || !has('amount')) {
    throw atLine(line, 'These columns do not say who gets what.', HEADER);
  }
  return columns;
}

/** Splits by the rules of RFC 4180; a field in quotes may hold commas, quotes written twice, and line ends. */
function splitRows(text: string): Row[] {
  const rows: Row[] = [];
  let row: Row = { line: 1, fields: [] };
  let line = 1;
  let at = 0;
  while (at < text.length) {
    const { field, end } = text[at] === '"' ? readQuoted(text, at, line) : readPlain(text, at, line);
    row.fields.push(field);
    line += countLines(text.slice(at, end));
    at = end;
    const isComma = text[at] === ',';
    if (isComma && at + 1 < text.length) {
      at += 1;
      continue;
    }
    // A comma at the end of the file is followed by one more, empty field.
    if (isComma) row.fields.push('');
    at += text.startsWith('\r\n', at) ? 2 : 1;
    line += 1;
    if (row.fields.some((one) => one.trim() !== '')) rows.push(row);
    row = { line, fields: [] };
  }
  return rows;
}

type Field = { field: string; end: number };

function readPlain(text: string, start: number, line: number): Field {
  const length = text.slice(start).search(/[,\r\n]/);
  const end = length < 0 ? text.length : start + length;
  const field = text.slice(start, end);
  if (field.includes('"'))
    throw atLine(
      line,
      'A quote stands inside a field.',
      'Put the whole field in "quotes", and write a quote in it twice.',
    );
  return { field, end };
}

function readQuoted(text: string, start: number, line: number): Field {
  const [whole, inner] = /^"((?:[^"]|"")*)"/.exec(text.slice(start)) ?? [];
  if (whole === undefined || inner === undefined) throw atLine(line, 'A quote is opened and never closed.', null);
  const end = start + whole.length;
  if (end < text.length && !/[,\r\n]/.test(text[end] ?? '')) {
    throw atLine(line, 'Something stands behind the closing quote.', 'Write a quote inside a field twice.');
  }
  return { field: inner.replaceAll('""', '"'), end };
}

function countLines(text: string): number {
  return text.match(/\r\n|\r|\n/g)?.length ?? 0;
}

function atLine(line: number, text: string, next: string | null): Stop {
  return new Stop('usage', 'bad_file', `Line ${line}: ${text}`, next);
}
