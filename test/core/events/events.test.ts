import { describe, expect, test } from 'vitest';
import { hostOf, readEndpointAddress } from '../../../core/events/address.ts';
import { eventBody, FAILURES_MAX, pauseAfter } from '../../../core/events/events.ts';

const DAY_MS = 86_400_000;

test('the pauses grow, and after ten failures three days are over', () => {
  const pauses = Array.from({ length: FAILURES_MAX }, (_, index) => pauseAfter(index + 1));
  expect([FAILURES_MAX, pauses.at(-1)]).toEqual([10, null]);
  const known = pauses.filter((pause) => pause !== null);
  expect(known).toEqual(known.toSorted((one, other) => one - other));
  const total = known.reduce((sum, pause) => sum + pause, 0);
  expect([total > 2.9 * DAY_MS, total <= 3 * DAY_MS]).toEqual([true, true]);
});

test('an event says what reached which state when, and nothing else', () => {
  const event = { type: 'collected', atMs: 1_800_000_000_000, paymentId: 'attempt_1_a', txnIds: [7, 9] } as const;
  expect(eventBody(event)).toBe(
    '{"type":"payment.collected","timestamp":"2027-01-15T08:00:00.000Z","data":{"settlement_attempt_id":"attempt_1_a","txn_ids":[7,9]}}',
  );
});

describe('an address', () => {
  test.each([
    ['https://agent.example.com/events?of=1', 'https://agent.example.com/events?of=1'],
    ['https://agent.example.com', 'https://agent.example.com/'],
    ['https://agent.example.com:8443/e', 'https://agent.example.com:8443/e'],
  ])('%s takes events', (text, canonical) => {
    expect(readEndpointAddress(text, { allowsHttp: false })).toBe(canonical);
  });

  test.each([
    'http://agent.example.com/events',
    'ftp://agent.example.com/',
    'https://user@agent.example.com/',
    'https://user:word@agent.example.com/',
    'https://agent.example.com/#part',
    'https://agent.example.com/#',
    'https://agent.example.com:22/',
    'https://agent.example.com:80/',
    `https://agent.example.com/${'a'.repeat(500)}`,
    'agent.example.com',
    '',
  ])('%s takes none', (text) => {
    expect(readEndpointAddress(text, { allowsHttp: false })).toBe(null);
  });

  test('all names under one domain are one host, and those of strangers are not', () => {
    expect(hostOf('https://a.b.example.com/x')).toBe(hostOf('https://example.com/'));
    expect(hostOf('https://one.github.io/')).not.toBe(hostOf('https://other.github.io/'));
    expect(hostOf('https://127.0.0.1:8443/')).toBe('127.0.0.1');
  });
});
