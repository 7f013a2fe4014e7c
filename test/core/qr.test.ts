import { describe, expect, test } from 'vitest';
import { toQrCode } from '../../core/qr.ts';
import { scanCode } from '../support/browser/scan-code.ts';

describe('a camera gives back exactly the text', () => {
  test.each([
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
    `https://farcaster.example/~/siwf?channelToken=${'4f'.repeat(40)}`,
    'größer als ☃',
  ])('%s', (text) => expect(scanCode(toQrCode(text))).toBe(text));
});

test('four light modules lie around it, and the path draws nothing outside', () => {
  const { size, path } = toQrCode('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed');
  const runs = [...path.matchAll(/M(\d+) (\d+)h(\d+)/g)].map(([, x, y, length]) => [x, y, length].map(Number));
  expect(Math.min(...runs.map(([x]) => x!), ...runs.map(([, y]) => y!))).toBe(4);
  expect(Math.max(...runs.map(([x, , length]) => x! + length!), ...runs.map(([, y]) => y! + 1))).toBe(size - 4);
});

test('what no code can hold is refused', () => {
  expect(() => toQrCode('a'.repeat(3_000))).toThrow();
});
