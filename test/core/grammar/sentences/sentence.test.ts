import { expect, test } from 'vitest';
import { readSentence } from '../../../../core/grammar/sentences/sentence.ts';
import { formatUsdc } from '../../../../core/money.ts';
import { ASKED, READ } from './neighbours.ts';
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

test.each(READ)('%j means %j', (text, meaning) => {
  expect(meaningOf(text)).toBe(meaning);
});

test.each(ASKED)('%j, close to one that is read, is asked about', (text) => {
  expect(meaningOf(text)).toBe('asks');
});

test('a form names its network', () => {
  const reading = readSentence('{"to": "x:alice", "amount": "2.5", "network": "solana"}');
  expect(reading).toMatchObject({ kind: 'payment', network: 'solana' });
  expect(meaningOf('{"to": "x:alice", "amount": "2.5", "network": "mynet"}')).toBe('asks');
});

test('a shared sum is shared to the last part', () => {
  expect(meaningOf('Send 1 USDC split to x:alice, x:bob, x:carol')).toBe(
    'x:alice 0.333334, x:bob 0.333333, x:carol 0.333333',
  );
});

/** Repeated, none of them may take long. */
const PARTS = [
  'please ',
  'send ',
  'x:a ',
  'on x ',
  '1 ',
  'for ',
  '"',
  'and ',
  'a '.repeat(3),
  '@',
  'tip of ',

  'and',
  'a, and ',
  ', and and ',
  '@a, ',
  'a and ',
  'GitHub users a, ',
  'x user ',
  'note ',
  'with the note ',
  'please use ',

  '"a" ',
  '{"to":',
  'half to ',
  'each of ',
  '--a b ',
  'on Base ',
  'a.b, ',
  'a.eth and ',
  '1 USDC ',
  '(x) ',
  '5 (',
  '| a ',
  'hi. ',
  'build 88121 ',
  'done. ',
  ' – fix ',
  "GitHub's a-b ",
  'both people ',
  'research ',
];

test.each(PARTS)('a long text of %j is read at once', (part) => {
  for (const [start, end] of [
    ['send ', ''],
    ['', ', all on Base'],
    ['1 USDC to ', ' both on'],
    ['1 USDC to GitHub users ', ' !'],
  ] as const) {
    expect(meaningOf(start + part.repeat(460 / part.length) + end)).toBe('asks');
  }
  expect(meaningOf(`Send 1 USDC to x:alice for ${'a'.repeat(500)}`)).toBe('asks');
});

test.each(['1 USDC to a.b(c', '1 USDC to a.*[ on X', '1 USDC to x.\\ (GitHub)', '⟦n0⟧ 5 USDC', '1 USDC to ⟦n0⟧'])(
  '%j is asked about',
  (text) => {
    expect(meaningOf(text)).toBe('asks');
  },
);
