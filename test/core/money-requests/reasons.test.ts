import { expect, test } from 'vitest';
import { isPlainReason } from '../../../core/money-requests/money-requests.ts';

test.each([
  'lunch on Friday',
  'for lunch. Thanks',
  'e.g. lunch',
  'dinner...thanks',
  'ありがとう。またね',
  'family 👨‍👩‍👧 dinner',
  'и т.д. за обед',
])('%j is a reason', (reason) => {
  expect(isPlainReason(reason)).toBe(true);
});

test.each([
  'evil.com',
  'see t.me/x',
  'evil．com',
  'हिन्दी.com',
  'ปิ้ง.ไทย',
  'evi\u200bl.c\u200bom',
  'evil\u2060.com',
  'x\u0331.com',
  'call 123',
  '٣٤',
  '@mallory',
  'tg://resolve',
])('%j leads elsewhere', (reason) => {
  expect(isPlainReason(reason)).toBe(false);
});
