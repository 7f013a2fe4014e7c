/** What is no message, no method or no tool: refused in the protocol's way, in our words, and never as a failure of ours. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startInstallation, type Installation } from '../../contract/installation.ts';
import { leaksIn } from '../../contract/leaks.ts';
import { call, modern, say } from './caller.ts';

let installation: Installation;
beforeAll(async () => {
  installation = await startInstallation();
});
afterAll(() => installation.close());

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const long = 'x'.repeat(300);
const deep = `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`;

/** What was posted, the status, the code, and the id in the answer. */
const cases: [string, unknown, number, number, unknown][] = [
  ['broken JSON', '{"jsonrpc":', 400, -32700, null],
  ['no JSON at all', 'pay alice 1', 400, -32700, null],
  ['a key twice', '{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}', 400, -32700, null],
  ['an empty body', '', 400, -32600, null],
  ['null', 'null', 400, -32600, null],
  ['a text', '"ping"', 400, -32600, null],
  ['a batch', [ping, { ...ping, id: 2 }], 400, -32600, null],
  ['an empty batch', [], 400, -32600, null],
  ['another JSON-RPC', { ...ping, jsonrpc: '1.0' }, 400, -32600, 1],
  ['no method', { jsonrpc: '2.0', id: 1 }, 400, -32600, 1],
  ['a method that is a number', { ...ping, method: 5 }, 400, -32600, 1],
  ['a method without end', { ...ping, method: long }, 400, -32600, 1],
  ['a response', { jsonrpc: '2.0', id: 1, result: {} }, 400, -32600, 1],
  ['a huge id', { ...ping, id: long }, 400, -32600, null],
  ['an id beyond all numbers', '{"jsonrpc":"2.0","id":1e400,"method":"ping"}', 400, -32600, null],
  ['an id beyond whole numbers', '{"jsonrpc":"2.0","id":1e300,"method":"ping"}', 400, -32600, null],
  ['an id with a fraction', { ...ping, id: 1.5 }, 400, -32600, null],
  ['an id that is null', { ...ping, id: null }, 400, -32600, null],
  ['an id that is an object', { ...ping, id: {} }, 400, -32600, null],
  ['parameters in a list', { ...ping, params: [1] }, 400, -32602, 1],
  ['a _meta that is a text', { ...ping, params: { _meta: 'x' } }, 400, -32602, 1],
  ['half of a character', '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"\\ud83d"}}', 400, -32600, null],
  ['nesting without end', `{"jsonrpc":"2.0","id":1,"method":"ping","params":${deep}}`, 400, -32600, null],
  ['an unknown method', { ...ping, method: 'pay' }, 200, -32601, 1],
  ['a method of every object', { ...ping, method: 'constructor' }, 200, -32601, 1],
  ['what would be listened to', { ...ping, method: 'subscriptions/listen' }, 404, -32601, 1],
  ['a page that is not there', { ...ping, method: 'tools/list', params: { cursor: 'x' } }, 200, -32602, 1],
  ['no tool', { ...ping, method: 'tools/call', params: {} }, 200, -32602, 1],
  ['no parameters of a call', { ...ping, method: 'tools/call' }, 200, -32602, 1],
  ['an unknown tool', call('pay_nobody', {}), 200, -32602, 1],
  ['a tool for the bot only', call('pay_photo', { receiver: 'alice', amount: 1 }), 200, -32602, 1],
  ['a tool of every object', call('constructor', {}), 200, -32602, 1],
  ['a tool that is a list', call(['pay_x'], {}), 200, -32602, 1],
  ['arguments that are a list', call('pay_x', ['alice', 1]), 200, -32602, 1],
  ['arguments that are a text', call('pay_x', 'alice 1'), 200, -32602, 1],
];
test.each(cases)('%s is refused', async (_name, body, status, code, id) => {
  const said = await say(installation.url, body);
  expect([said.status, said.error.code, said.id]).toEqual([status, code, id]);
  expect(said.error.message.length).toBeGreaterThan(10);
  expect(said.error.data['request_id']).toBe(said.headers.get('X-Request-Id'));
  expect(leaksIn(said.text, installation.secrets)).toEqual([]);
  // Words of the library, which would tell what is inside. An id is made of random letters.
  expect(said.text.replace(String(said.error.data['request_id']), '')).not.toMatch(
    /Bad Request|Invalid Request:|Parse error|invalid_type|expected object|zod/i,
  );
});

/** Tool, arguments, and what the data says is wrong. */
const wrongArguments: [string, Record<string, unknown>, string, string][] = [
  ['pay_x', {}, 'validation_failed', 'amount'],
  ['pay_x', { amount: 1 }, 'validation_failed', 'receiver'],
  ['pay_x', { receiver: 'alice', amount: 0.001 }, 'invalid_amount', 'amount'],
  ['pay_x', { receiver: 'alice', amount: '1e1' }, 'invalid_amount', 'amount'],
  ['pay_x', { receiver: 'alice', amount: 1, currency: 'EUR' }, 'invalid_currency', 'currency'],
  ['pay_x', { receiver: 'а1ice', amount: 1 }, 'invalid_receiver', 'receiver'],
  ['pay_email', { receiver: 'alice', amount: 1 }, 'invalid_receiver', 'receiver'],
  ['batch_pay', { payments: [] }, 'validation_failed', 'payments'],
  [
    'batch_pay',
    { payments: Array.from({ length: 101 }, () => ({ platform: 'x', receiver: 'alice', amount: 0.01 })) },
    'validation_failed',
    'payments',
  ],
  [
    'batch_pay',
    { payments: [{ platform: 'photo', receiver: 'alice', amount: 1 }] },
    'platform_unavailable',
    'payments[0].platform',
  ],
  ['validate_payment', {}, 'validation_failed', 'undefined'],
  ['validate_payment', { txn_id: 'one' }, 'validation_failed', 'txn_id'],
  ['validate_payment', { txn_id: 4711 }, 'payment_not_found', 'undefined'],
];
test.each(wrongArguments)('%s with %j is refused as %s', async (name, given, error, field) => {
  const { status, error: refusal } = await say(installation.url, call(name, given));
  expect([status, refusal.code]).toEqual([200, -32602]);
  expect([refusal.data['error'], String(refusal.data['field']), refusal.data['retryable']]).toEqual([
    error,
    field,
    false,
  ]);
  expect(refusal.data['detail']).toBe(refusal.message);
});

