import { expect, test } from 'vitest';
import { readSentence } from '../../../../core/grammar/sentences/sentence.ts';
import { formatUsdc } from '../../../../core/money.ts';
import { SENTENCES } from './sentences.ts';

function meaningOf(text: string): string {
  const reading = readSentence(text);
  if (reading.kind === 'question') return 'asks';
  const lines = reading.lines.map(
    ({ recipient, amount }) => `${recipient.platform}:${recipient.key} ${formatUsdc(amount)}`,
  );
  return lines.join(', ') + (reading.note === null ? '' : ` | ${reading.note}`);
}

test.each(SENTENCES)('%j means %j', (text, meaning) => {
  expect(meaningOf(text)).toBe(meaning);
});

test('a shared sum is shared to the last part', () => {
  expect(meaningOf('Send 1 USDC split to x:alice, x:bob, x:carol')).toBe(
    'x:alice 0.333334, x:bob 0.333333, x:carol 0.333333',
  );
});

test('the longest texts are read at once', () => {
  for (const part of ['please ', 'send ', 'x:a ', 'on x ', '1 ', 'for ', '"', 'and ', 'a '.repeat(3), '@', 'tip of ']) {
    expect(meaningOf(`send ${part.repeat(495 / part.length)}`)).toBe('asks');
  }
  expect(meaningOf(`Send 1 USDC to x:alice for ${'a'.repeat(500)}`)).toBe('asks');
});
