import { describe, expect, test } from 'vitest';
import {
  hashCode,
  isSameCode,
  MAIL_CODE_MS,
  MAIL_CODE_TRIES_MAX,
  newCode,
} from '../../../identity/proofs/mail-code.ts';
import { random } from './tools.ts';

/** Random bytes that come as these numbers of four bytes, one after the other. */
function bytesOf(...values: number[]) {
  return (count: number): Uint8Array => {
    expect(count).toBe(4);
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(values.shift() ?? 0);
    return bytes;
  };
}

test('ten minutes and five tries', () => {
  expect([MAIL_CODE_MS, MAIL_CODE_TRIES_MAX]).toEqual([600_000, 5]);
});

describe('a new code', () => {
  test.each([
    [0, '00000000'],
    [7, '00000007'],
    [99_999_999, '99999999'],
    [100_000_000, '00000000'],
    [4_199_999_999, '99999999'],
  ])('has eight digits: %i is %s', (value, code) => {
    expect(newCode(bytesOf(value))).toBe(code);
  });

  test('no code is more likely than another: what would make some so is drawn again', () => {
    expect(newCode(bytesOf(4_200_000_000, 4_294_967_295, 5))).toBe('00000005');
  });

  test('codes differ', () => {
    const codes = new Set(Array.from({ length: 100 }, () => newCode(random)));
    expect(codes.size).toBeGreaterThan(95);
    expect([...codes].every((code) => /^[0-9]{8}$/.test(code))).toBe(true);
  });
});

describe('what is stored', () => {
  const stored = { claimId: 'claim_1', hash: hashCode({ claimId: 'claim_1', code: '12345678' }) };

  test('does not hold the code', () => {
    expect(stored.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(stored.hash).not.toContain('12345678');
  });

  test.each(['12345678', '1234 5678', ' 12345678\n', '1234-5678', '1234 – 5678', '１２３４５６７８', '12\u00a0345678'])(
    '%j is that code, as people type it',
    (typed) => {
      expect(isSameCode(typed, stored)).toBe(true);
    },
  );

  test.each(['12345679', '1234567', '123456789', '', '0'.repeat(8), '12345678'.repeat(10), 'abcdefgh', '1234.5678'])(
    '%j is not',
    (typed) => {
      expect(isSameCode(typed, stored)).toBe(false);
    },
  );

  test('a code is worth nothing for another claim', () => {
    expect(isSameCode('12345678', { ...stored, claimId: 'claim_2' })).toBe(false);
  });

  test('an invalid hash fits no code', () => {
    expect(isSameCode('12345678', { claimId: 'claim_1', hash: '' })).toBe(false);
  });
});
