import { request } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  expectNothingClaimed,
  expectRefusal,
  startInstallation,
  type Installation,
  type Reply,
} from '../installation.ts';
import type { ReplyBody } from '../../support/pay.ts';

let installation: Installation;
beforeAll(async () => {
  installation = await startInstallation();
});
afterAll(() => installation?.close());
afterEach(() => expectNothingClaimed(installation));

/** Key, value as it stands in the query, the refusal, and what the detail says. */
const WRONG: readonly [key: string, value: string, error: string, wanted: string][] = [
  ['txn_id', '', 'validation_failed', 'positive whole number'],
  ['txn_id', '0', 'validation_failed', 'positive whole number'],
  ['txn_id', '-1', 'validation_failed', 'positive whole number'],
  ['txn_id', '1.5', 'validation_failed', 'positive whole number'],
  ['txn_id', '1e3', 'validation_failed', 'positive whole number'],
  ['txn_id', '0x1', 'validation_failed', 'positive whole number'],
  ['txn_id', '1'.repeat(17), 'validation_failed', 'positive whole number'],
  ['txn_id', '\u0661', 'validation_failed', 'positive whole number'],
  ['settlement_attempt_id', '', 'validation_failed', 'an id as answers carry it'],
  ['settlement_attempt_id', 'attempt_1', 'validation_failed', 'an id as answers carry it'],
  ['settlement_attempt_id', 'attempt_1_A', 'validation_failed', 'an id as answers carry it'],
  ['settlement_attempt_id', 'attempt_1_a\u0000', 'validation_failed', 'an id as answers carry it'],
  ['settlement_attempt_id', "attempt_1_a' or '1'='1", 'validation_failed', 'an id as answers carry it'],
  ['transaction_hash', '', 'validation_failed', 'a hash'],
  ['transaction_hash', '0x12', 'validation_failed', 'a hash'],
  ['transaction_hash', `0x${'g'.repeat(64)}`, 'validation_failed', 'a hash'],
  ['transaction_hash', `0x${'a'.repeat(65)}`, 'validation_failed', 'a hash'],
  ['amount', '0.009', 'invalid_amount', '0.01 to 10 USDC'],
  ['amount', '10.01', 'invalid_amount', '0.01 to 10 USDC'],
  ['amount', '1.0000001', 'invalid_amount', '0.01 to 10 USDC'],
  ['amount', '1e-2', 'invalid_amount', '0.01 to 10 USDC'],
  ['amount', '1,5', 'invalid_amount', '0.01 to 10 USDC'],
  ['amount', 'NaN', 'invalid_amount', '0.01 to 10 USDC'],
  ['receiver', '', 'validation_failed', 'a text of 1 to 512 characters'],
  ['receiver', 'a'.repeat(513), 'validation_failed', 'a text of 1 to 512 characters'],
  ['receiver', 'a b c', 'invalid_receiver', 'No platform has names of this form'],
  ['receiver', '\u0430lice', 'invalid_receiver', 'No platform has names of this form'],
];

describe('validate: a key of the query that is refused', () => {
  test.each(WRONG)('%s=%j', async (key, value, error, wanted) => {
    const reply = await installation.send(`/payments/validate?${new URLSearchParams({ [key]: value }).toString()}`);
    expectRefusal(installation, 'validatePayment', reply, { status: 400, error, field: key });
    expect(reply.body.detail).toContain(wanted);
  });

  test.each([
    ['unknown', 'myspace', 'platform_unavailable'],
    ['a look-alike', '\u0445', 'platform_unavailable'],
    ['empty', '', 'platform_unavailable'],
    ['too long', 'a'.repeat(41), 'validation_failed'],
  ])('a platform that is %s', async (_name, platform, error) => {
    const query = new URLSearchParams({ amount: '1', receiver: 'alice', platform });
    const reply = await installation.send(`/payments/validate?${query.toString()}`);
    expectRefusal(installation, 'validatePayment', reply, { status: 400, error, field: 'platform' });
  });

  test.each([
    ['an e-mail address on x', 'x', 'alice@example.com'],
    ['CRLF in an e-mail address', 'email', 'alice@example.com\r\nBcc: x@example.com'],
    ['an IP address as a domain', 'web', '127.0.0.1'],
    ['a bare public suffix', 'web', 'co.uk'],
    ['a URL with a path', 'web', 'https://github.com/octocat'],
  ])('a receiver that is %s', async (_name, platform, receiver) => {
    const query = new URLSearchParams({ amount: '1', receiver, platform });
    const reply = await installation.send(`/payments/validate?${query.toString()}`);
    expectRefusal(installation, 'validatePayment', reply, {
      status: 400,
      error: 'invalid_receiver',
      field: 'receiver',
    });
  });
});

