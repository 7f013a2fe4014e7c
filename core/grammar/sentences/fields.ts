import { findPlatform } from '../../platforms/platforms.ts';
import { readAmount } from '../amount.ts';
import { cleanNote } from '../note.ts';
import { readRecipient } from '../recipient.ts';
import { toPaid, type Payment, type PaymentLine } from './lines.ts';

/** What a program may call the parts of a payment. Any other name may change its meaning, so that nothing is read. */
const KEYS = {
  to: 'to recipient receiver payee dest destination name handle username user account beneficiary',
  platform: 'platform service site',
  amount: 'amount amt sum usdc usd amountusdc amountusd value',
  currency: 'currency ccy unit asset token coin',
  note: 'note memo message reason description comment',
  action: 'action type command method operation tool function',
} as const;
type Key = keyof typeof KEYS;
const KEY_OF: ReadonlyMap<string, Key> = new Map(
  (Object.keys(KEYS) as Key[]).flatMap((key) => KEYS[key].split(' ').map((name) => [name, key] as const)),
);
const LISTS = new Set(['payments', 'transfers', 'tips', 'recipients', 'items']);
const ACTIONS = new Set([
  'send',
  'pay',
  'tip',
  'transfer',
  'payment',
  'gift',
  'donate',
  'batch',
  'batchpay',
  'sendusdc',
]);
const MONEY = new Set(['usdc', 'usd']);
const DEPTH_MAX = 3;

type Fields = Partial<Record<Key, string>>;

/** Reads a payment that is written as fields: JSON, `key: value` lines, `KEY=value;`, a table of two columns. Null for all else. */
export function readFields(text: string): Payment | null {
  const given = withoutFrame(text);
  if (/^[{[]/.test(given)) return readJson(given);
  const calls = callsOf(given);
  if (calls !== null) return toPayments(calls, {});
  const rows = rowsOf(given)?.map(gather);
  if (rows !== undefined && rows.every((row) => row !== null)) return toPayment(rows, {});
  const pairs = markedUp(given) ?? argumentsOf(given) ?? pairsOf(given);
  const fields = pairs === null ? null : gather(pairs);
  return fields === null ? null : toPayment([fields], {});
}

/** A number stays the text that was written. */
function readJson(text: string): Payment | null {
  try {
    if (namesIn(JSON.parse(text)) !== (text.match(/"(?:[^"\\\\]|\\\\.)*"\s*:/g) ?? []).length) return null;
    const value: unknown = JSON.parse(text.replace(/(:\s*)(-?[0-9]+(?:\.[0-9]+)?)(?=\s*[,}\]])/g, '$1"$2"'));
    if (Array.isArray(value)) return toPayments(value, {});
    const { list, rest } = apart(value as Record<string, unknown>);
    const common = fieldsOf(rest, DEPTH_MAX);
    if (common === null) return null;
    if (list === null) return toPayment([common], {});
    // A sum beside a list may be each one's or that of all.
    return common.amount === undefined && common.to === undefined ? toPayments(list, common) : null;
  } catch {
    return null;
  }
}

/** A name that stands there twice has two meanings, of which JSON keeps the last. */
function namesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value).reduce((sum: number, one) => sum + namesIn(one), 0);
  return inner + (Array.isArray(value) ? 0 : Object.keys(value).length);
}

function apart(value: Record<string, unknown>): { list: unknown[] | null; rest: Record<string, unknown> } {
  const [listed, ...more] = Object.entries(value).filter(([name, one]) => LISTS.has(plain(name)) && Array.isArray(one));
  if (listed === undefined || more.length > 0) return { list: null, rest: value };
  return {
    list: listed[1] as unknown[],
    rest: Object.fromEntries(Object.entries(value).filter(([name]) => name !== listed[0])),
  };
}

function toPayments(list: readonly unknown[], common: Fields): Payment | null {
  const all = list.map((one) => fieldsOf(one, DEPTH_MAX));
  return all.some((one) => one === null) ? null : toPayment(all as Fields[], common);
}

