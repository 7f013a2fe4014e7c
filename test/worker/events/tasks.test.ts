/** The receivers of a task are told as A2A has it, by the same queue: retries, rests, ends and budgets are those of all events. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hostOf } from '../../../core/events/address.ts';
import { FAILURES_MAX } from '../../../core/events/events.ts';
import type { PushTarget } from '../../../core/events/push.ts';
import { insertTaskEndpoint } from '../../../db/events/task-endpoints.ts';
import { findEndpoint } from '../../../db/events/endpoints.ts';
import { tellTask } from '../../../db/events/tell.ts';
import { openMessageTask } from '../../../db/tasks/messages.ts';
import { createRateLimits } from '../../../queue/rate-limiter.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import { startEvents, type EventTools, type RunningEvents } from '../../../worker/events/events.ts';
import { openBooks, type Books } from '../../support/books.ts';
import { createTestEvents } from '../../support/events/event-parts.ts';
import { createLoneHolder } from '../lone-holder.ts';

const ID = 'ep_AAAAAAAAAAAAAAAAAAAAAA';
const TASK = 'AAAAAAAAAAAAAAAAAAAAAA';
const PUSH: PushTarget = {
  contextId: 'c',
  configId: 'one',
  protocol: '1.0',
  token: 'our token',
  authorization: 'Bearer our-key',
};

let books: Books;
let parts: ReturnType<typeof createTestEvents>;
let running: RunningEvents[];
let received: { headers: IncomingHttpHeaders; body: unknown }[];
let status: number;
let logged: string[];

const server = createServer((request, response) => {
  void text(request).then((body) => {
    received.push({ headers: request.headers, body: JSON.parse(body) });
    response.writeHead(status).end();
  });
});

beforeEach(async () => {
  [books, parts, running, received, status, logged] = [await openBooks(), createTestEvents(), [], [], 204, []];
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/tasks`;
  const { store, clock } = books;
  const endpoint = { id: ID, taskId: TASK, url, push: PUSH, consentAtMs: 0, nowMs: clock.nowMs };
  await store.tx((db) => insertTaskEndpoint(db, store.tables, endpoint));
});
afterEach(async () => {
  for (const one of running) await one.close();
  server.closeAllConnections();
  server.close();
  await parts.close();
  await books.close();
});

function start(tools: Partial<EventTools> = {}): RunningEvents {
  const log = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) });
  const context = { store: books.store, now: () => books.clock.nowMs, log, failpoint: () => undefined };
  const one = startEvents({ ...context, holder: createLoneHolder(), ...parts.worker, ...tools });
  running.push(one);
  return one;
}
async function tell(type: 'task_working' | 'task_completed'): Promise<void> {
  const { store, clock } = books;
  await store.tx((db) => tellTask(db, store.tables, { taskId: TASK, type, paymentId: 'p' }, (clock.nowMs += 1)));
}
const deliveries = async () => books.store.read.select().from(books.store.tables.eventDeliveries);

test('a receiver is told each state in its order, with the token and the authorization of the caller and no signature', async () => {
  await tell('task_working');
  await tell('task_completed');
  start();
  await eventually(async () => expect(received).toHaveLength(2));
  expect(received.map(({ body }) => body)).toMatchObject([
    { statusUpdate: { taskId: TASK, contextId: 'c', status: { state: 'TASK_STATE_WORKING' } } },
    { statusUpdate: { taskId: TASK, contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } } },
  ]);
  const [first] = received;
  expect(first?.headers).toMatchObject({
    'content-type': 'application/a2a+json',
    'x-a2a-notification-token': 'our token',
    authorization: 'Bearer our-key',
    'webhook-id': expect.stringMatching(/^msg_[\w-]{22}$/),
  });
  expect(first?.headers['webhook-signature']).toBeUndefined();
});

test('what fails comes again under the same id', async () => {
  status = 500;
  await tell('task_working');
  const events = start();
  await eventually(async () => expect((await deliveries())[0]?.failures).toBe(1));
  status = 204;
  books.clock.nowMs = (await deliveries())[0]?.nextAtMs ?? 0;
  events.wake();
  await eventually(async () => expect((await deliveries())[0]?.outcome).toBe('delivered'));
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
});

test('what fails for the last time ends its config, and the log has none of its secrets', async () => {
  status = 500;
  await tell('task_working');
  const { eventDeliveries } = books.store.tables;
  await books.store.tx((db) => db.update(eventDeliveries).set({ failures: FAILURES_MAX - 1 }));
  start();
  await eventually(async () => expect(await findEndpoint(books.store, ID)).toMatchObject({ endReason: 'unreachable' }));
  await eventually(async () => expect(logged.join('')).toContain('not taken in three days'));
  expect(logged.join('')).not.toMatch(/our token|our-key|"AAAAAAAAAAAAAAAAAAAAAA"/);
});

test('410 ends the config, with all that waits for it', async () => {
  status = 410;
  await tell('task_working');
  await tell('task_completed');
  start();
  await eventually(async () => expect(await findEndpoint(books.store, ID)).toMatchObject({ endReason: 'gone' }));
  expect(received).toHaveLength(1);
});

test('a config that is deleted meanwhile is told nothing', async () => {
  await tell('task_working');
  const { eventEndpoints } = books.store.tables;
  await books.store.tx((db) => db.delete(eventEndpoints));
  start();
  await eventually(async () => expect((await deliveries())[0]?.outcome).toBe('endpoint_ended'));
  expect(received).toEqual([]);
});

test.each(['taskHostLimiter', 'openerLimiter'] as const)('what is over the minute of %s waits', async (name) => {
  await tell('task_working');
  await tell('task_completed');
  start({ [name]: createRateLimits(() => books.clock.nowMs).perMinute('', 1) });
  await eventually(async () => {
    const waiting = (await deliveries()).filter(({ outcome }) => outcome === null);
    expect(waiting).toMatchObject([{ type: 'task_completed', failures: 0, lastAnswer: null }]);
    expect(waiting[0]?.nextAtMs).toBeGreaterThan(books.clock.nowMs);
  });
  expect(received).toHaveLength(1);
});

test('tasks take nothing from what payers may have sent to the same host', async () => {
  await tell('task_working');
  const usedUp = createRateLimits(() => books.clock.nowMs).perMinute('', 1);
  usedUp.allows(hostOf('http://127.0.0.1'));
  start({ hostLimiter: usedUp, payerLimiter: usedUp });
  await eventually(async () => expect(received).toHaveLength(1));
});

test('all tasks that one address opens share its budget', async () => {
  const { store, clock } = books;
  const open = { contextId: 'c', isOurContext: true, skillId: 's', params: {}, openedBy: '203.0.113.7' };
  const [createdAtMs, expiresAtMs] = [clock.nowMs, clock.nowMs + 3_600_000];
  await openMessageTask(store, { ...open, id: TASK, createdAtMs, expiresAtMs }, null);
  const others = 'BBBBBBBBBBBBBBBBBBBBBB';
  await openMessageTask(store, { ...open, id: others, createdAtMs, expiresAtMs }, null);
  const [first] = await store.read.select().from(store.tables.eventEndpoints);
  const more = { id: 'ep_of_the_other_task_____', taskId: others, url: first?.url ?? '', push: PUSH };
  await store.tx((db) => insertTaskEndpoint(db, store.tables, { ...more, consentAtMs: 0, nowMs: clock.nowMs }));
  for (const taskId of [TASK, others]) {
    await store.tx((db) => tellTask(db, store.tables, { taskId, type: 'task_working', paymentId: 'p' }, clock.nowMs));
  }
  start({ openerLimiter: createRateLimits(() => clock.nowMs).perMinute('', 1) });
  await eventually(async () => {
    const waiting = (await deliveries()).filter(({ outcome }) => outcome === null);
    expect(waiting.map(({ nextAtMs }) => (nextAtMs ?? 0) > clock.nowMs)).toEqual([true]);
  });
  expect(received).toHaveLength(1);
});