describe('validate: a question that asks too little', () => {
  test.each([
    ['nothing', ''],
    ['an unknown key', 'id=1'],
    ['an amount without its receiver', 'amount=1'],
    ['a receiver without an amount', 'receiver=alice'],
    ['a platform alone', 'platform=x'],
  ])('%s', async (_name, query) => {
    const reply = await installation.send(`/payments/validate?${query}`);
    expectRefusal(installation, 'validatePayment', reply, { status: 400, error: 'validation_failed' });
    expect(reply.body.detail).toContain('Ask by txn_id');
  });
});

describe('validate: a payment that is not known', () => {
  test.each([
    ['by txn_id', 'txn_id=4711'],
    ['by the largest txn_id', 'txn_id=9007199254740991'],
    ['by a txn_id beyond all', 'txn_id=9999999999999999'],
    ['by settlement_attempt_id', 'settlement_attempt_id=attempt_1_a'],
    ['by transaction_hash', `transaction_hash=0x${'a'.repeat(64)}`],
    ['by a transaction_hash in capitals', `transaction_hash=0x${'A'.repeat(64)}`],
    ['by amount and receiver', 'amount=1&receiver=alice'],
    ['by amount, receiver and platform', 'amount=1&receiver=alice&platform=twitter'],
  ])('%s', async (_name, query) => {
    const reply = await installation.send(`/payments/validate?${query}`);
    expectRefusal(installation, 'validatePayment', reply, { status: 400, error: 'payment_not_found' });
  });

  test.each(['!!!', 'e30=', btoa('{"x402Version":3}')])('by a header that is no payment (%s)', async (header) => {
    const reply = await installation.send('/payments/validate', { headers: { 'PAYMENT-SIGNATURE': header } });
    expectRefusal(installation, 'validatePayment', reply, { status: 400, error: 'payment_not_found' });
  });
});

describe('validate: a body that is refused', () => {
  test.each<[string, string, string, string | undefined]>([
    ['a text as txn_id', '{"txn_id":"one"}', 'validation_failed', 'txn_id'],
    ['null as txn_id', '{"txn_id":null}', 'validation_failed', 'txn_id'],
    ['half a txn_id', '{"txn_id":1.5}', 'validation_failed', 'txn_id'],
    ['a list as receiver', '{"amount":1,"receiver":["alice"]}', 'validation_failed', 'receiver'],
    ['null as amount', '{"amount":null,"receiver":"alice"}', 'invalid_amount', 'amount'],
    ['0.009 as amount', '{"amount":0.009,"receiver":"alice"}', 'invalid_amount', 'amount'],
    ['a list as body', '[]', 'validation_failed', undefined],
    ['broken JSON', '{"txn_id":', 'invalid_json', undefined],
    ['a number beyond all', '{"txn_id":1e999}', 'validation_failed', undefined],
    ['33 levels', `{"a":${'['.repeat(33)}${']'.repeat(33)}}`, 'validation_failed', undefined],
  ])('%s', async (_name, body, error, field) => {
    expectRefusal(installation, 'validatePayment', await getWithBody(Buffer.from(body)), { status: 400, error, field });
  });

  test('bytes that are no text', async () => {
    const body = Buffer.concat([Buffer.from('{"receiver":"'), Buffer.from([0xff]), Buffer.from('","amount":1}')]);
    expectRefusal(installation, 'validatePayment', await getWithBody(body), { status: 400, error: 'invalid_json' });
  });

  test('1 MiB answers 413, told beforehand or not', async () => {
    const body = Buffer.alloc(1_048_576, ' ');
    const refusal = { status: 413, error: 'body_too_large' };
    expectRefusal(installation, 'validatePayment', await getWithBody(body), refusal);
    expectRefusal(installation, 'validatePayment', await getWithBody(body, { isChunked: true }), refusal);
  });

  test('control: a body in chunks is read like one with a length', async () => {
    const body = Buffer.from('{"amount":1,"receiver":"alice"}');
    for (const isChunked of [false, true]) {
      const reply = await getWithBody(body, { isChunked });
      expectRefusal(installation, 'validatePayment', reply, { status: 400, error: 'payment_not_found' });
    }
  });
});

/** `GET` with a body, which fetch refuses to send. */
function getWithBody(body: Buffer, { isChunked = false } = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const framing = isChunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': body.length };
    const headers = { 'content-type': 'application/json', ...framing };
    const sent = request(`${installation.url}/payments/validate`, { method: 'GET', headers }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: new Headers(response.headers as Record<string, string>),
          text,
          body: JSON.parse(text) as ReplyBody,
        }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
