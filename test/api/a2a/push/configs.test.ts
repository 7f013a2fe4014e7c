/** Where a task is told: what may be named, what is refused, and what of it is shown. */
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createA2aApp } from '../../../../api/a2a/http/app.ts';
import { createFront } from '../../../../api/app.ts';
import type { Events } from '../../../../api/environment/dependencies.ts';
import { TASK_ENDPOINTS_MAX } from '../../../../core/events/push.ts';
import { createReceiverFetch } from '../../../../identity/receivers.ts';
import { createGuardedFetch } from '../../../../identity/guarded-fetch.ts';
import { createRateLimiter } from '../../../../queue/rate-limiter.ts';
import { createTestEvents } from '../../../support/events/event-parts.ts';
import { startEventReceiver, type EventReceiver } from '../../../support/events/event-receiver.ts';
import { NOW_MS, PARAMS, rpc, say, SKILL, startWorld, type World } from '../world.ts';

type Json = Record<string, unknown>;

let world: World;
let parts: ReturnType<typeof createTestEvents>;
let receiver: EventReceiver;
let served: ReturnType<typeof serve>;

beforeAll(async () => {
  [world, parts, receiver] = [await startWorld(), createTestEvents(), await startEventReceiver()];
});
beforeEach(async () => {
  world.clock.nowMs = NOW_MS;
  served = serve();
  const { eventEndpoints } = world.store.tables;
  await world.store.tx((db) => db.delete(eventEndpoints));
});
afterAll(async () => {
  await receiver.close();
  await parts.close();
  await world.close();
});

function serve(events: Partial<Events> = {}) {
  const dependencies = { ...world.dependencies, events: { ...parts.api, ...events } };
  return { app: createFront(dependencies).route('/', createA2aApp(dependencies)) };
}

const MESSAGE = { messageId: 'm', role: 'ROLE_USER', parts: [{ data: { skill: SKILL, params: PARAMS } }] };
const OLD_MESSAGE = {
  kind: 'message',
  messageId: 'm',
  role: 'user',
  parts: [{ kind: 'data', data: { skill: SKILL, params: PARAMS } }],
};
const open = async (configuration: Json = {}, to = served) =>
  say(to, rpc('SendMessage', { message: MESSAGE, configuration }));
async function openTask(): Promise<string> {
  return ((await open()).result['task'] as { id: string }).id;
}
const create = (taskId: string, config: Json = {}, to = served) =>
  say(to, rpc('CreateTaskPushNotificationConfig', { taskId, url: receiver.url, ...config }));
const stored = () => world.store.read.select().from(world.store.tables.eventEndpoints);
const list = async (taskId: string) =>
  (await say(served, rpc('ListTaskPushNotificationConfigs', { taskId }))).result['configs'];

describe('a config of protocol 1.0', () => {
  test('is set, shown without its secrets, listed and deleted', async () => {
    const taskId = await openTask();
    const secrets = { token: 'our token', authentication: { scheme: 'bearer', credentials: 'our-key' } };
    const made = await create(taskId, { id: 'mine', ...secrets });
    expect(made.result).toEqual({ id: 'mine', taskId, url: receiver.url, ...secrets });
    expect(await stored()).toMatchObject([
      { taskId, payer: null, push: { protocol: '1.0', token: 'our token', authorization: 'Bearer our-key' } },
    ]);
    const shown = await say(served, rpc('GetTaskPushNotificationConfig', { taskId, id: 'mine' }));
    expect(shown.result).toEqual({ id: 'mine', taskId, url: receiver.url, authentication: { scheme: 'Bearer' } });
    expect(await list(taskId)).toEqual([shown.result]);
    expect((await say(served, rpc('DeleteTaskPushNotificationConfig', { taskId, id: 'mine' }))).error).toBeUndefined();
    expect(await list(taskId)).toBeUndefined();
    const gone = await say(served, rpc('GetTaskPushNotificationConfig', { taskId, id: 'mine' }));
    expect(gone.error).toMatchObject({ code: -32001, data: [{ reason: 'TASK_NOT_FOUND' }] });
  });

  test('comes with the message that opens its task, whose address is asked first', async () => {
    const before = receiver.challenges();
    const { result } = await open({ taskPushNotificationConfig: { url: `${receiver.url}/first`, token: 'one' } });
    const { id } = result['task'] as { id: string };
    expect(await list(id)).toEqual([{ id, taskId: id, url: `${receiver.url}/first` }]);
    expect(receiver.challenges()).toBe(before + 1);
  });

  test('is for its task, and unknown without it', async () => {
    const refused = await create('AAAAAAAAAAAAAAAAAAAAAA');
    expect(refused.error).toMatchObject({ code: -32001, data: [{ reason: 'TASK_NOT_FOUND' }] });
  });

  test('is refused where its task is over', async () => {
    const id = await openTask();
    await say(served, rpc('CancelTask', { id }));
    expect((await create(id)).error).toMatchObject({ code: -32004 });
  });

  test('is one of a few', async () => {
    const taskId = await openTask();
    for (let number = 1; number <= TASK_ENDPOINTS_MAX; number += 1) await create(taskId, { id: `config-${number}` });
    expect((await create(taskId, { id: 'more' })).error).toMatchObject({ code: -32602 });
  });
});

