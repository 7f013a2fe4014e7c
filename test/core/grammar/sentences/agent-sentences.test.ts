/**
 * 200 texts as agents write them, with what their author meant, by somebody who had not seen the grammar. None is read as
 * another payment; what is no payment, or leaves something open, is asked about.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PAYMENT_AMOUNT_MAX } from '../../../../core/amounts.ts';
import { readSentence } from '../../../../core/grammar/sentences/sentence.ts';
import type { Payment } from '../../../../core/grammar/sentences/lines.ts';
import { parseDecimalUsdc } from '../../../../core/money.ts';
import { findPlatform } from '../../../../core/platforms/platforms.ts';

type Row = {
  id: number;
  text: string;
  meaning: {
    action: string;
    recipients: { platform: string; name: string }[];
    amounts: string[];
    note: string | null;
    clear: boolean;
  };
};

const ROWS = readFileSync(join(import.meta.dirname, 'agent-sentences.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Row);

const isPayment = ({ meaning }: Row): boolean => meaning.clear && ['tip', 'batch'].includes(meaning.action);
/** What nobody can be paid here: more than the most, and Discord accounts without their number. */
const isPayable = ({ meaning }: Row): boolean =>
  meaning.amounts.every((amount) => (parseDecimalUsdc(amount) ?? 0n) <= PAYMENT_AMOUNT_MAX) &&
  meaning.recipients.every(({ platform }) => platform !== 'discord');

const meant = ({ meaning }: Row): string[] =>
  meaning.recipients.map(
    ({ platform, name }, at) =>
      `${findPlatform(platform)}:${name.toLowerCase()} ${parseDecimalUsdc(meaning.amounts[at] ?? '')}`,
  );
const read = ({ lines }: Payment): string[] =>
  lines.map(({ recipient, amount }) => `${recipient.platform}:${recipient.key} ${amount}`);

test.each(ROWS)('$id: $text', (row) => {
  const reading = readSentence(row.text);
  if (!isPayment(row)) return expect(reading.kind).toBe('question');
  if (reading.kind === 'question') return;
  expect(read(reading)).toEqual(meant(row));
  const { note } = row.meaning;
  if (note === null) expect(reading.note).toBeNull();
  else expect(reading.note?.toLowerCase()).toContain(note.toLowerCase());
});

test.each([
  ['the first 140, with which the grammar was mended', ROWS.slice(0, 140), { priced: 41, of: 64 }],
  ['the last 60', ROWS.slice(140), { priced: 14, of: 24 }],
])('of what can be paid in %s, no less is priced at once than was', (_part, rows, { priced, of }) => {
  const payable = rows.filter((row) => isPayment(row) && isPayable(row));
  const found = payable.filter(({ text }) => readSentence(text).kind === 'payment');
  expect(payable).toHaveLength(of);
  expect(found.length).toBeGreaterThanOrEqual(priced);
});
