/** Tasks of the standard methods, up to their payment. That they are paid is tested on real chains. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { NOW_MS, PARAMS, rpc, say, SKILL, startWorld, type World } from '../world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
beforeEach(() => {
  world.clock.nowMs = NOW_MS;
});
afterAll(() => world.close());

type Json = Record<string, unknown>;
type Task = { id: string; contextId: string; status: { state: string; message: { metadata: Json } } };

const send = (message: Json, to = world) =>
  say(to, rpc('SendMessage', { message: { messageId: 'm', role: 'ROLE_USER', ...message } }));
const call = (skill: string = SKILL, params: Json = PARAMS) => [{ data: { skill, params } }];
async function open(message: Json = {}): Promise<Task> {
  const { result, text } = await send({ parts: call(), ...message });
  if (result === undefined) throw new Error(`expected a task, found ${text}`);
  return result['task'] as Task;
}
/** Has the form of a payment, and is none. */
const WORTHLESS = {
  x402Version: 2,
  accepted: { scheme: 'exact', network: 'eip155:8453', amount: '1500000', asset: 'x', payTo: 'y' },
  payload: {},
};

describe('a message', () => {
  test.each([
    ['a data part with skill and params', { parts: call() }],
    ['a data part, and the skill in its metadata', { parts: [{ data: PARAMS }], metadata: { skill: SKILL } }],
    ['the same as skillId', { parts: [{ data: PARAMS }], metadata: { skillId: SKILL } }],
    ['an alias of the platform', { parts: call('pennypost.pay.twitter') }],
    ['text beside it', { parts: [{ text: 'Please!' }, ...call()] }],
  ])('with %s opens a task that asks for its price', async (_name, message) => {
    const { status } = await open(message);
    expect(status).toMatchObject({
      state: 'TASK_STATE_INPUT_REQUIRED',
      message: {
        role: 'ROLE_AGENT',
        metadata: {
          'x402.payment.status': 'payment-required',
          'x402.payment.required': { accepts: [{ amount: '1500000' }, { amount: '1500000' }] },
        },
      },
    });
  });

  test('keeps the context that it came with', async () => {
    expect((await open({ contextId: 'mine' })).contextId).toBe('mine');
  });

  test('with a payment and no task is refused: its task has to be known first', async () => {
    const metadata = { 'x402.payment.payload': WORTHLESS };
    const refused = await send({ parts: call(), metadata });
    expect(refused.error).toMatchObject({ code: -32602, data: [{ reason: 'PAYMENT_WITHOUT_TASK' }] });
  });
});

describe('an open task', () => {
  test('asked for again is the same', async () => {
    const task = await open();
    expect((await say(world, rpc('GetTask', { id: task.id }))).result).toEqual(task);
    expect((await send({ taskId: task.id, parts: [{ text: 'And?' }] })).result).toEqual({ task });
    expect((await send({ taskId: task.id, contextId: task.contextId, parts: call() })).result).toEqual({ task });
  });

  test.each([
    ['other params', { parts: call(SKILL, { ...PARAMS, amount: 2 }) }, 'TASK_ARGUMENTS_CHANGED'],
    ['another skill', { parts: call('pennypost.pay.code') }, 'TASK_ARGUMENTS_CHANGED'],
    ['another context', { contextId: 'other', parts: [] }, 'INVALID_PARAMS'],
  ])('with %s is refused', async (_name, message, reason) => {
    const { id } = await open();
    expect((await send({ taskId: id, ...message })).error).toMatchObject({ code: -32602, data: [{ reason }] });
  });

  test('with an unusable payment stays open, says why, and remembers it', async () => {
    const { id } = await open();
    const metadata = { 'x402.payment.status': 'payment-submitted', 'x402.payment.payload': WORTHLESS };
    const { result } = await send({ taskId: id, parts: [], metadata });
    const receipts = [{ success: false, errorReason: 'invalid_payload', network: 'unknown', transaction: '' }];
    expect(result['task']).toMatchObject({
      status: {
        state: 'TASK_STATE_INPUT_REQUIRED',
        message: {
          metadata: {
            'x402.payment.status': 'payment-failed',
            'x402.payment.error': 'INVALID_PAYLOAD',
            'x402.payment.required': { x402Version: 2 },
            'x402.payment.receipts': receipts,
          },
        },
      },
    });
    const got = (await say(world, rpc('tasks/get', { id }))).result as unknown as Task;
    expect(got.status.message.metadata).toMatchObject({
      'x402.payment.status': 'payment-required',
      'x402.payment.receipts': receipts,
    });
  });

  test.each([
    ['CancelTask', (id: string) => say(world, rpc('CancelTask', { id }))],
    [
      'a refused price',
      (id: string) => send({ taskId: id, parts: [], metadata: { 'x402.payment.status': 'payment-rejected' } }),
    ],
  ])('is called off by %s, for good', async (_name, cancel) => {
    const { id } = await open();
    await cancel(id);
    const state = async () => (await say(world, rpc('GetTask', { id }))).result['status'];
    expect(await state()).toMatchObject({ state: 'TASK_STATE_CANCELED' });
    expect((await cancel(id)).error).toBeUndefined();
    for (const metadata of [{}, { 'x402.payment.payload': WORTHLESS }]) {
      expect((await send({ taskId: id, parts: [], metadata })).error.code).toBe(-32004);
    }
    expect(await state()).toMatchObject({ state: 'TASK_STATE_CANCELED' });
  });

  test('of a caller who opened a thousand is one too many', async () => {
    const real = await startWorld({ localMode: false });
    try {
      for (let start = 0; start < 1_000; start += 100) {
        await Promise.all(Array.from({ length: 100 }, () => send({ parts: call() }, real)));
      }
      expect((await send({ parts: call() }, real)).error).toMatchObject({ code: -32053 });
      const elsewhere = { 'x-forwarded-for': '203.0.113.9' };
      const other = await say(real, rpc('SendMessage', { message: { messageId: 'm', parts: call() } }), elsewhere);
      expect(other.error).toBeUndefined();
    } finally {
      await real.close();
    }
  });
});

test('a task outlives the process that opened it', async () => {
  const task = await open();
  const { createA2aApp } = await import('../../../../api/a2a/http/app.ts');
  const next = createA2aApp(world.dependencies);
  expect((await say({ app: next }, rpc('GetTask', { id: task.id }))).result).toEqual(task);
});
