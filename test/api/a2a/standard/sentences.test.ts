/** Words alone open a task: priced where they are clear, asking where they are not. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { restateMessageTask } from '../../../../db/tasks/messages.ts';
import { rpc, say, SKILL, startWorld, type World } from '../world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

type Json = Record<string, unknown>;
type Task = {
  id: string;
  status: { state: string; message: { parts: { text: string }[]; metadata?: Json } };
};

const message = (given: Json) => rpc('SendMessage', { message: { messageId: 'm', role: 'ROLE_USER', ...given } });
async function write(text: string, more: Json = {}): Promise<Task> {
  const { result, text: found } = await say(world, message({ parts: [{ text }], ...more }));
  if (result === undefined) throw new Error(`expected a task, found ${found}`);
  return result['task'] as Task;
}
const got = async ({ id }: Task) => (await say(world, rpc('GetTask', { id }))).result as unknown as Task;
const statusOf = ({ status }: Task) => status.message.metadata?.['x402.payment.status'];
const priceOf = ({ status }: Task) =>
  (status.message.metadata?.['x402.payment.required'] as { accepts: { amount: string }[] } | undefined)?.accepts[0]
    ?.amount;

test('a clear sentence is priced at once and says how it was read', async () => {
  const task = await write('Please send 5 dollars to alice on X for the talk.');
  expect(task.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
  expect([statusOf(task), priceOf(task)]).toEqual(['payment-required', '5000000']);
  const sentence = '5 USDC to alice on X, with the note "for the talk"';
  expect(task.status.message.metadata?.['reading']).toEqual({
    platform: 'x',
    receiver: 'alice',
    amount: '5',
    note: 'for the talk',
    sentence,
  });
  expect(task.status.message.parts[0]?.text).toContain(sentence);
  expect(await got(task)).toEqual(task);
});

test('several people are a batch, and people on the photo platform are found too', async () => {
  const task = await write('Send 1 USDC each to alice on Instagram and bob on Instagram');
  expect(priceOf(task)).toBe('2000000');
  expect(task.status.message.metadata?.['reading']).toMatchObject({
    platform: 'photo',
    receivers: [
      { receiver: 'alice', amount: '1' },
      { receiver: 'bob', amount: '1' },
    ],
  });
});

test('a sentence asks for the same payment as its data part', async () => {
  const task = await write('tip @x:alice 0.50');
  const data = { skill: SKILL, params: { receiver: 'alice', amount: '0.5' } };
  const { result } = await say(world, message({ taskId: task.id, parts: [{ data }] }));
  expect(result['task']).toEqual(task);
});

test.each([
  ['Hello', /Who is to get how much/],
  ['Send 5 USDC to @alice', /Whom does "@alice" mean/],
  ['Send 5 USDC to x:alice and x:bob', /each of them/],
  ['Send 1 USDC each to x:alice and bob@example.org', /one platform/],
  ['Send 1 USDC to telegram:123456', /cannot be paid here/],
  ['Send 5 euros to x:alice', /5 euros/],
  ['Send 5 USDC to x:alice on Polygon', /network is not offered/],
  ['Send 5 USDC to x:alice if it rains', /not understand every word/],
  [`Send 5 USDC to x:alice ${'for '.repeat(400)}`, /at most 500 characters/],
  ['Send 5 USDC to \u0000 x', /Whom/],
])('%j is asked about, and nothing can be paid for it', async (text, question) => {
  const task = await write(text);
  expect(task.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
  expect(statusOf(task)).toBeUndefined();
  expect(task.status.message.parts[0]?.text).toMatch(question);
  expect(await got(task)).toEqual(task);
  const payment = { x402Version: 2, accepted: { scheme: 'exact', network: 'eip155:8453' }, payload: {} };
  const paid = await say(world, message({ taskId: task.id, parts: [], metadata: { 'x402.payment.payload': payment } }));
  expect(paid.error).toBeDefined();
  expect(await got(task)).toEqual(task);
});

test('a question is answered under its task, by words or by a call, and what is priced stays', async () => {
  const asked = await write('Send 5 USDC to @alice');
  const still = await write('to alice', { taskId: asked.id });
  expect([still.id, statusOf(still)]).toEqual([asked.id, undefined]);
  const priced = await write('Send 5 USDC to alice on X', { taskId: asked.id });
  expect([priced.id, priceOf(priced)]).toEqual([asked.id, '5000000']);
  expect(await got(asked)).toEqual(priced);
  expect(await write('Send 6 USDC to bob on X', { taskId: asked.id })).toEqual(priced);
  // Two answers that were read at the same moment: the second finds a priced task.
  const late = { skillId: SKILL, params: { receiver: 'bob', amount: '6' }, expiresAtMs: world.clock.nowMs };
  expect(await restateMessageTask(world.store, { id: asked.id, skillId: 'asking' }, late)).toBe(false);
  expect(await got(asked)).toEqual(priced);
  const other = await write('Hello');
  const call = { data: { skill: SKILL, params: { receiver: 'alice', amount: 1 } } };
  const { result } = await say(world, message({ taskId: other.id, parts: [call] }));
  expect(priceOf(result['task'] as Task)).toBe('1000000');
});

test('a question that was called off is no longer answered', async () => {
  const asked = await write('Send 5 USDC to @alice');
  await say(world, rpc('CancelTask', { id: asked.id }));
  const { error } = await say(world, message({ taskId: asked.id, parts: [{ text: 'Send 5 USDC to alice on X' }] }));
  expect(error.code).toBe(-32004);
});

test('protocol 0.3 asks and prices alike', async () => {
  const sent = (text: string) =>
    say(
      world,
      rpc('message/send', {
        message: { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'text', text }] },
      }),
    );
  expect((await sent('Send 5 USDC to @alice')).result).toMatchObject({ status: { state: 'input-required' } });
  const { result } = await sent('Send 5 USDC to alice on X');
  expect(result).toMatchObject({ status: { message: { metadata: { reading: { receiver: 'alice', amount: '5' } } } } });
});