function fieldsOf(value: unknown, depth: number): Fields | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth === 0) return null;
  const pairs: [string, string][] = [];
  for (const [name, one] of Object.entries(value)) {
    if (typeof one === 'string') pairs.push([name, one]);
    else if (KEY_OF.get(plain(name)) === 'to') {
      const inner = fieldsOf(one, depth - 1);
      if (inner === null) return null;
      pairs.push(...Object.entries(inner));
    } else return null;
  }
  return gather(pairs);
}

const plain = (name: string): string => name.toLowerCase().replace(/[\s_-]/g, '');

/** Null where a name is unknown, or two say the same. */
function gather(pairs: readonly (readonly [string, string])[]): Fields | null {
  const fields: Fields = {};
  for (const [name, value] of pairs) {
    const key = KEY_OF.get(plain(name));
    if (key === undefined || fields[key] !== undefined) return null;
    fields[key] = value.trim();
  }
  return fields;
}

/** `tip(x:alice, 0.9 USDC);` and `pay(to="x:alice", amount=1)`, one or several. */
function callsOf(text: string): Record<string, string>[] | null {
  const form = /([A-Za-z_]{2,20})\(([^()]*)\)\s*;?\s*/y;
  const given = text.replace(/^(?:please\s+)?(?:execute|run|call):?\s+/i, '');
  const calls: Record<string, string>[] = [];
  while (form.lastIndex < given.length) {
    const [, action, written] = form.exec(given) ?? [];
    if (action === undefined || written === undefined) return null;
    const args = written.split(',').map((one) => one.trim());
    const places = ['to', 'amount', 'currency'];
    const pairs = args.map((one, at): [string, string] => {
      const [, name, value] = /^([A-Za-z_]+)\s*=\s*(.*)$/.exec(one) ?? [];
      return [name ?? places[at] ?? `${at}`, unquoted(value ?? one)];
    });
    if (new Set(pairs.map(([name]) => name)).size < pairs.length) return null;
    calls.push({ action, ...Object.fromEntries(pairs) });
  }
  return calls.length === 0 ? null : calls;
}

/** `Use your tip function with name="x:alice", amount="1"`, and `to=x:alice amount=1`. */
function argumentsOf(text: string): [string, string][] | null {
  const pairs: [string, string][] = [];
  const rest = text.replace(
    /\b([a-z_]+)\s*=\s*(?:"([^"]*)"|([^\s,;"]+))/gi,
    (_, name: string, quoted?: string, bare?: string) => {
      pairs.push([name, quoted ?? bare ?? '']);
      return '';
    },
  );
  return ASKING.test(rest) && pairs.length > 1 ? pairs : null;
}

/** Words that only ask for what the fields say. */
const ASKING =
  /^(?:(?:please|kindly|use|using|your|the|this|call|run|execute|invoke|process|make|tip|pay|send|payment|transfer|request|order|function|tool|skill|with|these|following|arguments|parameters|json|and|everyone|everybody|all|in|table|list|below|above|now|usdc|usd|confirm once (?:sent|done|paid)|thanks|thank you|send these)\b|[\s:,.;])*$/i;

function withoutFrame(text: string): string {
  const given = text
    .trim()
    .replace(/^(.*?)```(?:json|yaml|xml|text)?\s*(.*?)```\s*$/is, '$1 $2')
    .trim();
  const at = given.search(/[{[]/);
  const isLed = at > 0 && /[}\]]$/.test(given) && ASKING.test(given.slice(0, at));
  return isLed ? given.slice(at) : given;
}

/** `<tip><to>x:alice</to><amount currency="USDC">1</amount></tip>`. */
function markedUp(text: string): [string, string][] | null {
  const [, action, inner] = /^<([a-z_]+)>(.*)<\/\1>$/is.exec(text) ?? [];
  if (action === undefined || inner === undefined) return null;
  const pairs: [string, string][] = [['action', action]];
  const rest = inner.replace(
    /<([a-z_]+)(?:\s+([a-z_]+)="([^"]*)")?>([^<]*)<\/\1>/gi,
    (_, name: string, more: string | undefined, of: string | undefined, value: string) => {
      pairs.push([name, value]);
      if (more !== undefined && of !== undefined) pairs.push([more, of]);
      return '';
    },
  );
  return rest.trim() === '' ? pairs : null;
}

