/** The bot's calls of tasks, against the interface for agents as it is. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTasks, skillOf, type Tasks } from '../../client/tasks.ts';
import { toHeader } from '../../core/payments/x402.ts';
import { findTask } from '../../db/tasks/find.ts';
import { startWorld, type World } from '../api/a2a/world.ts';

const REQUEST = { route: '/payments/x/pay', body: { receiver: 'alice', amount: '1.5', description: 'thanks' } };
const DISCORD = { route: '/payments/discord/pay', body: { receiver: '1234567890123456789', amount: '1' } };
const SEVERAL = {
  route: '/payments/batch-pay',
  body: {
    receivers: [
      { platform: 'x', receiver: 'alice', amount: '1' },
      { platform: 'email', receiver: 'bob@example.com', amount: '2' },
    ],
  },
};
const REFUNDS = [`0x${'ab'.repeat(20)}`, 'Vote111111111111111111111111111111111111111'];

let world: World;
beforeAll(async () => void (world = await startWorld()));
afterAll(() => world.close());

/** Over the app itself; `answer` stands for what a network in between makes of it. */
function client(answer: (response: Response) => Response | Promise<Response> = (response) => response): Tasks {
  const fetch: typeof globalThis.fetch = async (input, init) =>
    answer(await world.app.request(new URL(input instanceof Request ? input.url : input).pathname, init));
  const apiToken = world.dependencies.settings.botApiToken ?? undefined;
  return createTasks({ fetch, closing: new AbortController().signal, baseUrl: 'http://api.test', apiToken });
}

async function open(request: Parameters<Tasks['open']>[0] = REQUEST, refunds = REFUNDS.slice(0, 1)) {
  const opened = await client().open(request, refunds);
  if (opened.kind !== 'opened') throw new Error(`opening was answered with ${JSON.stringify(opened)}`);
  return opened.task;
}

test.each([
  ['/payments/x/pay', 'pennypost.pay.x'],
  ['/payments/discord/batch-pay', 'pennypost.batch-pay.discord'],
  ['/payments/batch-pay', 'pennypost.batch-pay'],
  ['/rewards/x/pay', null],
])('%s is the skill %s', (route, skill) => {
  expect(skillOf({ route })).toBe(skill);
});

describe('a task', () => {
  test('is opened with its price on each network, and with where money goes back to', async () => {
    const task = await open();
    expect(task.transfers.map(({ network }) => network)).toEqual(['eip155:8453', 'solana:mainnet']);
    expect(task.transfers.map(({ price }) => price)).toEqual(['1500000', '1500000']);
    expect(task.required).toMatchObject({ x402Version: 2 });
    const found = await findTask(world.store, task.taskId);
    expect(found?.task.refundAddresses).toEqual([{ network: 'base', address: REFUNDS[0] }]);
  });

  test('is opened for people of our own chats as well', async () => {
    expect((await open(DISCORD)).taskId).toMatch(/^task_/);
  });

  test('is opened for people of several platforms, each line priced and checked', async () => {
    const { task } = (await findTask(world.store, (await open(SEVERAL)).taskId)) ?? {};
    expect(task).toMatchObject({ skill: 'pennypost.batch-pay', sumMicroUsdc: 3_000_000n });
    const wrong = {
      ...SEVERAL,
      body: { receivers: [...SEVERAL.body.receivers, { platform: 'x', receiver: '?', amount: '1' }] },
    };
    expect(await client().open(wrong, [])).toMatchObject({ kind: 'refused' });
  });

  test('for people of several platforms is for our bot only', async () => {
    const fetch: typeof globalThis.fetch = async (input, init) =>
      world.app.request(new URL(input instanceof Request ? input.url : input).pathname, init);
    const stranger = createTasks({ fetch, closing: new AbortController().signal, baseUrl: 'http://api.test' });
    expect(await stranger.open(SEVERAL, [])).toMatchObject({ kind: 'refused', reason: 'method_not_found' });
  });

  test('stands open until it is paid, and is gone when nobody knows it', async () => {
    const { taskId } = await open();
    expect(await client().ask(REQUEST, taskId)).toEqual({ kind: 'open' });
    expect(await client().ask(REQUEST, `task_${'0'.repeat(32)}`)).toEqual({ kind: 'gone' });
  });

  test('is not opened for a body that the API refuses', async () => {
    const body = { receiver: 'alice', amount: '1000' };
    expect(await client().open({ ...REQUEST, body }, REFUNDS.slice(0, 1))).toMatchObject({
      kind: 'refused',
      reason: 'invalid_amount',
    });
  });

  test('refuses what is no payment, in a word', async () => {
    const { taskId } = await open();
    const accepted = { scheme: 'exact', network: 'eip155:8453', amount: '1', asset: 'a', payTo: 'p' };
    const header = toHeader({ x402Version: 2, accepted, payload: {} });
    expect(await client().send(REQUEST, { taskId, header })).toMatchObject({ kind: 'refused' });
  });
});

describe.each<[string, (response: Response) => Response | Promise<Response>]>([
  ['no answer', () => Promise.reject(new TypeError('fetch failed'))],
  ['an answer that is no JSON', () => new Response('<html>', { status: 200 })],
  ['an answer of a proxy', () => Response.json({ error: 'bad_gateway' }, { status: 502 })],
  [
    'too many requests',
    () => Response.json({ error: { code: -32053, data: { error: 'rate_limited' } } }, { status: 429 }),
  ],
  ['a settlement that is under way', () => later('settlement_pending', -32050)],
  ['a service that is paused', () => later('service_paused', -32051)],
  ['a mistake of the server', () => later('internal_error', -32603)],
  ['a confirmation that says not what was paid', () => result({ status: 'PAYMENT_CONFIRMED', data: { code: 200 } })],
])('%s', (_title, answer) => {
  test('leaves the fate of a payment open', async () => {
    const { taskId } = await open();
    const header = toHeader({ x402Version: 2 });
    expect(await client(answer).send(REQUEST, { taskId, header })).toEqual({ kind: 'pending', waitMs: null });
  });

  test('never says that a task is paid or gone', async () => {
    const { taskId } = await open();
    expect(['open', 'unreachable']).toContain((await client(answer).ask(REQUEST, taskId)).kind);
  });
});

test('a confirmation names what was paid', async () => {
  const { taskId } = await open();
  const data = { code: 200, data: { txn_id: 17, receipt: 'http://api.test/receipts/r' } };
  const answer = () => result({ status: 'PAYMENT_CONFIRMED', data });
  const paid = { kind: 'paid', lines: [{ txnId: 17, receipt: 'http://api.test/receipts/r' }] };
  expect(await client(answer).ask(REQUEST, taskId)).toMatchObject(paid);
});

function later(error: string, code: number): Response {
  return Response.json({ jsonrpc: '2.0', id: 1, error: { code, message: 'later', data: { error } } });
}

function result(value: unknown): Response {
  return Response.json({ jsonrpc: '2.0', id: 1, result: value });
}