describe('a config of protocol 0.3', () => {
  const old = (method: string, params: Json) => say(served, rpc(`tasks/pushNotificationConfig/${method}`, params), {});

  test('is set, shown, listed and deleted', async () => {
    const taskId = await openTask();
    const config = { url: receiver.url, token: 'our token' };
    const made = await old('set', { taskId, pushNotificationConfig: config });
    expect(made.result).toEqual({ taskId, pushNotificationConfig: { id: taskId, ...config } });
    expect(await stored()).toMatchObject([{ push: { protocol: '0.3', token: 'our token' } }]);
    const shown = { taskId, pushNotificationConfig: { id: taskId, url: receiver.url } };
    expect((await old('get', { id: taskId })).result).toEqual(shown);
    expect((await old('list', { id: taskId })).result).toEqual([shown]);
    expect((await old('delete', { id: taskId, pushNotificationConfigId: taskId })).result).toBeNull();
    expect((await old('list', { id: taskId })).result).toEqual([]);
  });

  test('comes with a message', async () => {
    const configuration = { pushNotificationConfig: { id: 'mine', url: receiver.url } };
    const { result } = await say(served, rpc('message/send', { message: OLD_MESSAGE, configuration }), {});
    expect((await old('list', { id: result['id'] })).result).toMatchObject([
      { pushNotificationConfig: { id: 'mine' } },
    ]);
  });

  test('with several schemes takes the one that can be honoured', async () => {
    const taskId = await openTask();
    const authentication = { schemes: ['Digest', 'basic'], credentials: 'YTpi' };
    await old('set', { taskId, pushNotificationConfig: { url: receiver.url, authentication } });
    expect(await stored()).toMatchObject([{ push: { authorization: 'Basic YTpi' } }]);
    expect(world.logged).toEqual([]);
  });

  test('with a scheme that cannot be is refused', async () => {
    const taskId = await openTask();
    const authentication = { schemes: ['HMAC'], credentials: 'x' };
    const refused = await old('set', { taskId, pushNotificationConfig: { url: receiver.url, authentication } });
    expect([refused.error.code, refused.error.data['field']]).toEqual([-32602, 'authentication']);
    expect(await stored()).toEqual([]);
  });
});

describe('refused, and nothing is stored or asked:', () => {
  test.each([
    ['no address', { url: undefined }],
    ['an address without a scheme', { url: 'agent.example.com' }],
    ['an address with a user', { url: 'http://a:b@127.0.0.1:9999/' }],
    ['a port of another service', { url: 'http://127.0.0.1:25/' }],
    ['a number as token', { token: 5 }],
    ['a token with a line break', { token: 'a\r\nx-evil: 1' }],
    ['a scheme that nobody honours', { authentication: { scheme: 'Digest', credentials: 'x' } }],
    ['a scheme without credentials', { authentication: { scheme: 'Bearer' } }],
    ['credentials with a line break', { authentication: { scheme: 'Bearer', credentials: 'a\nb' } }],
    ['an id with a control character', { id: 'a\u0000' }],
  ])('%s', async (_what, config) => {
    const taskId = await openTask();
    const before = receiver.challenges();
    const refused = await create(taskId, config);
    expect(refused.error).toMatchObject({ code: -32602, data: [{ reason: 'INVALID_PARAMS' }] });
    const configuration = { taskPushNotificationConfig: { url: receiver.url, ...config } };
    expect((await open(configuration)).error).toMatchObject({ code: -32602 });
    expect([await stored(), receiver.challenges()]).toEqual([[], before]);
    expect(world.logged).toEqual([]);
  });

  test('http, outside local mode', async () => {
    const to = serve({ allowsHttp: false });
    expect((await create(await openTask(), {}, to)).error).toMatchObject({ code: -32602 });
  });
});

