import { describe, expect, test } from 'vitest';
import { parseCommand } from '../../../core/grammar/command.ts';
import { formatUsdc } from '../../../core/money.ts';
import { formatRecipient } from '../../../core/platforms/recipient.ts';
import { judge, type Found } from './judge.ts';
import { TYPED_LINES } from './typed-lines.ts';

/** A line as it was read: a tip, another command, or a mistake. */
function read(text: string): Found {
  const command = parseCommand(text);
  if (command.kind === 'mistake') return command;
  if (command.kind !== 'tip') return command.kind;
  const names = command.recipients.map((recipient) => formatRecipient(recipient)).join(' ');
  const sum = command.amount.kind === 'exact' ? formatUsdc(command.amount.amount) : command.amount.kind;
  const note = command.note === null ? '' : ` "${command.note}"`;
  return `${names} ${sum}${command.sharing === 'split' ? ' split' : ''}${note}`;
}

const LINES = Object.entries(TYPED_LINES).flatMap(([language, lines]) =>
  lines.map(([text, meaning]) => ({ language, text, meaning, outcome: judge(read(text), meaning, read) })),
);

describe('what people type', () => {
  test.each(LINES)('$language: $text', ({ text, outcome, meaning }) => {
    const found = read(text);
    const shown = typeof found === 'string' ? found : `${found.code}: ${found.examples.join(' · ')}`;
    expect(['PAYS ANOTHER', 'another answer'], `${meaning}, but ${shown}`).not.toContain(outcome);
  });

  test('every suggestion is a command that works', () => {
    for (const { text } of LINES) {
      const found = read(text);
      for (const example of typeof found === 'string' ? [] : found.examples) {
        expect(parseCommand(example).kind, `${text} → ${example}`).not.toMatch(/mistake|unknown/);
      }
    }
  });
});
