/** The callers of a task are told of each of its states, once, in the transaction that moves it. */
import { asc } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CONSENT_MS, TASK_ENDPOINTS_MAX, type PushTarget } from '../../../core/events/push.ts';
import { UNUSED_AFTER_MS } from '../../../core/events/events.ts';
import { taskOrderId } from '../../../core/tasks.ts';
import { endEndpoint } from '../../../db/events/deliveries.ts';
import { forgetUnusedEndpoints } from '../../../db/events/endpoints.ts';
import { addTaskEndpoint, consentOf, removeTaskEndpoint, taskEndpoints } from '../../../db/events/task-endpoints.ts';
import { releaseClaim } from '../../../db/payments/reject.ts';
import { reservePayment } from '../../../db/payments/reserve.ts';
import { cancelMessageTask, keepPaymentOf, openMessageTask } from '../../../db/tasks/messages.ts';
import { openBooks, START_MS, type Books } from '../../support/books.ts';
import { onBothDatabases } from '../../support/postgres.ts';

const HOUR_MS = 3_600_000;
const URL_TEXT = 'https://agent.example.com/tasks';
const PUSH: PushTarget = { contextId: 'c', configId: 'one', protocol: '1.0', token: 'secret', authorization: null };

onBothDatabases((fresh, isSqlite) => {
  let books: Books;
  let endpoints = 0;
  beforeEach(async () => {
    books = await openBooks(await fresh());
  });
  afterEach(async () => {
    await books.assertSound();
    await books.close();
  });

  async function open(): Promise<string> {
    const { ids, clock, store } = books;
    const id = ids.slug();
    const task = { id, contextId: 'c', isOurContext: true, skillId: 's', params: {}, openedBy: '203.0.113.7' };
    await openMessageTask(store, { ...task, createdAtMs: clock.nowMs, expiresAtMs: clock.nowMs + HOUR_MS }, null);
    return id;
  }
  function add(taskId: string, configId = 'one', url = URL_TEXT) {
    const { nowMs } = books.clock;
    const id = `ep_${String((endpoints += 1)).padStart(22, 'A')}`;
    return addTaskEndpoint(books.store, { id, taskId, url, push: { ...PUSH, configId }, consentAtMs: nowMs, nowMs });
  }
  async function openTold(): Promise<string> {
    const id = await open();
    expect(await add(id)).toBe('added');
    return id;
  }
  /** A signed payment for the task. */
  async function claim(taskId: string): Promise<string> {
    const draft = books.toClaim({ payees: [{ name: 'alice', stableId: '1' }] });
    const claimed = await reservePayment(books.store, { ...draft, operation: 'a2a.pay', orderId: taskOrderId(taskId) });
    if (claimed.kind !== 'reserved') throw new Error(`expected a reservation, found ${claimed.kind}`);
    return claimed.paymentId;
  }
  async function deliveries() {
    const { eventDeliveries } = books.store.tables;
    return books.store.read.select().from(eventDeliveries).orderBy(asc(eventDeliveries.atMs));
  }
  const told = async () => (await deliveries()).map(({ type }) => type);
  const nextSecond = () => void (books.clock.nowMs += 1_000);

  test('a payment on its way and its settlement are told, and nothing twice', async () => {
    const taskId = await openTold();
    const paymentId = await claim(taskId);
    expect(await deliveries()).toMatchObject([{ type: 'task_working', taskId, paymentId, txnIds: [], isSealed: true }]);
    nextSecond();
    await books.mine([paymentId]);
    await keepPaymentOf(books.store, taskId, { paymentId, generation: 2, nowMs: books.clock.nowMs });
    await books.reorganise();
    await books.mine([paymentId]);
    expect(await told()).toEqual(['task_working', 'task_completed']);
  });

  test('an address named beside a payment that answers late is told its end, and those that know it are not told again', async () => {
    const taskId = await openTold();
    const paymentId = await claim(taskId);
    await books.mine([paymentId]);
    const { nowMs } = books.clock;
    const endpoint = { taskId, url: URL_TEXT, push: { ...PUSH, configId: 'late' }, consentAtMs: nowMs, nowMs };
    expect(await addTaskEndpoint(books.store, { ...endpoint, id: 'ep_refused' })).toBe('over');
    expect(await addTaskEndpoint(books.store, { ...endpoint, id: 'ep_late' }, 'told its end')).toBe('added');
    expect((await deliveries()).filter(({ endpointId }) => endpointId === 'ep_late')).toMatchObject([
      { type: 'task_completed', taskId, paymentId },
    ]);
    expect(await told()).toHaveLength(3);
    const canceled = await openTold();
    await cancelMessageTask(books.store, canceled, nowMs);
    const other = { ...endpoint, taskId: canceled, id: 'ep_canceled' };
    expect(await addTaskEndpoint(books.store, other, 'told its end')).toBe('over');
  });

  test('each endpoint of a task is told, one that has ended is not', async () => {
    const taskId = await open();
    await add(taskId, 'one');
    await add(taskId, 'two');
    const { eventEndpoints } = books.store.tables;
    const [gone] = await books.store.read.select().from(eventEndpoints);
    await endEndpoint(books.store, gone?.id ?? '', { reason: 'gone', nowMs: books.clock.nowMs });
    await cancelMessageTask(books.store, taskId, books.clock.nowMs);
    expect(await deliveries()).toHaveLength(1);
    expect(await taskEndpoints(books.store, taskId)).toHaveLength(1);
  });

  test('a task has a few endpoints at most; the same name is the same one, with another address', async () => {
    const taskId = await open();
    for (let number = 1; number <= TASK_ENDPOINTS_MAX; number += 1) await add(taskId, `config-${number}`);
    expect(await add(taskId, 'one more')).toBe('too-many');
    expect(await add(taskId, 'config-1', 'https://agent.example.com/elsewhere')).toBe('added');
    const known = await taskEndpoints(books.store, taskId);
    expect(known).toHaveLength(TASK_ENDPOINTS_MAX);
    const moved = known.filter(({ url }) => url === 'https://agent.example.com/elsewhere');
    expect(moved.map(({ push }) => push.configId)).toEqual(['config-1']);
    await removeTaskEndpoint(books.store, taskId, 'config-1');
    expect((await taskEndpoints(books.store, taskId)).map(({ push }) => push.configId)).not.toContain('config-1');
  });

  test('an address that has agreed is known for an hour, and not once it wants no more', async () => {
    await openTold();
    expect(await consentOf(books.store, URL_TEXT, START_MS - 1)).toBe(START_MS);
    expect(await consentOf(books.store, 'https://other.example.com/tasks', START_MS - 1)).toBeNull();
    expect(await consentOf(books.store, URL_TEXT, START_MS + CONSENT_MS - CONSENT_MS)).toBeNull();
    const { eventEndpoints } = books.store.tables;
    const [known] = await books.store.read.select().from(eventEndpoints);
    await endEndpoint(books.store, known?.id ?? '', { reason: 'gone', nowMs: START_MS });
    expect(await consentOf(books.store, URL_TEXT, START_MS - 1)).toBeNull();
  });

  test('with a task that nobody paid go its endpoints and what was to be told; of a paid one they go after a month', async () => {
    const [unpaid, paid] = [await openTold(), await openTold()];
    await cancelMessageTask(books.store, unpaid, books.clock.nowMs);
    await claim(paid);
    books.clock.nowMs += 3 * HOUR_MS;
    await open();
    expect((await deliveries()).map(({ taskId }) => taskId)).toEqual([paid]);
    const { eventEndpoints } = books.store.tables;
    const left = await books.store.read.select().from(eventEndpoints);
    expect(left.map(({ taskId }) => taskId)).toEqual([paid]);
    expect(await forgetUnusedEndpoints(books.store, START_MS + UNUSED_AFTER_MS)).toBe(1);
  });

  if (!isSqlite) return;

  test('a refused payment leads back to its caller, and the next one on', async () => {
    const taskId = await openTold();
    const first = await claim(taskId);
    nextSecond();
    await releaseClaim(books.store, first, 'insufficient_funds', books.clock.nowMs);
    nextSecond();
    await claim(taskId);
    expect(await told()).toEqual(['task_working', 'task_input_required', 'task_working']);
  });

  test('so does one that provably never lands', async () => {
    const taskId = await openTold();
    const paymentId = await claim(taskId);
    const { payments } = books.store.tables;
    await books.store.tx((db) => db.update(payments).set({ status: 'settling' }));
    nextSecond();
    expect(await books.bury(paymentId)).toBe(true);
    expect(await told()).toEqual(['task_working', 'task_input_required']);
  });

  test('a task that joins an earlier payment is told what that has reached', async () => {
    const [first, again] = [await open(), await openTold()];
    const paymentId = await claim(first);
    await keepPaymentOf(books.store, again, { paymentId, generation: 2, nowMs: books.clock.nowMs });
    nextSecond();
    await books.mine([paymentId]);
    expect(await told()).toEqual(['task_working', 'task_completed']);
    const late = await openTold();
    await keepPaymentOf(books.store, late, { paymentId, generation: 2, nowMs: books.clock.nowMs });
    expect((await deliveries()).filter(({ taskId }) => taskId === late)).toMatchObject([{ type: 'task_completed' }]);
  });

  test('a task that is called off says so, once', async () => {
    const taskId = await openTold();
    for (const at of [1, 2]) await cancelMessageTask(books.store, taskId, books.clock.nowMs + at);
    expect(await deliveries()).toMatchObject([{ type: 'task_canceled', paymentId: null, taskId }]);
  });

  test('a task that is over takes no endpoint, because nobody would be told', async () => {
    const [called, paid] = [await open(), await open()];
    await cancelMessageTask(books.store, called, books.clock.nowMs);
    await books.mine([await claim(paid)]);
    expect([await add(called), await add(paid), await add(books.ids.slug())]).toEqual(['over', 'over', 'over']);
  });
});
