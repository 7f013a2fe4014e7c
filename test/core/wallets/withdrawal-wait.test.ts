import { WITHOUT_PASSKEY_MS } from '../../../core/wallets/passkeys.ts';
import { expect, test } from 'vitest';
import { microUsdc } from '../../../core/money.ts';
import {
  ADDRESS_WAIT_MS,
  AT_ONCE_DAILY_MAX,
  isKnownAddress,
  isPutOff,
  isToldEnough,
  knownFrom,
  leavingOf,
  TELLING_MAX_MS,
} from '../../../core/wallets/withdrawal-wait.ts';

const NOW = 1_800_000_000_000;
const small = { amount: microUsdc(2_000_000n), leftAtOnce: AT_ONCE_DAILY_MAX, isSigned: true };
const large = { amount: microUsdc(10_000_001n), leftAtOnce: AT_ONCE_DAILY_MAX, isSigned: true };
const atOnce = { notBeforeMs: NOW, isAtOnce: true };
const known = { notBeforeMs: NOW, isAtOnce: false };
const waits = (sinceMs: number) => ({ notBeforeMs: sinceMs + ADDRESS_WAIT_MS, isAtOnce: false });

test.each([
  ['the first address gets a small amount at once', { sinceMs: null, isFirst: true }, small, atOnce],
  ['and so again the same day', { sinceMs: NOW - 1, isFirst: true }, small, atOnce],
  ['all that the day allows leaves', { sinceMs: null, isFirst: true }, { ...small, leftAtOnce: 2_000_000n }, atOnce],
  ['what the day has no room for waits', { sinceMs: null, isFirst: true }, { ...small, leftAtOnce: 1n }, waits(NOW)],
  ['more than ten waits', { sinceMs: null, isFirst: true }, large, waits(NOW)],
  ['since the address was first named', { sinceMs: NOW - 7, isFirst: true }, large, waits(NOW - 7)],
  ['another address waits with any amount', { sinceMs: null, isFirst: false }, small, waits(NOW)],
  [
    'to its last millisecond',
    { sinceMs: NOW + 1 - ADDRESS_WAIT_MS, isFirst: false },
    small,
    waits(NOW + 1 - ADDRESS_WAIT_MS),
  ],
  ['one that has stood for a day is known', { sinceMs: NOW - ADDRESS_WAIT_MS, isFirst: false }, large, known],
  ['and the first one as well', { sinceMs: NOW - ADDRESS_WAIT_MS, isFirst: true }, large, known],
])('%s', (_title, standing, wanted, leaving) => {
  expect(leavingOf(standing, wanted, NOW)).toEqual(leaving);
});

test.each([
  ['the first address', { sinceMs: null, isFirst: true }],
  ['a known one', { sinceMs: NOW - ADDRESS_WAIT_MS, isFirst: false }],
])('without the passkey of the wallet nothing leaves for three days, also for %s', (_which, standing) => {
  const leaving = { notBeforeMs: NOW + WITHOUT_PASSKEY_MS, isAtOnce: false };
  expect(leavingOf(standing, { ...small, isSigned: false }, NOW)).toEqual(leaving);
});

test('nobody waits longer than a day for their money', () => {
  for (const sinceMs of [null, NOW, NOW - 1, NOW - ADDRESS_WAIT_MS, 0]) {
    for (const isFirst of [true, false]) {
      const { notBeforeMs } = leavingOf({ sinceMs, isFirst }, large, NOW);
      expect(notBeforeMs - NOW).toBeLessThanOrEqual(ADDRESS_WAIT_MS);
      expect(notBeforeMs).toBeGreaterThanOrEqual(NOW);
    }
  }
});

test('nobody knows of what nobody was told of, however long ago it was asked for', () => {
  expect(isKnownAddress({ sinceMs: null }, NOW)).toBe(false);
  expect(knownFrom({ sinceMs: null }, NOW)).toBe(NOW + ADDRESS_WAIT_MS);
  expect(knownFrom({ sinceMs: NOW - 7 }, NOW)).toBe(NOW - 7 + ADDRESS_WAIT_MS);
});

test.each([
  ['where all are told, or nobody can be', NOW, false, true],
  ['not while a holder is still to be told', NOW, true, false],
  ['not in the last millisecond of trying', NOW + 1 - TELLING_MAX_MS, true, false],
  [
    'two days after the request all the same, so that one chat holds no money for good',
    NOW - TELLING_MAX_MS,
    true,
    true,
  ],
])('the day begins: %s', (_title, createdAtMs, isUnderWay, isEnough) => {
  expect(isToldEnough({ createdAtMs, isUnderWay }, NOW)).toBe(isEnough);
});

test('only what leaves later than it was asked for is put off', () => {
  expect([isPutOff({ createdAtMs: 5, notBeforeMs: 5 }), isPutOff({ createdAtMs: 5, notBeforeMs: 6 })]).toEqual([
    false,
    true,
  ]);
});
