import { describe, expect, test } from 'vitest';
import { parseCommand } from '../../../core/grammar/command.ts';
import type { Mistake, MistakeCode } from '../../../core/grammar/mistakes.ts';
import { formatUsdc } from '../../../core/money.ts';
import { formatRecipient } from '../../../core/platforms/recipient.ts';
import { TYPED_LINES } from './typed-lines.ts';

/** A line as it was read: a tip, another command, or a mistake. */
function read(text: string): string | Mistake {
  const command = parseCommand(text);
  if (command.kind === 'mistake') return command;
  if (command.kind !== 'tip') return command.kind;
  const names = command.recipients.map((recipient) => formatRecipient(recipient)).join(' ');
  const sum = command.amount.kind === 'exact' ? formatUsdc(command.amount.amount) : command.amount.kind;
  const note = command.note === null ? '' : ` "${command.note}"`;
  return `${names} ${sum}${command.sharing === 'split' ? ' split' : ''}${note}`;
}

const ANSWERS: Readonly<Record<string, readonly MistakeCode[]>> = {
  'asks who': ['no_recipient', 'empty_tip'],
  // prettier-ignore
  'asks how much': ['no_amount', 'unreadable_amount', 'counted_amount', 'word_amount', 'all_or_wish'],
  'asks which': ['which_network', 'unknown_network', 'post_without_author'],
  'asks two': ['two_payments'],
  'asks once': ['repeated_tip'],
  'asks whether': ['called_off'],
  'asks thousand': ['thousands_separator'],
  'asks money': ['other_currency'],
  'no wallet': ['wallet_address'],
  'no phone': ['phone_number'],
  'no range': ['too_small', 'too_large', 'shorthand_amount'],
  'no platform': ['platform_domain'],
  'no undo': ['undo_is_a_button'],
};

type Outcome = 'done as meant' | 'the right question' | 'refused, with the reason' | 'another answer' | 'PAYS ANOTHER';

function judge(text: string, meaning: string): Outcome {
  const found = read(text);
  const isTip = typeof found === 'string' && found.includes(':');
  if (found === meaning) return 'done as meant';
  if (isTip) return 'PAYS ANOTHER';
  if (typeof found === 'string') return 'another answer';
  if (ANSWERS[meaning]?.includes(found.code)) {
    return meaning.startsWith('no ') ? 'refused, with the reason' : 'the right question';
  }
  const [, asked] = /^asks (.+)$/.exec(meaning) ?? [];
  return asked !== undefined && read(found.examples[0]) === asked ? 'the right question' : 'another answer';
}

const LINES = Object.entries(TYPED_LINES).flatMap(([language, lines]) =>
  lines.map(([text, meaning]) => ({ language, text, meaning, outcome: judge(text, meaning) })),
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