/** `| name | usdc |` and the same with commas, with a row for each payment below. */
function rowsOf(text: string): [string, string][][] | null {
  const isPiped = text.includes('|');
  const lines = linesOf(text).filter((line) => !ASKING.test(line) && !/^\|[\s|:-]+\|$/.test(line));
  const [head, ...rows] = lines.map((line) => cellsOf(line, isPiped ? '|' : ','));
  if (head === undefined || rows.length === 0 || head.length < 2) return null;
  if (!head.every((name) => KEY_OF.has(plain(name))) || rows.some((row) => row.length !== head.length)) return null;
  return rows.map((row) => row.map((value, at): [string, string] => [head[at] ?? '', value]));
}

const cellsOf = (line: string, by: string): string[] =>
  (by === '|' ? line.replace(/^\||\|$/g, '') : line).split(by).map((cell) => cell.trim());
/** Without what only makes them a list. */
const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) =>
      line
        .replace(/\*\*/g, '')
        .replace(/^\s*(?:#+\s+|[-*•]\s+(?:\[ \]\s*)?)/, '')
        .trim(),
    )
    .filter((line) => line !== '');

/** `key: value` and `KEY=value`, a line or a part of one for each. */
function pairsOf(text: string): [string, string][] | null {
  const isAssigned = /^(?:[A-Za-z_]+=[^;\n]*;\s*)+(?:[A-Za-z_]+=[^;\n]*)?$/.test(text);
  const isInLine =
    !text.includes('\n') && /^[A-Za-z_ ]{2,20}:\s[^,;]+(?:[,;]\s*[A-Za-z_ ]{2,20}:\s[^,;]+)+$/.test(text);
  const rows = isAssigned || isInLine ? text.split(isAssigned ? ';' : /[,;]/).map((row) => row.trim()) : linesOf(text);
  const pairs: [string, string][] = [];
  for (const row of rows.filter((one) => one !== '')) {
    const isFrame = /^(?:payment|task)(?: order| request)?:?$/i.test(row) || /^\|[\s|:-]+\|$/.test(row);
    if (isFrame || ASKING.test(row) || /^\|\s*(?:field|key)\s*\|\s*value\s*\|$/i.test(row)) continue;
    const [, name, value] =
      (row.startsWith('|')
        ? /^\|([^|]+)\|([^|]+)\|$/
        : isAssigned
          ? /^([A-Za-z_]+)=(.*)$/
          : /^([A-Za-z_ ]{2,20}):\s+(.+)$/
      ).exec(row) ?? [];
    if (name === undefined || value === undefined) return null;
    pairs.push([name.trim(), value.trim()]);
  }
  return pairs.length < 2 ? null : pairs;
}

function toPayment(all: readonly Fields[], common: Fields): Payment | null {
  const lines: PaymentLine[] = [];
  const notes = new Set<string | null>();
  for (const one of all) {
    const fields = { ...common, ...one };
    const line = toLine(fields);
    if (line === null) return null;
    lines.push(line);
    notes.add(fields.note === undefined ? null : unquoted(fields.note));
  }
  const [note = null, ...others] = notes;
  return others.length > 0 ? null : toPaid(lines, note === '' ? null : note);
}

function toLine({ to, platform, amount, currency, action }: Fields): PaymentLine | null {
  if (to === undefined || amount === undefined) return null;
  if (currency !== undefined && !MONEY.has(plain(currency))) return null;
  if (action !== undefined && !ACTIONS.has(plain(action))) return null;
  const tokens = unquoted(amount).split(/\s+/);
  const sum = readAmount(tokens, 0);
  if (sum?.kind !== 'amount' || sum.form.kind !== 'exact' || sum.used !== tokens.length || sum.other) return null;
  const name = unquoted(to);
  if (/\s/.test(name) || (platform !== undefined && findPlatform(unquoted(platform)) === null)) return null;
  const read = readRecipient(platform === undefined ? name : `${unquoted(platform)}:${name.replace(/^@/, '')}`, {});
  return read.kind === 'recipient' ? { recipient: read.recipient, amount: sum.form.amount } : null;
}

const unquoted = (text: string): string => cleanNote(text).replace(/^(["'`])(.*)\1$/, '$2');
