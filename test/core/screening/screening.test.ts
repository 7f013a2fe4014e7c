import { expect, test } from 'vitest';
import { findListed, outcomeOf, readScreeningList } from '../../../core/screening/screening.ts';

const EVM = `0x${'aB'.repeat(20)}`;
const SOLANA = '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU';
const TEXT = `# a list
${EVM}   # with its checksum
${SOLANA}
github:OctoCat
x: @Alice

149w62rY42aZBox8fGcmqNsXUzSStKeq8C
nobody
x:-/-`;

const asked = (names: string[], address?: string, network: 'base' | 'solana' = 'base') => ({
  stage: 'payout' as const,
  subject: '1',
  accounts: address === undefined ? [] : [{ network, address }],
  names,
  amountMicroUsdc: null,
});

test('a list names addresses and people in any spelling, and says what names neither', () => {
  const { entries, others } = readScreeningList(TEXT);
  expect([...entries].sort()).toEqual(
    [EVM.toLowerCase(), SOLANA, '149w62rY42aZBox8fGcmqNsXUzSStKeq8C', 'code:octocat', 'x:alice'].sort(),
  );
  expect(others).toBe(2);
});

test('an address fits in any spelling, on any network of its form, and a part of it never', () => {
  const { entries } = readScreeningList(TEXT);
  expect(findListed(entries, asked([], EVM.toUpperCase().replace('0X', '0x')))).toBe(EVM.toLowerCase());
  expect(findListed(entries, asked([], SOLANA, 'solana'))).toBe(SOLANA);
  expect(findListed(entries, asked([], SOLANA.toLowerCase(), 'solana'))).toBeNull();
  expect(findListed(entries, asked(['x:alicia', 'x:alice']))).toBe('x:alice');
  expect(findListed(entries, asked(['discord:alice'], `0x${'ab'.repeat(19)}ac`))).toBeNull();
});

test('without an answer it depends on the setting, and on nothing else', () => {
  const fails = ['closed', 'open'] as const;
  expect(fails.map((one) => outcomeOf('unanswered', one))).toEqual(['wait', 'go']);
  expect(fails.map((one) => outcomeOf('refused', one))).toEqual(['refuse', 'refuse']);
  expect(fails.map((one) => outcomeOf('allowed', one))).toEqual(['go', 'go']);
});
