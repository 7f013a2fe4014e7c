/** A call without a payment, or with one that is refused: what it costs, and the name under which it is paid once. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { isBoundNonce, requestHash } from '../../../core/request-hash.ts';
import { stopSigning } from '../../../db/store/stops.ts';
import { startInstallation, type Installation } from '../../contract/installation.ts';
import { clearStop } from '../../contract/stops.ts';
import { call, modern, say } from './caller.ts';

let installation: Installation;
beforeAll(async () => {
  installation = await startInstallation();
});
afterAll(() => installation.close());

const ALICE = { receiver: 'alice', amount: 1.5 };
const paymentRequired = z.object({
  x402Version: z.literal(2),
  error: z.string(),
  resource: z.object({ url: z.string(), description: z.string(), mimeType: z.string() }),
  accepts: z
    .array(z.object({ scheme: z.literal('exact'), network: z.string(), amount: z.string(), payTo: z.string() }))
    .min(1),
});

test('a call without a payment is answered with the price in both generations’ places', async () => {
  const { status, error } = await say(installation.url, call('pay_x', ALICE));
  expect([status, error.code, error.message]).toEqual([200, -32402, 'Payment required: Send 1.5 USDC.']);
  const { taskId, ...data } = error.data;
  const required = paymentRequired.parse(data['paymentRequired']);
  expect(required).toMatchObject({ error: 'payment_required', resource: { url: 'mcp://tool/pay_x' } });
  expect(required.accepts[0]?.amount).toBe('1500000');
  expect(data).toMatchObject({ x402Version: 2, error: 'payment_required', accepts: required.accepts });
  const hash = requestHash('mcp.pay', { platform: 'x' }, ALICE);
  expect(isBoundNonce(String(taskId), hash)).toBe(true);
  expect(await installation.claimed()).toBe(0);
});

test('a client of the newer version gets the same error', async () => {
  const { body, headers } = modern('tools/call', { name: 'pay_x', arguments: ALICE });
  const { status, error } = await say(installation.url, body, { headers });
  expect([status, error.code]).toEqual([200, -32402]);
  expect(error.data).toMatchObject({ x402Version: 2, paymentRequired: { accepts: [{ amount: '1500000' }] } });
});

test('two calls have two task ids, and each other name of the platform the same request', async () => {
  const one = await say(installation.url, call('pay_x', ALICE));
  const other = await say(installation.url, call('pay_twitter', ALICE));
  expect(one.error.data['taskId']).not.toBe(other.error.data['taskId']);
  const again = await say(installation.url, call('pay_x', ALICE, { taskId: other.error.data['taskId'] }));
  expect([again.error.code, again.error.data['taskId']]).toEqual([-32402, other.error.data['taskId']]);
});

describe('a taskId', () => {
  const wrong: [string, (taskId: string) => unknown, string, unknown][] = [
    ['with another amount', (taskId) => taskId, 'pay_x', { ...ALICE, amount: 1.6 }],
    ['with another receiver', (taskId) => taskId, 'pay_x', { ...ALICE, receiver: 'mallory' }],
    ['with one more argument', (taskId) => taskId, 'pay_x', { ...ALICE, description: 'hi' }],
    ['of another tool', (taskId) => taskId, 'pay_decsocial', ALICE],
    ['that is made up', () => 'ab'.repeat(32), 'pay_x', ALICE],
    ['in another spelling', (taskId) => taskId.toUpperCase(), 'pay_x', ALICE],
    ['with a prefix', (taskId) => `0x${taskId}`, 'pay_x', ALICE],
    ['that is a number', () => 5, 'pay_x', ALICE],
    ['without end', (taskId) => taskId.repeat(100), 'pay_x', ALICE],
  ];
  test.each(wrong)('%s is refused', async (_name, toGiven, tool, toolArguments) => {
    const first = await say(installation.url, call('pay_x', ALICE));
    const taskId = toGiven(String(first.error.data['taskId']));
    const { error } = await say(installation.url, call(tool, toolArguments, { taskId }));
    expect([error.code, error.data['error'], error.data['field']]).toEqual([
      -32602,
      'validation_failed',
      '_meta.taskId',
    ]);
  });

  test('says the same whatever the order of the arguments', async () => {
    const first = await say(installation.url, call('pay_x', { amount: 1.5, receiver: 'alice' }));
    const again = await say(installation.url, call('pay_x', ALICE, { taskId: first.error.data['taskId'] }));
    expect(again.error.code).toBe(-32402);
  });
});

describe('the form of the x402 specification', () => {
  const ways: [string, string, Record<string, unknown> | undefined][] = [
    ['in the address', '/mcp?payment=result', undefined],
    ['in the message', '/mcp', { 'x402/payment-mode': 'result' }],
  ];
  test.each(ways)('asked for %s: a result that is an error', async (_name, path, meta) => {
    const { status, result } = await say(installation.url, call('pay_x', ALICE, meta), { path });
    expect([status, result['isError']]).toEqual([200, true]);
    const required = paymentRequired.parse(result['structuredContent']);
    expect(required.accepts[0]?.amount).toBe('1500000');
    const [content] = z.array(z.object({ type: z.literal('text'), text: z.string() })).parse(result['content']);
    expect(JSON.parse(content?.text ?? '')).toEqual(result['structuredContent']);
    const { taskId } = z.object({ taskId: z.string() }).parse(result['_meta']);
    const again = await say(installation.url, call('pay_x', ALICE, { ...meta, taskId }), { path });
    expect(again.result['_meta']).toMatchObject({ taskId });
  });

  test('leaves wrong arguments an error of the protocol', async () => {
    const { error } = await say(installation.url, call('pay_x', { receiver: 'alice' }), {
      path: '/mcp?payment=result',
    });
    expect(error.code).toBe(-32602);
  });
});

describe('a payment that cannot be one', () => {
  const unreadable: [string, Record<string, unknown>][] = [
    ['a text', { 'x402/payment': 'not base64 of anything' }],
    ['an empty object', { 'x402/payment': {} }],
    ['a number', { 'x402/payment': 5 }],
    ['a list', { x402Payment: [{}] }],
    ['an old key', { 'x402.payment': 'e30=' }],
  ];
  test.each(unreadable)('%s is answered with fresh requirements for the same task', async (_name, meta) => {
    const first = await say(installation.url, call('pay_x', ALICE));
    const { taskId } = first.error.data;
    const { error } = await say(installation.url, call('pay_x', ALICE, { ...meta, taskId }));
    expect([error.code, error.data['error'], error.data['taskId']]).toEqual([-32402, 'invalid_payload', taskId]);
    expect(paymentRequired.parse(error.data['paymentRequired']).error).toBe('invalid_payload');
  });

  test.each(['PAYMENT-SIGNATURE', 'X-PAYMENT', 'x-payment-response'])('is seen in the header %s too', async (name) => {
    const { error } = await say(installation.url, call('pay_x', ALICE), { headers: { [name]: 'e30=' } });
    expect([error.code, error.data['error']]).toEqual([-32402, 'invalid_payload']);
  });

  test('an empty one is none', async () => {
    const { error } = await say(installation.url, call('pay_x', ALICE, { 'x402/payment': '', x402Payment: null }));
    expect(error.data['error']).toBe('payment_required');
  });
});

test('an idempotency key that cannot be one is refused', async () => {
  const headers = { 'Idempotency-Key': 'short' };
  const { error } = await say(installation.url, call('pay_x', ALICE), { headers });
  expect([error.code, error.data['error'], error.data['field']]).toEqual([
    -32602,
    'invalid_idempotency_key',
    'Idempotency-Key',
  ]);
});

test('while payments are paused nobody is asked to sign', async () => {
  const { store } = installation.service;
  await stopSigning(store, { reason: 'operator', network: 'all', detail: 'test' }, 0);
  try {
    const said = await say(installation.url, call('pay_x', ALICE));
    expect([said.status, said.error.code, said.headers.get('Retry-After')]).toEqual([200, -32051, '60']);
    expect(said.error.data).toMatchObject({ error: 'service_paused', retryable: true, retry_after_seconds: 60 });
    expect((await say(installation.url, call('pay_x', ALICE), { path: '/mcp?payment=result' })).error.code).toBe(
      -32051,
    );
  } finally {
    await clearStop(store);
  }
});
