import { describe, expect, test } from 'vitest';
import { createDocument } from '../../../api/openapi/document.ts';
import { CATALOG } from '../../../core/catalog/operations.ts';
import { ZERO_USDC } from '../../../core/money.ts';
import { toHeader } from '../../../core/payments/x402.ts';
import { leaksIn } from '../leaks.ts';
import { createJudge } from './judge.ts';
import type { TestRequest } from './request.ts';
import type { Answer } from './send.ts';

/** The judge of the generated requests must be able to find fault: each row spoils an answer that is right. */
const NODE = 'http://127.0.0.1:18545';
const judge = createJudge(
  createDocument({
    baseUrl: 'http://here',
    platforms: ['x'],
    terms: [],
    feeBps: 0,
    feeFlat: ZERO_USDC,
    challenged: [],
    operator: { name: 'the test', supportUrl: '' },
  }),
  [NODE],
);
const ID = 'req_ABCDEFGHIJKL';

const request: TestRequest = {
  row: CATALOG.pay,
  method: 'POST',
  target: '/payments/x/pay',
  headers: [],
  body: Buffer.from('{"receiver":"alice","amount":1}'),
  proof: null,
  delivery: 'whole',
  hasValidBody: true,
  expected: { status: 402, error: 'payment_required', price: 1_000_000 },
};

const terms = { scheme: 'exact', payTo: '0x01', asset: '0x02', maxTimeoutSeconds: 60 };
const extra = { name: 'USD Coin', version: '2', requestHash: 'ab' };
const required = (amount: string) =>
  toHeader({
    x402Version: 2,
    resource: { url: 'http://here/x' },
    accepts: [{ ...terms, network: 'eip155:8453', amount, extra }],
  });

const challenge = {
  x402Version: 1,
  code: 402,
  msg: 'The payment header is required',
  error: 'payment_required',
  detail: 'The payment header is required',
  accepts: [
    {
      ...terms,
      network: 'base',
      maxAmountRequired: '1000000',
      resource: 'http://here/payments/x/pay',
      description: 'Send 1 USDC',
      mimeType: 'application/json',
      extra,
    },
  ],
  request_id: ID,
};
const headers = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-request-id': ID,
  'payment-required': required('1000000'),
  'x-payment-request': required('1000000'),
};

type Spoiling = { status?: number; headers?: Record<string, string>; body?: object; text?: string; tookMs?: number };

function answerWith({ status = 402, headers: others = {}, body = {}, text, tookMs = 1 }: Spoiling): Answer {
  const all = new Headers({ ...headers, ...others });
  for (const [name, value] of Object.entries(others)) if (value === '') all.delete(name);
  return { status, headers: all, text: text ?? JSON.stringify({ ...challenge, ...body }), tookMs };
}

test('an answer that is right has no fault', () => {
  expect(judge(request, answerWith({}))).toEqual([]);
});

describe('CONTROL: a fault is found', () => {
  test.each<[string, Spoiling, RegExp]>([
    ['a failure of the server', { status: 500 }, /status 500/],
    ['a status that is not documented', { status: 418 }, /418 is not documented/],
    ['too slow', { tookMs: 20_001 }, /took 20001 ms/],
    ['no request id', { headers: { 'x-request-id': '' } }, /no X-Request-Id/],
    ['two request ids', { headers: { 'x-request-id': 'req_LKJIHGFEDCBA' } }, /is not X-Request-Id/],
    ['no JSON', { text: 'Payment Required' }, /not JSON/],
    ['a list', { text: '[]' }, /no object/],
    ['a page', { headers: { 'content-type': 'text/html' } }, /402 as text\/html/],
    ['no type', { headers: { 'content-type': '' } }, /402 as no type/],
    ['a key too few', { body: { accepts: undefined } }, /required property/],
    ['a key that nobody documented', { body: { payer: '0x03' } }, /additional properties/],
    ['an unknown word', { body: { error: 'oops' } }, /allowed values/],
    ['no requirements for the second generation', { headers: { 'payment-required': '' } }, /no PAYMENT-REQUIRED/],
    ['nothing to accept', { body: { accepts: [] } }, /for the first generation/],
    [
      'no x402 for the second generation',
      { headers: { 'payment-required': toHeader({ a: 1 }) } },
      /for the second generation/,
    ],
    [
      'another price for the second generation',
      { headers: { 'payment-required': required('1') } },
      /generations differ/,
    ],
    ['another x-payment-request', { headers: { 'x-payment-request': required('1') } }, /x-payment-request/],
    ['a price that may be cached', { headers: { 'cache-control': 'max-age=60' } }, /may be cached/],
    ['a reason where there is none', { headers: { 'payment-error': 'invalid_payload' } }, /payment-error/],
    ['the address of the node', { body: { detail: `cannot reach ${NODE}` } }, /18545/],
    [
      'a library in the second generation’s header',
      { headers: { 'payment-required': toHeader({ a: 'viem' }) } },
      /library/,
    ],
  ])('%s', (_name, spoiling, fault) => {
    expect(judge(request, answerWith(spoiling)).join('\n')).toMatch(fault);
  });

  test('another price than the body’s, another status, another word', () => {
    const dearer = { ...request, expected: { status: 402, error: 'insufficient_funds', price: 2_000_000 } };
    expect(judge(dearer, answerWith({})).join('\n')).toMatch(/expected insufficient_funds[^]*price 1000000/);
    const unknown = { ...request, expected: { status: 400, error: null, price: null } };
    expect(judge(unknown, answerWith({})).join('\n')).toContain('expected 400, found 402');
  });

  test('a price where nothing is sold', () => {
    const question: TestRequest = { ...request, row: CATALOG.validatePayment, method: 'GET', expected: null };
    expect(judge(question, answerWith({})).join('\n')).toContain('a price where nothing is sold');
  });

  test('a body in an answer to HEAD', () => {
    expect(judge({ ...request, method: 'HEAD' }, answerWith({})).join('\n')).toContain('where none belongs');
  });
});

describe('CONTROL: what must stay inside is found', () => {
  test.each([
    ['a stack', 'Error: no\n    at accept (file:///srv/api/accept.js:12:3)'],
    ['a place in our code', 'in accept.ts:12'],
    ['a module', 'node_modules/x/y'],
    ['a library', 'ZodError: invalid'],
    ['a database', 'SQLITE_BUSY: database is locked'],
    ['an error of the runtime', "TypeError: Cannot read properties of undefined (reading 'x')"],
    ['the parser’s own words', 'Unexpected token } in JSON at position 7'],
    ['a connection', 'connect ECONNREFUSED'],
    ['an object as text', 'found [object Object]'],
  ])('%s', (_name, text) => {
    expect(leaksIn(text)).not.toEqual([]);
  });

  test('what callers may read is none of it', () => {
    expect(leaksIn(JSON.stringify({ ...challenge, detail: '"ali ce" contains a space; wanted: an X handle' }))).toEqual(
      [],
    );
  });
});
