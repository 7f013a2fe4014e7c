import { expect, test } from 'vitest';
import { createStartingApp } from '../../../service/readiness/starting-app.ts';

const app = createStartingApp();
const CREDENTIAL = 'Payment eyJjaGFsbGVuZ2UiOnt9fQ';

const CARRYING: readonly (readonly [string, string, Record<string, string>, string])[] = [
  ['a proof of x402', '/payments/x/pay', { 'PAYMENT-SIGNATURE': 'e30' }, ''],
  ['a credential', '/payments/x/pay', { Authorization: CREDENTIAL }, ''],
  [
    'a credential beside a token',
    '/payments/x/pay',
    { 'Payment-Authorization': CREDENTIAL, Authorization: 'Bearer a' },
    '',
  ],
  ['a credential in a call of a tool', '/mcp', {}, '{"params": {"_meta": {"org.paymentauth/credential": {}}}}'],
];

/** Its proof cannot be looked up yet, and a 503 could make its caller sign another one. */
test.each(CARRYING)('while starting, %s is told to come again with the same', async (_what, path, headers, body) => {
  const response = await app(new Request(`http://127.0.0.1${path}`, { method: 'POST', headers, body }));
  expect([response.status, await response.json()]).toMatchObject([500, { error: 'settlement_pending' }]);
});

const BARE: readonly (readonly [string, Record<string, string>])[] = [
  ['without a proof', {}],
  ['with a token only', { Authorization: 'Bearer a' }],
];

test.each(BARE)('while starting, a request %s may ask again', async (_what, headers) => {
  const response = await app(new Request('http://127.0.0.1/payments/x/pay', { method: 'POST', headers, body: '{}' }));
  expect([response.status, await response.json()]).toMatchObject([503, { error: 'starting' }]);
});
