import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { OperationId } from '../../../core/catalog/operations.ts';
import {
  expectNothingClaimed,
  expectRefusal,
  jsonPost,
  startInstallation,
  type Installation,
  type Refusal,
} from '../installation.ts';
import { exchange, readAnswers } from '../requests/wire.ts';
import type { ReplyBody } from '../../support/pay.ts';

let installation: Installation;
beforeAll(async () => {
  installation = await startInstallation();
});
afterAll(() => installation?.close());
afterEach(() => expectNothingClaimed(installation));

const line = { receiver: 'alice', amount: 1 };
const ROUTES = [
  { operation: 'pay', path: '/payments/x/pay', body: line },
  { operation: 'batchPay', path: '/payments/x/batch-pay', body: { receivers: [line] } },
  { operation: 'crossBatchPay', path: '/payments/batch-pay', body: { receivers: [{ ...line, platform: 'x' }] } },
  { operation: 'cancelPayment', path: '/payments/1/cancel', body: { signature: '0xab', valid_before: 4e9 } },
] as const satisfies { operation: OperationId; path: string; body: object }[];

/** Whatever is wrong here is wrong before anybody looks at what the body means. */
describe.each(ROUTES)('$path: a body that is refused', ({ operation, path, body }) => {
  const text = JSON.stringify(body);
  const expectRefused = async (bytes: Uint8Array | string, refusal: Refusal, headers: Record<string, string> = {}) => {
    const init = {
      ...jsonPost(''),
      body: Buffer.from(bytes),
      headers: { 'content-type': 'application/json', ...headers },
    };
    expectRefusal(installation, operation, await installation.send(path, init), refusal);
  };
  const withKey = (value: string) => text.replace(/\}$/, `,"more":${value}}`);

  test.each<[string, Uint8Array | string, string]>([
    ['broken off', text.slice(0, -1), 'invalid_json'],
    ['with a comma too many', text.replace(/\}$/, ',}'), 'invalid_json'],
    ['with a comment', `${text}//`, 'invalid_json'],
    ['in single quotes', text.replaceAll('"', "'"), 'invalid_json'],
    ['two in one', text + text, 'invalid_json'],
    ['a key twice', text.replace(/\{"(\w+)":/, '{"$1":null,"$1":'), 'invalid_json'],
    ['a key twice deep inside', withKey('[{"a":{"b":1,"\\u0062":2}}]'), 'invalid_json'],
    ['a form', 'receiver=alice&amount=1', 'invalid_json'],
    ['not UTF-8', Buffer.from(withKey('"caf\u00e9"'), 'latin1'), 'invalid_json'],
    ['UTF-16', Buffer.from(text, 'utf16le'), 'invalid_json'],
    ['a number beyond all', withKey('1e999'), 'validation_failed'],
    ['half of a character', withKey('"\\ud83d"'), 'validation_failed'],
    ['half of a character as key', withKey('{"\\udc00":1}'), 'validation_failed'],
    ['lists in 33 levels', withKey('['.repeat(33) + ']'.repeat(33)), 'validation_failed'],
    ['lists in 30,000 levels', withKey('['.repeat(30_000) + ']'.repeat(30_000)), 'validation_failed'],
    ['objects in 10,000 levels', withKey('{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000)), 'validation_failed'],
  ])('%s', async (_name, bytes, error) => {
    await expectRefused(bytes, { status: 400, error });
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'multipart/form-data; boundary=x',
    ';',
  ])('under the type %s', async (type) => {
    await expectRefused(text, { status: 415, error: 'unsupported_media_type' }, { 'content-type': type });
  });

  test('one byte above 64 KiB, and 1 MiB, answer 413', async () => {
    const refusal = { status: 413, error: 'body_too_large' };
    await expectRefused(text.padEnd(64 * 1024 + 1), refusal);
    await expectRefused(text.padEnd(1024 * 1024), refusal);
  });

  test('1 MiB in chunks, which tell no length beforehand, answers 413 too', async () => {
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`.repeat(16);
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close\r\n`;
    const reply = await overSocket(`${head}Transfer-Encoding: chunked\r\n\r\n${chunk}0\r\n\r\n`);
    expectRefusal(installation, operation, reply, { status: 413, error: 'body_too_large' });
  });

  test('headers of 64 KiB answer 431', async () => {
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close\r\n`;
    const reply = await overSocket(
      `${head}X-Large: ${'x'.repeat(65_536)}\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
    );
    expectRefusal(installation, operation, reply, { status: 431, error: 'headers_too_large' });
  });

  test.each(['GET', 'PUT', 'DELETE', 'PATCH'])('%s answers 405 and says what is taken', async (method) => {
    const reply = await installation.send(path, { method });
    expectRefusal(installation, operation, reply, { status: 405, error: 'method_not_allowed' });
    expect(reply.headers.get('Allow')).toBe('POST, OPTIONS');
    expect(reply.body.detail).toBe('This address takes POST.');
  });
});

