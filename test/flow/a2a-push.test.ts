/** The official clients of A2A 1.0 and 0.3 have a receiver of theirs told of a task, by the whole service. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Role, type Task, type TaskPushNotificationConfig } from '@a2a-js/sdk';
import { ClientFactory, type Client } from '@a2a-js/sdk/client';
import { ClientFactory as OldClientFactory, type Client as OldClient } from 'a2a-v03/client';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '../../scripts/torture/eventually.ts';
import type { Service } from '../../service/start.ts';
import { SKILL } from '../api/a2a/world.ts';
import { createAgentWallet } from '../support/agents.ts';
import { startLocalService } from '../support/local-service.ts';

type Json = Record<string, unknown>;
type Received = { headers: IncomingHttpHeaders; body: Json };

let service: Service;
let client: Client;
let old: OldClient;
let url: string;
let received: Received[] = [];

const receiver = createServer((request, response) => {
  void text(request).then((whole) => {
    const body = JSON.parse(whole) as Json;
    if (body['type'] === 'endpoint.challenge') return response.end((body['data'] as Json)['challenge']);
    received.push({ headers: request.headers, body });
    return response.writeHead(204).end();
  });
});

beforeAll(async () => {
  service = await startLocalService({ roles: ['api', 'worker'] });
  client = await new ClientFactory().createFromUrl(service.url);
  old = await new OldClientFactory().createFromUrl(service.url);
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/tasks`;
});
beforeEach(() => {
  received = [];
});
afterAll(async () => {
  await service.close();
  receiver.closeAllConnections();
  receiver.close();
});

const PARAMS = { receiver: 'alice', amount: 0.05 };
const DATA = { skill: SKILL, params: PARAMS };

async function send(taskId: string, metadata?: Json, config?: TaskPushNotificationConfig): Promise<Task> {
  const content = { $case: 'data', value: DATA } as const;
  const sent = await client.sendMessage({
    tenant: '',
    message: {
      messageId: crypto.randomUUID(),
      contextId: '',
      taskId,
      role: Role.ROLE_USER,
      parts: [{ content, metadata: undefined, filename: '', mediaType: '' }],
      metadata,
      extensions: [],
      referenceTaskIds: [],
    },
    configuration: { acceptedOutputModes: [], returnImmediately: false, taskPushNotificationConfig: config },
    metadata: undefined,
  });
  if ('messageId' in sent) throw new Error('expected a task, found a message');
  return sent;
}

async function pay(required: unknown): Promise<Json> {
  const wallet = await createAgentWallet(service, 'base');
  return { 'x402.payment.status': 'payment-submitted', 'x402.payment.payload': await wallet.sign(required) };
}

const config = (more: Partial<TaskPushNotificationConfig> = {}): TaskPushNotificationConfig => {
  return { tenant: '', id: '', taskId: '', url, token: '', authentication: undefined, ...more };
};
const of = (taskId: string, id = taskId) => ({ tenant: '', taskId, id });
const page = { pageSize: 0, pageToken: '' };

test('a client of protocol 1.0 names a receiver with its first message, and it is told until the task is over', async () => {
  const task = await send('', undefined, config({ token: 'token of the agent' }));
  const paid = await send(task.id, await pay(task.status?.message?.metadata?.['x402.payment.required']));
  await eventually(async () => expect(received).toHaveLength(2));
  const states = received.map(({ body }) => (body['statusUpdate'] as { status: { state: string } }).status.state);
  expect(states).toEqual(['TASK_STATE_WORKING', 'TASK_STATE_COMPLETED']);
  expect(received[1]?.body).toEqual({
    statusUpdate: {
      taskId: task.id,
      contextId: paid.contextId,
      status: { state: 'TASK_STATE_COMPLETED', timestamp: expect.stringMatching(/Z$/) },
    },
  });
  expect(received.map(({ headers }) => headers['x-a2a-notification-token'])).toEqual([
    'token of the agent',
    'token of the agent',
  ]);
});

test('it sets, reads, lists and deletes configs, and a call that is called off is told', async () => {
  const task = await send('');
  const authentication = { scheme: 'Bearer', credentials: 'key-of-the-agent' };
  const made = await client.createTaskPushNotificationConfig(config({ taskId: task.id, id: 'kept', authentication }));
  expect(made).toMatchObject({ id: 'kept', taskId: task.id, url, authentication });
  await client.createTaskPushNotificationConfig(config({ taskId: task.id, id: 'other' }));
  expect(await client.getTaskPushNotificationConfig(of(task.id, 'kept'))).toMatchObject({ id: 'kept', url });
  await client.deleteTaskPushNotificationConfig(of(task.id, 'other'));
  const { configs } = await client.listTaskPushNotificationConfig({ tenant: '', taskId: task.id, ...page });
  expect(configs.map(({ id }) => id)).toEqual(['kept']);
  await client.cancelTask({ tenant: '', id: task.id, metadata: undefined });
  await eventually(async () => expect(received).toHaveLength(1));
  expect(received[0]).toMatchObject({
    headers: { authorization: 'Bearer key-of-the-agent' },
    body: { statusUpdate: { status: { state: 'TASK_STATE_CANCELED' } } },
  });
  const late = client.createTaskPushNotificationConfig(config({ taskId: task.id }));
  await expect(late).rejects.toThrow(/over/);
});

test('a client of protocol 0.3 does the same, and is told in the form of its protocol', async () => {
  const sendOld = async (taskId: string | undefined, metadata?: Json) => {
    const result = await old.sendMessage({
      message: {
        kind: 'message',
        messageId: crypto.randomUUID(),
        role: 'user',
        parts: [{ kind: 'data', data: DATA }],
        ...(taskId && { taskId }),
        ...(metadata && { metadata }),
      },
      configuration: { pushNotificationConfig: { url, token: 'token of the agent' } },
    });
    if (result.kind !== 'task') throw new Error('expected a task, found a message');
    return result;
  };
  const task = await sendOld(undefined);
  const pushNotificationConfig = { id: 'more', url: `${url}/more` };
  await old.setTaskPushNotificationConfig({ taskId: task.id, pushNotificationConfig });
  const listed = await old.listTaskPushNotificationConfig({ id: task.id });
  expect(listed).toMatchObject([{ pushNotificationConfig: { id: task.id } }, { pushNotificationConfig }]);
  await old.deleteTaskPushNotificationConfig({ id: task.id, pushNotificationConfigId: 'more' });
  const found = await old.getTaskPushNotificationConfig({ id: task.id });
  expect(found).toEqual({ taskId: task.id, pushNotificationConfig: { id: task.id, url } });
  await sendOld(task.id, await pay(task.status.message?.metadata?.['x402.payment.required']));
  await eventually(async () => expect(received).toHaveLength(2));
  expect(received.map(({ body }) => body)).toMatchObject([
    { kind: 'task', id: task.id, contextId: task.contextId, status: { state: 'working' } },
    { kind: 'task', id: task.id, contextId: task.contextId, status: { state: 'completed' } },
  ]);
  expect(received[0]?.headers).toMatchObject({
    'content-type': 'application/json',
    'x-a2a-notification-token': 'token of the agent',
  });
});
