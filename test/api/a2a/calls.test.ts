/** What the protocol itself takes and refuses, before any skill or task is meant. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PARAMS, rpc, say, SKILL, startWorld, X402, X402_OLD, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
beforeEach(() => {
  world.logged.length = 0;
});
afterAll(() => world.close());

const batch = (count: number) => ({
  receivers: Array.from({ length: count }, (_, index) => ({ receiver: `person${index}`, amount: 0.01 })),
});
const message = (parts: unknown, more: Record<string, unknown> = {}) => ({
  message: { messageId: 'm', role: 'ROLE_USER', parts, ...more },
});
const data = (value: unknown) => [{ data: value }];

describe('a body that is no call', () => {
  const cases: [string, unknown, number, string][] = [
    ['broken JSON', '{"jsonrpc": "2.0",', -32700, 'invalid_json'],
    ['a key twice', JSON.stringify(rpc(SKILL, PARAMS)).replace('"id"', '"id":1,"id"'), -32700, 'invalid_json'],
    ['half a character', String.raw`{"jsonrpc":"2.0","id":1,"method":"\ud83d"}`, -32602, 'validation_failed'],
    ['nothing', '', -32600, 'invalid_request'],
    ['a text', '"hello"', -32600, 'invalid_request'],
    ['a batch', [rpc(SKILL, PARAMS)], -32600, 'invalid_request'],
    ['an empty batch', [], -32600, 'invalid_request'],
    ['another version of JSON-RPC', { ...rpc(SKILL, PARAMS), jsonrpc: '1.0' }, -32600, 'invalid_request'],
    ['a notification', { jsonrpc: '2.0', method: SKILL, params: PARAMS }, -32600, 'invalid_request'],
    ['an id of 200 characters', rpc(SKILL, PARAMS, 'x'.repeat(200)), -32600, 'invalid_request'],
    ['an id beyond whole numbers', rpc(SKILL, PARAMS, 1e300), -32600, 'invalid_request'],
    ['a fraction as id', rpc(SKILL, PARAMS, 0.5), -32600, 'invalid_request'],
    ['an object as id', rpc(SKILL, PARAMS, {}), -32600, 'invalid_request'],
    ['no method', { jsonrpc: '2.0', id: 1 }, -32600, 'invalid_request'],
    ['a method of 200 characters', rpc('x'.repeat(200), {}), -32600, 'invalid_request'],
    ['an unknown method', rpc('tasks/everything', {}), -32601, 'method_not_found'],
    ['an unknown skill', rpc('pennypost.pay.myspace', PARAMS), -32601, 'method_not_found'],
    ['a platform for chats only', rpc('pennypost.pay.discord', PARAMS), -32601, 'method_not_found'],
    ['params as a list', rpc(SKILL, [PARAMS]), -32602, 'invalid_params'],
    ['no params', { jsonrpc: '2.0', id: 1, method: SKILL }, -32602, 'validation_failed'],
    ['a batch of 101 receivers', rpc('pennypost.batch-pay.x', batch(101)), -32602, 'validation_failed'],
    ['a batch of none', rpc('pennypost.batch-pay.x', batch(0)), -32602, 'validation_failed'],
    ['an amount beyond the limit', rpc(SKILL, { ...PARAMS, amount: 10.01 }), -32602, 'invalid_amount'],
    ['a receiver that is none', rpc(SKILL, { ...PARAMS, receiver: '\u0430lice' }), -32602, 'invalid_receiver'],
    ['a payment without its task', rpc(SKILL, { ...PARAMS, payment: {} }), -32602, 'payment_without_task'],
    ['a number as taskId', rpc(SKILL, { taskId: 7 }), -32602, 'invalid_params'],
    ['a text as payment', rpc(SKILL, { taskId: 't', payment: 'x' }), -32602, 'invalid_params'],
    ['a task of no characters', rpc(SKILL, { taskId: '\u0000' }), -32602, 'unknown_task'],
    ['an unknown task', rpc(SKILL, { taskId: 'task_0', payment: {} }), -32602, 'unknown_task'],
  ];
  test.each(cases)('%s is refused with its code and a reason', async (_name, body, code, error) => {
    const spoken = await say(world, body);
    expect([spoken.status, spoken.error.code, spoken.error.data['error']]).toEqual([200, code, error]);
    expect(spoken.error.message.length).toBeGreaterThan(15);
    expect(spoken.error.data['request_id']).toBe(spoken.headers.get('X-Request-Id'));
    expect(world.logged).toEqual([]);
  });

  const standard: [string, string, unknown, number, string][] = [
    ['no message', 'SendMessage', {}, -32602, 'INVALID_PARAMS'],
    ['a number as message', 'SendMessage', { message: 5 }, -32602, 'INVALID_PARAMS'],
    ['no words', 'SendMessage', message([{ text: ' ' }]), -32602, 'INVALID_PARAMS'],
    ['an unknown skill', 'SendMessage', message(data({ skill: 'pennypost.pay.myspace' })), -32602, 'UNKNOWN_SKILL'],
    ['two data parts', 'SendMessage', message([...data({ skill: SKILL }), ...data({})]), -32602, 'INVALID_PARAMS'],
    ['params as text', 'SendMessage', message(data({ skill: SKILL, params: 'x' })), -32602, 'INVALID_PARAMS'],
    [
      'a wrong amount',
      'SendMessage',
      message(data({ skill: SKILL, params: { receiver: 'a', amount: 0 } })),
      -32602,
      'INVALID_AMOUNT',
    ],
    ['21 parts', 'SendMessage', message(Array.from({ length: 21 }, () => ({ text: 'x' }))), -32602, 'INVALID_PARAMS'],
    ['a task nobody has', 'SendMessage', message(data({ skill: SKILL }), { taskId: 'none' }), -32001, 'TASK_NOT_FOUND'],
    [
      'a context of no characters',
      'SendMessage',
      message(data({ skill: SKILL }), { contextId: '\u0000' }),
      -32602,
      'INVALID_PARAMS',
    ],
    ['a task of no characters', 'GetTask', { id: '\u0000' }, -32001, 'TASK_NOT_FOUND'],
    ['a very long task id', 'SendMessage', message([], { taskId: 'x'.repeat(101) }), -32602, 'INVALID_PARAMS'],
    [
      'a payment that is none',
      'SendMessage',
      message([], { taskId: 't', metadata: { 'x402.payment.payload': 7 } }),
      -32602,
      'INVALID_PARAMS',
    ],
    [
      'a payment that is not there',
      'SendMessage',
      message([], { metadata: { 'x402.payment.status': 'payment-submitted' } }),
      -32602,
      'INVALID_PARAMS',
    ],
    ['a task nobody has', 'GetTask', { id: 'none' }, -32001, 'TASK_NOT_FOUND'],
    ['a task nobody has', 'CancelTask', { id: 'none' }, -32001, 'TASK_NOT_FOUND'],
    ['a stream of nothing', 'SendStreamingMessage', message([]), -32602, 'INVALID_PARAMS'],
    ['a stream of a task nobody has', 'SubscribeToTask', { id: 'none' }, -32001, 'TASK_NOT_FOUND'],
    ['push notifications', 'CreateTaskPushNotificationConfig', {}, -32003, 'PUSH_NOTIFICATIONS_NOT_SUPPORTED'],
    ['another card', 'GetExtendedAgentCard', {}, -32007, 'EXTENDED_CARD_NOT_CONFIGURED'],
  ];
  test.each(standard)('%s for %s is refused as protocol 1.0 wants it', async (_name, method, params, code, reason) => {
    const spoken = await say(world, rpc(method, params), { 'A2A-Version': '1.0' });
    expect(spoken.error).toMatchObject({
      code,
      data: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason }],
    });
    expect(world.logged).toEqual([]);
  });

  const old: [string, string, unknown, number][] = [
    ['no params', 'message/send', undefined, -32602],
    ['a number as message', 'message/send', { message: 5 }, -32602],
    [
      'a part of no kind',
      'message/send',
      { message: { kind: 'message', messageId: 'm', role: 'user', parts: [{}] } },
      -32602,
    ],
    ['a task nobody has', 'tasks/get', { id: 'none' }, -32001],
    ['a stream of nothing', 'message/stream', {}, -32602],
    ['a stream of a task nobody has', 'tasks/resubscribe', { id: 'none' }, -32001],
    ['push notifications', 'tasks/pushNotificationConfig/set', {}, -32003],
  ];
  test.each(old)('%s for %s is refused as protocol 0.3 has it', async (_name, method, params, code) => {
    const spoken = await say(world, rpc(method, params), {});
    expect([spoken.error.code, typeof spoken.error.data['error']]).toEqual([code, 'string']);
    expect(world.logged).toEqual([]);
  });
});

describe('the extension header', () => {
  test('is wanted by name with a skill-named call, and not with a standard method', async () => {
    const refused = await say(world, rpc(SKILL, PARAMS), {});
    expect([refused.id, refused.error.code, refused.error.data['error']]).toEqual([1, -32600, 'extension_required']);
    expect(refused.error.message).toContain('X-A2A-Extensions');
    const taken = await say(world, rpc('SendMessage', message(data({ skill: SKILL, params: PARAMS }))), {});
    expect(taken.result).toMatchObject({ task: { status: { state: 'TASK_STATE_INPUT_REQUIRED' } } });
  });

  test.each([
    ['X-A2A-Extensions', X402],
    ['A2A-Extensions', X402],
    ['A2A-Extensions', X402_OLD],
    ['A2A-Extensions', `https://example.com/other, ${X402_OLD},${X402}`],
  ])('%s: %s is echoed with what is in use', async (name, value) => {
    const spoken = await say(world, rpc(SKILL, PARAMS), { [name]: value });
    const used = [X402, X402_OLD].filter((uri) => value.includes(uri));
    expect([spoken.result['status'], spoken.headers.get(name)]).toEqual(['PAYMENT_REQUIRED', used.join(', ')]);
  });

  test('with an extension that nobody knows activates nothing and refuses nothing', async () => {
    const spoken = await say(world, rpc(SKILL, PARAMS), { 'X-A2A-Extensions': 'https://example.com/v9' });
    expect([spoken.result['status'], spoken.headers.get('X-A2A-Extensions')]).toEqual(['PAYMENT_REQUIRED', null]);
  });
});

test('an id comes back as it was sent', async () => {
  for (const id of ['a', 0, -7, null, 'x'.repeat(128), 2 ** 53 - 1]) {
    expect((await say(world, rpc('GetTask', { id: 'none' }, id))).id).toBe(id);
  }
});

test('a version of the protocol that nobody serves is refused', async () => {
  const spoken = await say(world, rpc('GetTask', { id: 'none' }), { 'A2A-Version': '2.0' });
  expect(spoken.error.code).toBe(-32009);
});

test('a body above 64 KiB answers 413, one that is no JSON by its own word 415, another method 405', async () => {
  const large = await say(world, rpc(SKILL, { ...PARAMS, description: 'x'.repeat(70_000) }));
  expect([large.status, large.error.code, large.error.data['error']]).toEqual([413, -32600, 'body_too_large']);
  const form = await say(world, rpc(SKILL, PARAMS), { 'content-type': 'text/plain' });
  expect([form.status, form.error.code]).toEqual([415, -32600]);
  expect((await world.app.request('/a2a')).status).toBe(405);
});

test('a page elsewhere may call with the headers of the protocol', async () => {
  const headers = { Origin: 'https://elsewhere.example', 'Access-Control-Request-Method': 'POST' };
  const answer = await world.app.request('/a2a', { method: 'OPTIONS', headers });
  expect([answer.status, answer.headers.get('Access-Control-Allow-Origin')]).toEqual([204, '*']);
  for (const name of ['X-A2A-Extensions', 'A2A-Extensions', 'A2A-Version', 'Content-Type']) {
    expect(answer.headers.get('Access-Control-Allow-Headers')).toContain(name);
  }
});

describe('a caller who asks too often', () => {
  test('is told when to come again; our bot is not counted', async () => {
    const busy = await startWorld({}, 2);
    try {
      const get = (headers = {}) => say(busy, rpc('tasks/get', { id: 'none' }), headers);
      await get();
      await get();
      const refused = await get();
      expect([refused.status, refused.error.code, refused.error.data['error']]).toEqual([429, -32053, 'rate_limited']);
      expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
      const token = busy.dependencies.settings.botApiToken;
      expect((await get({ Authorization: `Bearer ${token}` })).status).toBe(200);
      expect((await get({ 'x-forwarded-for': '203.0.113.9' })).status).toBe(200);
    } finally {
      await busy.close();
    }
  });
});