describe('a host that did not ask for it', () => {
  test.each([204, 401, 302])('and answers %i is aimed at by nobody', async (status) => {
    const stranger = await startEventReceiver({ answerOf: () => status });
    // From now on it takes events, and answers no challenge.
    stranger.expect('whsec_AAAA');
    const taskId = await openTask();
    const refused = await create(taskId, { url: stranger.url });
    expect(refused.error).toMatchObject({ code: -32602, data: [{ reason: 'EVENT_ENDPOINT_REFUSED' }] });
    const opened = await open({ taskPushNotificationConfig: { url: stranger.url } });
    expect(opened.error).toMatchObject({ code: -32602, data: [{ reason: 'EVENT_ENDPOINT_REFUSED' }] });
    expect(await stored()).toEqual([]);
    await stranger.close().catch(() => undefined);
  });

  test('at a private address is not connected to', async () => {
    const guarded = createReceiverFetch({ isLocal: false, dnsServers: [] });
    const refusing = createGuardedFetch({
      timeoutMs: 5_000,
      bytesMax: 100,
      redirectsMax: 0,
      allowsAddress: () => false,
    });
    for (const fetch of [guarded, refusing]) {
      const before = receiver.challenges();
      const refused = await create(await openTask(), {}, serve({ fetch }));
      expect(refused.error).toMatchObject({ code: -32602, data: [{ reason: 'EVENT_ENDPOINT_REFUSED' }] });
      expect(receiver.challenges()).toBe(before);
      await fetch.close();
    }
  });

  test('is asked once an hour, for all callers and tasks', async () => {
    const before = receiver.challenges();
    const url = `${receiver.url}/hour`;
    await create(await openTask(), { url });
    await create(await openTask(), { url });
    expect(receiver.challenges()).toBe(before + 1);
    world.clock.nowMs += 3_600_001;
    await create(await openTask(), { url });
    expect(receiver.challenges()).toBe(before + 2);
  });

  test.each(['caller', 'callerToHost', 'host', 'all'] as const)('is asked within the budget of %s', async (name) => {
    const one = { [name]: createRateLimiter(1, () => NOW_MS) };
    const { tasks, ...others } = parts.api.limits;
    const limits = name === 'caller' ? { ...others, tasks, ...one } : { ...others, tasks: { ...tasks, ...one } };
    const to = serve({ limits });
    const taskId = await openTask();
    expect((await create(taskId, { url: `${receiver.url}/1` }, to)).error).toBeUndefined();
    expect((await create(taskId, { url: `${receiver.url}/2`, id: '2' }, to)).error).toMatchObject({ code: -32053 });
  });
});

const WORTHLESS = {
  x402Version: 2,
  accepted: { scheme: 'exact', network: 'eip155:8453', amount: '1500000', asset: 'x', payTo: 'y' },
  payload: {},
};

test('a receiver that never answers holds up no payment that names it', async () => {
  const asked = vi.fn<() => Promise<never>>(() => new Promise(() => undefined));
  const to = serve({ fetch: { send: asked } });
  const taskId = await openTask();
  const metadata = { 'x402.payment.status': 'payment-submitted', 'x402.payment.payload': WORTHLESS };
  const message = { ...MESSAGE, taskId, metadata };
  const configuration = { taskPushNotificationConfig: { url: `${receiver.url}/hangs` } };
  const answered = await say(to, rpc('SendMessage', { message, configuration }));
  // The payment was judged, and what is asked of the address goes on beside it.
  expect(answered.text).toContain('payment-failed');
  await vi.waitFor(() => expect(asked).toHaveBeenCalledOnce());
});

test('a stream may name a config as well', async () => {
  const configuration = { taskPushNotificationConfig: { url: receiver.url } };
  const body = JSON.stringify(rpc('SendStreamingMessage', { message: MESSAGE, configuration }));
  const response = await served.app.request('/a2a', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  expect(await response.text()).toContain('TASK_STATE_INPUT_REQUIRED');
  expect(await stored()).toHaveLength(1);
});

test('where nobody is told of anything, the card says so and each call is refused by the protocol’s error', async () => {
  const card = (await (await world.app.request('/.well-known/agent-card.json')).json()) as { capabilities: Json };
  expect(card.capabilities['pushNotifications']).toBe(false);
  const told = (await (await served.app.request('/.well-known/agent-card.json')).json()) as { capabilities: Json };
  expect(told.capabilities['pushNotifications']).toBe(true);
  const taskId = await openTask();
  expect((await create(taskId, {}, world)).error).toMatchObject({ code: -32003 });
  const opened = await open({ taskPushNotificationConfig: { url: receiver.url } }, world);
  expect(opened.error).toMatchObject({ code: -32003 });
  for (const method of ['GetTaskPushNotificationConfig', 'ListTaskPushNotificationConfigs'])
    expect((await say(world, rpc(method, { taskId, id: taskId }))).error.code).toBe(-32003);
});