describe('a body that passes', () => {
  test.each([
    ['of exactly 64 KiB', JSON.stringify(line).padEnd(64 * 1024), 'application/json'],
    [
      'in 32 levels',
      JSON.stringify(line).replace(/\}$/, `,"more":${'['.repeat(31)}${']'.repeat(31)}}`),
      'application/json',
    ],
    ['with keys that nobody knows', JSON.stringify({ ...line, future: { a: 1 }, constructor: 1 }), 'application/json'],
    ['with a charset', JSON.stringify(line), 'application/json; charset=utf-8'],
    ['of a kind of JSON', JSON.stringify(line), 'application/vnd.api+json'],
  ])('%s', async (_name, body, type) => {
    const reply = await installation.send('/payments/x/pay', jsonPost(body, { 'content-type': type }));
    expect([reply.status, reply.body['error']]).toEqual([402, 'payment_required']);
  });
});

describe('validate', () => {
  test.each(['POST', 'PUT', 'DELETE', 'PATCH'])('%s answers 405 and says what is taken', async (method) => {
    const reply = await installation.send('/payments/validate', { method });
    expectRefusal(installation, 'validatePayment', reply, { status: 405, error: 'method_not_allowed' });
    expect(reply.headers.get('Allow')).toBe('GET, HEAD, OPTIONS');
  });

  test('headers of 64 KiB answer 431', async () => {
    const reply = await overSocket(
      `GET /payments/validate HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(65_536)}\r\n\r\n`,
    );
    expectRefusal(installation, 'validatePayment', reply, { status: 431, error: 'headers_too_large' });
  });
});

/** What never becomes a request for the app gets the one error shape all the same. */
describe('a request that HTTP itself refuses', () => {
  const get = (more: string) => `GET /payments/validate HTTP/1.1\r\n${more}Connection: close\r\n\r\n`;
  const post = (more: string) => `POST /payments/x/pay HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
  test.each([
    ['no Host', get('')],
    ['a Host with a space', get('Host: a b\r\n')],
    ['a Host that is another address', get('Host: EXAMPLE.com:99999\r\n')],
    ['an address that is none', 'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
    ['a backslash in the path', 'GET /a\\b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
    ['another protocol', '\x16\x03\x01\x02\x00\x01\r\n\r\n'],
    ['chunks that are none', post('Transfer-Encoding: chunked\r\n\r\nZZ')],
    ['two lengths', post('Content-Length: 3\r\nTransfer-Encoding: chunked\r\n')],
    ['a header without a name', get('Host: x\r\n: y\r\n')],
  ])('%s', async (_name, bytes) => {
    expectRefusal(installation, 'pay', await overSocket(bytes), { status: 400, error: 'validation_failed' });
  });

  test('an expectation that nobody knows is no reason to refuse', async () => {
    const text = JSON.stringify(line);
    const head = 'Content-Type: application/json\r\nExpect: 200-ok\r\nConnection: close\r\n';
    const reply = await overSocket(post(`${head}Content-Length: ${text.length}\r\n\r\n${text}`));
    expect([reply.status, reply.body['error']]).toEqual([402, 'payment_required']);
  });
});

async function overSocket(text: string) {
  const port = Number(new URL(installation.url).port);
  const bytes = await exchange(port, [Buffer.from(text, 'latin1')], { timeoutMs: 5_000 });
  const [answer] = readAnswers(bytes ?? Buffer.alloc(0), ['POST']);
  if (answer === undefined) throw new Error('the connection was closed without an answer');
  const { status, headers, body } = answer;
  const json = body.length === 0 ? {} : (JSON.parse(body.toString()) as unknown);
  return { status, headers, text: body.toString(), body: json as ReplyBody };
}