describe('the transport', () => {
  test('a notification is taken and answered by nothing, whatever it says', async () => {
    for (const method of ['notifications/initialized', 'notifications/cancelled', 'tools/call', 'nonsense']) {
      const said = await say(installation.url, { jsonrpc: '2.0', method, params: { name: 'pay_x', arguments: {} } });
      expect([said.status, said.text]).toEqual([202, '']);
    }
  });

  test.each(['GET', 'DELETE', 'PUT', 'HEAD'])('%s is refused, naming what is taken', async (method) => {
    const response = await fetch(`${installation.url}/mcp`, { method });
    expect([response.status, response.headers.get('Allow')]).toEqual([405, 'POST, OPTIONS']);
    if (method === 'HEAD') return;
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32600 } });
  });

  test('another content type is refused', async () => {
    const said = await say(installation.url, ping, { headers: { 'content-type': 'text/plain' } });
    expect([said.status, said.error.code, said.error.data['error']]).toEqual([415, -32600, 'unsupported_media_type']);
  });

  test.each([65 * 1024, 1024 * 1024])('a body of %i bytes is refused', async (size) => {
    const said = await say(installation.url, call('pay_x', { receiver: 'alice', amount: 1, note: 'x'.repeat(size) }));
    expect([said.status, said.error.code, said.error.data['error']]).toEqual([413, -32600, 'body_too_large']);
  });

  test('a preflight names the headers of MCP beside those of REST', async () => {
    const response = await fetch(`${installation.url}/mcp`, { method: 'OPTIONS' });
    expect(response.status).toBe(204);
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect(response.headers.get('Access-Control-Allow-Credentials')).toBeNull();
    expect(response.headers.get('Access-Control-Allow-Headers')?.split(', ')).toEqual(
      expect.arrayContaining(['Content-Type', 'PAYMENT-SIGNATURE', 'MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name']),
    );
  });

  test('a page of any origin may read the answer, a refusal too', async () => {
    for (const body of [ping, '{']) {
      const said = await say(installation.url, body, { headers: { Origin: 'https://elsewhere.example' } });
      expect(said.headers.get('Access-Control-Allow-Origin')).toBe('*');
      expect(said.headers.get('Cache-Control')).toBe('no-store');
    }
  });
});

describe('the versions of the protocol', () => {
  test('an older client may begin with initialize, and is told how paying works', async () => {
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const said = await say(installation.url, { jsonrpc: '2.0', id: 'a', method: 'initialize', params });
    expect(said.result).toMatchObject({ protocolVersion: '2025-06-18', capabilities: { tools: {} } });
    expect(said.result['instructions']).toMatch(/-32402.*taskId.*never sign a second/s);
    expect(said.headers.get('Mcp-Session-Id')).toBeNull();
  });

  test('one that asks for an unknown version is offered the newest of the older ones', async () => {
    const params = { protocolVersion: '2031-01-01', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const said = await say(installation.url, { jsonrpc: '2.0', id: 'a', method: 'initialize', params });
    expect(said.result['protocolVersion']).toBe('2025-11-25');
  });

  test('a newer client discovers, and is told how long the tools stay the same', async () => {
    const { body, headers } = modern('server/discover');
    const discovered = await say(installation.url, body, { headers });
    expect(discovered.result['supportedVersions']).toEqual(['2026-07-28']);
    const list = modern('tools/list');
    const listed = await say(installation.url, list.body, { headers: list.headers });
    expect(listed.result).toMatchObject({ ttlMs: 300_000, cacheScope: 'public' });
  });

  const headersOf = modern('tools/list').headers;
  const disagreeing: [string, Record<string, string>, unknown, number][] = [
    [
      'headers that say another method',
      { ...headersOf, 'Mcp-Method': 'tools/call' },
      modern('tools/list').body,
      -32020,
    ],
    [
      'a version without its envelope',
      { 'MCP-Protocol-Version': '2026-07-28' },
      { ...ping, method: 'tools/list' },
      -32602,
    ],
    ['an older version that never was', { 'MCP-Protocol-Version': '1999-01-01' }, ping, -32000],
  ];
  test.each(disagreeing)('%s are refused in words of ours', async (_name, headers, body, code) => {
    const said = await say(installation.url, body, { headers });
    expect([said.status, said.error.code]).toEqual([400, code]);
    expect(said.text).not.toMatch(/Bad Request|envelope key|tools\/call/);
  });

  test('a version that is not served yet is refused with those that are', async () => {
    const { body, headers } = modern('tools/list');
    const text = JSON.stringify(body).replace('2026-07-28', '2027-01-01');
    const said = await say(installation.url, text, { headers: { ...headers, 'MCP-Protocol-Version': '2027-01-01' } });
    expect([said.status, said.error.code, said.error.data['supported']]).toEqual([400, -32022, ['2026-07-28']]);
  });
});
