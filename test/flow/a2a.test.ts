/** Agents with the official clients of A2A 1.0 and 0.3 find, call, pay and get their receipt from the whole service. */
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { reportFaults, stormSize } from '../../scripts/torture/faults.ts';
import { Role, TaskState, type Message, type StreamResponse, type Task } from '@a2a-js/sdk';
import { ClientFactory, ServiceParameters, withA2AExtensions, type Client } from '@a2a-js/sdk/client';
import { ClientFactory as OldClientFactory, type Client as OldClient } from 'a2a-v03/client';
import type { Message as OldMessage, Task as OldTask } from 'a2a-v03';
import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { findViolations } from '../../db/audit/invariants.ts';
import { eventually } from '../../scripts/torture/eventually.ts';
import type { Service } from '../../service/start.ts';
import { say, SKILL, rpc, X402, X402_OLD } from '../api/a2a/world.ts';
import { createAgentWallet } from '../support/agents.ts';
import { startLocalService } from '../support/local-service.ts';

let service: Service;
let client: Client;
let old: OldClient;

beforeAll(async () => {
  service = await startLocalService({ roles: ['api', 'worker'] });
  client = await new ClientFactory().createFromUrl(service.url);
  old = await new OldClientFactory().createFromUrl(service.url);
});

afterAll(async () => {
  await service.close();
});

afterEach(async () => {
  const violations = await findViolations(service.store);
  if (violations.length > 0) throw new Error(`the books are wrong: ${JSON.stringify(violations)}`);
});

test('the whole service answers no other host than its own', async () => {
  const statusAs = async (host: string) => {
    const asked = request(new URL('/openapi.json', service.url), { headers: { host } }).end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    answer.resume();
    return answer.statusCode;
  };
  expect(await Promise.all(['evil.example', new URL(service.url).host].map(statusAs))).toEqual([421, 200]);
});

const PRICE = { receiver: 'alice', amount: 0.05, description: 'for the road' };
let messages = 0;
const messageId = () => `message-${(messages += 1)}`;

type Metadata = Record<string, unknown>;

/** The events of a stream, until it ends. */
async function streamed(events: AsyncIterable<StreamResponse>): Promise<StreamResponse[]> {
  const all: StreamResponse[] = [];
  for await (const event of events) all.push(event);
  return all;
}

type Said = { taskId?: string; data?: Metadata; metadata?: Metadata; isImpatient?: boolean };
async function send(said: Said): Promise<Task> {
  const result = await client.sendMessage(...toRequest(said));
  if ('messageId' in result) throw new Error('expected a task, found a message');
  return result;
}

/** A message as protocol 1.0 has it. */
function toRequest({ taskId = '', data, metadata, isImpatient = false }: Said): Parameters<Client['sendMessage']> {
  const part = { metadata: undefined, filename: '', mediaType: '' };
  const parts: Message['parts'] = [
    data === undefined
      ? { ...part, content: { $case: 'text', value: 'Here it is.' } }
      : { ...part, content: { $case: 'data', value: data } },
  ];
  const sent: Message = {
    messageId: messageId(),
    contextId: '',
    taskId,
    role: Role.ROLE_USER,
    parts,
    metadata,
    extensions: [X402],
    referenceTaskIds: [],
  };
  const serviceParameters = ServiceParameters.create(withA2AExtensions(X402));
  const configuration = {
    acceptedOutputModes: [],
    taskPushNotificationConfig: undefined,
    returnImmediately: isImpatient,
  };
  return [{ tenant: '', message: sent, configuration, metadata: undefined }, { serviceParameters }];
}

/** The same as protocol 0.3 has it. */
async function sendOld(message: Partial<OldMessage> & { data?: Metadata }): Promise<OldTask> {
  const { data, ...rest } = message;
  const parts: OldMessage['parts'] = [
    data === undefined ? { kind: 'text', text: 'Here it is.' } : { kind: 'data', data },
  ];
  const result = await old.sendMessage(
    { message: { kind: 'message', messageId: messageId(), role: 'user', parts, ...rest } },
    { serviceParameters: { 'X-A2A-Extensions': X402_OLD } },
  );
  if (result.kind !== 'task') throw new Error('expected a task, found a message');
  return result;
}

const metadataOf = (task: { status?: { message?: { metadata?: Metadata } | undefined } | undefined }): Metadata =>
  task.status?.message?.metadata ?? {};

/** A payment for what the task asks for. */
async function paymentFor(network: 'base' | 'solana', task: Parameters<typeof metadataOf>[0]): Promise<Metadata> {
  const wallet = await createAgentWallet(service, network);
  const payload = await wallet.sign(metadataOf(task)['x402.payment.required']);
  return { 'x402.payment.status': 'payment-submitted', 'x402.payment.payload': payload };
}

// What breaks something for all at once comes before those that run side by side.
test('what fails after a payment has settled is no answer: the next proof of its payer joins it', async () => {
  const params = { ...PRICE, description: 'failing behind' };
  const wallet = await createAgentWallet(service, 'base');
  const pay = async () => {
    const task = await send({ data: { skill: SKILL, params } });
    const payload = await wallet.sign(metadataOf(task)['x402.payment.required']);
    return send({ taskId: task.id, metadata: { 'x402.payment.payload': payload } });
  };
  const failing = sql`CREATE TRIGGER failing BEFORE UPDATE OF payment_id ON message_tasks
    BEGIN SELECT RAISE(ABORT, 'the disk is full'); END`;
  await service.store.tx((db) => db.run(failing));
  await expect(pay()).rejects.toThrow(/Something went wrong on our side/);
  await service.store.tx((db) => db.run(sql`DROP TRIGGER failing`));
  const paid = await pay();
  expect(paid.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
  const { payments } = service.store.tables;
  const charged = await service.store.read
    .select()
    .from(payments)
    .where(eq(payments.payer, wallet.address.toLowerCase()));
  expect(charged.map(({ status }) => status)).toHaveLength(1);
});

describe('a skill-named call whose answer was lost', () => {
  /** Each time under a new task, by the same payer. */
  async function shop(description: string, headers: Record<string, string> = {}) {
    const params = { ...PRICE, description };
    const wallet = await createAgentWallet(service, 'base');
    const { payments } = service.store.tables;
    const tell = (params: Metadata) => say(service, rpc(SKILL, params), { 'X-A2A-Extensions': X402, ...headers });
    return {
      /** `name`: what its payer calls the request. */
      buy: async (name: string | null = null) => {
        const { taskId, metadata } = (await say(service, rpc(SKILL, params))).result as {
          taskId: string;
          metadata: Metadata;
        };
        const extensions = name === null ? {} : { extensions: { 'payment-identifier': { info: { id: name } } } };
        const payment = { ...(await wallet.sign(metadata['x402.payment.required'])), ...extensions };
        return { taskId, result: (await tell({ taskId, payment })).result };
      },
      ask: async (taskId: string) => (await tell({ taskId })).result,
      /** Its connection is gone as well. */
      lose: () =>
        service.store.tx(async (db) => {
          await db.update(payments).set({ delivery: 'missed' }).where(eq(payments.description, description));
          await db.delete(service.store.tables.waitingResponses);
        }),
      isHanded: async () => {
        const rows = await service.store.read.select().from(payments).where(eq(payments.description, description));
        expect(rows.map(({ delivery }) => delivery)).toEqual(['handed']);
      },
    };
  }
  const receiptOf = (result: Metadata) => (result['metadata'] as Metadata)['x402:receipt'];

  test('is paid once when it is made again, and the new task is never priced again', async () => {
    const { buy, ask, lose } = await shop('lost and made again');
    const first = await buy();
    await lose();
    const again = await buy();
    expect(receiptOf(again.result)).toBe(receiptOf(first.result));
    expect(await ask(again.taskId)).toEqual(again.result);
  });

  test('is another purchase where its payer names it differently, as the bot does for each of its links', async () => {
    const { buy, lose } = await shop('lost and bought again');
    const first = await buy('order_of_the_first_link');
    await lose();
    expect(receiptOf((await buy('order_of_the_first_link')).result)).toBe(receiptOf(first.result));
    expect(receiptOf((await buy('order_of_another_link')).result)).not.toBe(receiptOf(first.result));
  });

  test('has been handed over once its task was asked for: the same again is another purchase', async () => {
    // On a connection that stays open it would be known only some seconds later that an answer was taken.
    const { buy, ask, lose, isHanded } = await shop('lost and asked for', { connection: 'close' });
    const first = await buy();
    await eventually(isHanded);
    await lose();
    expect(await ask(first.taskId)).toEqual(first.result);
    await eventually(isHanded);
    expect(receiptOf((await buy()).result)).not.toBe(receiptOf(first.result));
  });
});

describe.concurrent.each(['base', 'solana'] as const)('an agent on %s', (network) => {
  test('of protocol 1.0 calls a skill, signs its price and gets the receipt', async () => {
    const task = await send({ data: { skill: SKILL, params: PRICE } });
    expect(task.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    expect(metadataOf(task)).toMatchObject({
      'x402.payment.status': 'payment-required',
      'x402.payment.required': { x402Version: 2 },
    });
    const payment = await paymentFor(network, task);
    const paid = await send({ taskId: task.id, metadata: payment });
    expect([paid.id, paid.status?.state]).toEqual([task.id, TaskState.TASK_STATE_COMPLETED]);
    expect(metadataOf(paid)).toMatchObject({
      'x402.payment.status': 'payment-completed',
      'x402.payment.receipts': [{ success: true, transaction: expect.stringMatching(/^\w{64,}$/) }],
    });
    const [artifact] = paid.artifacts;
    const answer: unknown = artifact?.parts[0]?.content?.value;
    expect(answer).toMatchObject({ code: 200, data: { amount: 0.05, receipt: expect.stringContaining('/receipts/') } });
    const again = await send({ taskId: task.id, metadata: payment });
    expect(again).toEqual(paid);
    expect(await client.getTask({ tenant: '', id: task.id, historyLength: undefined })).toEqual(paid);
  });
});

test.concurrent('an agent of protocol 0.3 does the same with x402 of the first generation', async () => {
  const task = await sendOld({ data: { skill: 'pennypost.batch-pay.email', params: BATCH } });
  expect(task.status.state).toBe('input-required');
  expect(metadataOf(task)).toMatchObject({ 'x402.payment.required': { x402Version: 1 } });
  const payment = await paymentFor('solana', task);
  const paid = await sendOld({ taskId: task.id, metadata: payment });
  expect(paid.status.state).toBe('completed');
  const [part] = paid.artifacts?.[0]?.parts ?? [];
  expect(part).toMatchObject({ kind: 'data', data: { code: 200, data: [{ amount: 0.02 }, { amount: 0.03 }] } });
  expect(await old.getTask({ id: task.id })).toEqual(paid);
});

describe.concurrent('a stream', () => {
  const stateOf = (event: StreamResponse | undefined): TaskState | undefined => {
    const { payload } = event ?? {};
    return payload?.$case === 'task' || payload?.$case === 'statusUpdate' ? payload.value.status?.state : undefined;
  };

  test('of protocol 1.0 tells the price and ends, then the payment on its way, its receipt and its end', async () => {
    const priced = await streamed(client.sendMessageStream(...toRequest({ data: { skill: SKILL, params: PRICE } })));
    expect(priced.map(stateOf)).toEqual([TaskState.TASK_STATE_INPUT_REQUIRED]);
    const [first] = priced;
    if (first?.payload?.$case !== 'task') throw new Error('a stream begins with its task');
    const { value: task } = first.payload;
    const metadata = await paymentFor('base', task);
    const paid = await streamed(client.sendMessageStream(...toRequest({ taskId: task.id, metadata })));
    expect(paid.map(({ payload }) => payload?.$case)).toEqual(['task', 'artifactUpdate', 'statusUpdate']);
    expect([stateOf(paid[0]), stateOf(paid[2])]).toEqual([
      TaskState.TASK_STATE_WORKING,
      TaskState.TASK_STATE_COMPLETED,
    ]);
    const whole = await client.getTask({ tenant: '', id: task.id, historyLength: undefined });
    expect([paid[1]?.payload?.value, paid[2]?.payload?.value]).toMatchObject([
      { artifact: whole.artifacts[0] },
      { status: whole.status },
    ]);
    // Its caller was handed the answer: the same once more is another payment.
    const { payments } = service.store.tables;
    await eventually(async () => {
      const found = await service.store.read
        .select()
        .from(payments)
        .where(eq(payments.payer, await payerOf(task.id)));
      expect(found.at(-1)?.delivery).toBe('handed');
    });
    const over = streamed(client.resubscribeTask({ tenant: '', id: task.id }));
    await expect(over).rejects.toThrow();
  });

  test('of protocol 0.3 does the same', async () => {
    const task = await sendOld({ data: { skill: SKILL, params: PRICE } });
    const metadata = await paymentFor('base', task);
    const parts: OldMessage['parts'] = [{ kind: 'text', text: 'Here it is.' }];
    const message = {
      kind: 'message',
      messageId: messageId(),
      role: 'user',
      parts,
      taskId: task.id,
      metadata,
    } as const;
    const states: unknown[] = [];
    for await (const event of old.sendMessageStream({ message })) {
      states.push(
        event.kind === 'artifact-update' ? event.kind : event.kind === 'message' ? event.kind : event.status.state,
      );
    }
    expect(states).toEqual(['working', 'artifact-update', 'completed']);
  });
});

/** Who paid for a task. */
async function payerOf(taskId: string): Promise<string> {
  const { messageTasks, payments } = service.store.tables;
  const [row] = await service.store.read
    .select({ payer: payments.payer })
    .from(messageTasks)
    .innerJoin(payments, eq(payments.id, messageTasks.paymentId))
    .where(eq(messageTasks.id, taskId));
  return row?.payer ?? '';
}

const BATCH = {
  receivers: [
    { receiver: 'someone@example.com', amount: 0.02 },
    { receiver: 'another@example.com', amount: 0.03 },
  ],
};

describe.concurrent('a task that was paid', () => {
  let task: Task;
  let payment: Metadata;
  let paid: Task;
  beforeAll(async () => {
    task = await send({ data: { skill: SKILL, params: PRICE } });
    payment = await paymentFor('base', task);
    paid = await send({ taskId: task.id, metadata: payment });
  });

  test('shows nobody its receipt under another', async () => {
    const thief = await send({ data: { skill: SKILL, params: PRICE } });
    await expect(send({ taskId: thief.id, metadata: payment })).rejects.toThrow(/already paid for another/);
  });

  test('of two payers for one task the second pays nothing', async () => {
    const second = await paymentFor('base', task);
    await expect(send({ taskId: task.id, metadata: second })).rejects.toThrow(/paying for this/);
  });

  test('has a settlement that is no transfer for a task', async () => {
    const [settled] = metadataOf(paid)['x402.payment.receipts'] as { transaction: string }[];
    const other = await openTask();
    const refused = await present(other.taskId, 'base', settled?.transaction ?? '');
    expect(refused.error).toMatchObject({ code: -32602, data: { error: 'wrong_recipient' } });
  });
});

test.concurrent('an agent that does not wait is told to ask again, and its retry is charged once', async () => {
  const params = { ...PRICE, description: 'once' };
  const wallet = await createAgentWallet(service, 'base');
  const pay = async (isImpatient: boolean) => {
    const task = await send({ data: { skill: SKILL, params } });
    const payload = await wallet.sign(metadataOf(task)['x402.payment.required']);
    return send({ taskId: task.id, metadata: { 'x402.payment.payload': payload }, isImpatient });
  };
  const first = await pay(true);
  expect(first.status?.state).toBe(TaskState.TASK_STATE_WORKING);
  const again = await pay(false);
  const settled = await eventually(async () => {
    const task = await client.getTask({ tenant: '', id: first.id, historyLength: undefined });
    expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    return task;
  });
  expect(again.artifacts).toEqual(settled.artifacts);
  const third = await pay(false);
  expect(third.artifacts).not.toEqual(settled.artifacts);
});

test.concurrent('a payment that is not the price leaves the task open and says why', async () => {
  const task = await send({ data: { skill: SKILL, params: PRICE } });
  const other = await send({ data: { skill: SKILL, params: { ...PRICE, amount: 0.04 } } });
  const refused = await send({ taskId: task.id, metadata: await paymentFor('base', other) });
  expect(refused.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
  expect(metadataOf(refused)).toMatchObject({
    'x402.payment.status': 'payment-failed',
    'x402.payment.receipts': [{ success: false, network: 'eip155:8453', transaction: '' }],
  });
  const paid = await send({ taskId: task.id, metadata: await paymentFor('base', refused) });
  expect(metadataOf(paid)['x402.payment.receipts']).toMatchObject([{ success: false }, { success: true }]);
});

test.concurrent('a signed payment pays for a skill-named call too', async () => {
  const first = await say(service, rpc(SKILL, PRICE));
  expect(first.error).toBeUndefined();
  const { taskId, metadata } = first.result as { taskId: string; metadata: Metadata };
  const wallet = await createAgentWallet(service, 'base');
  const payment = await wallet.sign(metadata['x402.payment.required']);
  const second = await say(service, rpc(SKILL, { ...PRICE, taskId, payment }));
  expect(second.result).toMatchObject({
    taskId,
    status: 'PAYMENT_CONFIRMED',
    data: { code: 200, data: { amount: 0.05 } },
    metadata: { 'x402:transactionId': expect.stringMatching(/^0x/), 'x402:receipt': expect.stringMatching(/receipts/) },
  });
  expect((await say(service, rpc(SKILL, { taskId, payment }))).result).toEqual(second.result);
  expect((await say(service, rpc(SKILL, { taskId }))).result).toEqual(second.result);
  // What was sent as well pays for nothing any more.
  const { amount, recipient } = askedOn(first.result as Asked, 'base');
  const late = await wallet.transfer(recipient, BigInt(amount));
  expect((await present(taskId, 'base', late)).error.data['error']).toBe('task_already_paid');
});

type Asked = {
  taskId: string;
  payments: { network: string; amount: string; recipient: string; price: string; memo?: string }[];
};

async function openTask(params: Metadata = PRICE): Promise<Asked> {
  const first = await say(service, rpc(SKILL, params));
  if (first.result === undefined) throw new Error(`expected a task, found ${first.text}`);
  return first.result as Asked;
}

const askedOn = ({ payments }: Asked, network: 'base' | 'solana') => {
  const asked = payments.find((payment) => payment.network === NAMES[network]);
  if (asked === undefined) throw new Error(`nothing is asked for on ${network}`);
  return asked;
};
const NAMES = { base: 'eip155:8453', solana: 'solana:mainnet' } as const;

/** Presents a hash until the chain is safe enough for it; what any agent would do. */
async function present(taskId: string, network: 'base' | 'solana', transactionHash: string, params: Metadata = {}) {
  return eventually(async () => {
    const answer = await say(
      service,
      rpc(SKILL, { ...params, taskId, payment: { network: NAMES[network], transactionHash } }),
    );
    if (answer.result?.['status'] === 'PAYMENT_REQUIRED')
      throw new Error(`it is not there yet: ${JSON.stringify(answer.result['error'])}`);
    return answer;
  }, 30_000);
}

describe.concurrent.each(['base', 'solana'] as const)('a skill-named call on %s', (network) => {
  test('is paid by a transfer of its own amount, and answers the same for ever', async () => {
    const task = await openTask();
    const { amount, recipient, price } = askedOn(task, network);
    const wallet = await createAgentWallet(service, network);
    const hash = await wallet.transfer(recipient, BigInt(amount));
    const confirmed = await present(task.taskId, network, hash, PRICE);
    const extra = Number(BigInt(amount) - BigInt(price)) / 1_000_000;
    expect(confirmed.result).toMatchObject({
      taskId: task.taskId,
      status: 'PAYMENT_CONFIRMED',
      data: { code: 200, data: { extra, receipt: expect.stringContaining('/receipts/') } },
      metadata: { 'x402:transactionId': hash, 'x402:receipt': expect.stringContaining('/receipts/') },
    });
    expect((await present(task.taskId, network, hash)).result).toEqual(confirmed.result);
    const thief = await openTask();
    expect((await present(thief.taskId, network, hash)).error).toMatchObject({
      code: -32602,
      data: { error: 'wrong_amount' },
    });
  });
});

test.concurrent('the memo of a task makes its plain price pay on Solana', async () => {
  const task = await openTask();
  const { recipient, price, memo } = askedOn(task, 'solana');
  const wallet = await createAgentWallet(service, 'solana');
  const hash = await wallet.transfer(recipient, BigInt(price), memo);
  const confirmed = await present(task.taskId, 'solana', hash);
  expect(confirmed.result).toMatchObject({ status: 'PAYMENT_CONFIRMED', data: { data: { amount: PRICE.amount } } });
});

test.concurrent('agents at once get each their own, and as many thieves nothing', async () => {
  const count = stormSize(2);
  const crowd = await Promise.all(
    Array.from({ length: count }, async () => {
      const task = await openTask();
      const { amount, recipient } = askedOn(task, 'base');
      const wallet = await createAgentWallet(service, 'base');
      return { task, hash: await wallet.transfer(recipient, BigInt(amount)) };
    }),
  );
  const confirmed = await Promise.all(crowd.map(({ task, hash }) => present(task.taskId, 'base', hash)));
  expect(confirmed.filter(({ error }) => error !== undefined)).toEqual([]);
  const receipts = confirmed.map(({ result }) => (result['metadata'] as Metadata)['x402:receipt']);
  expect(new Set(receipts).size).toBe(count);
  expect(confirmed.map(({ result }) => (result['metadata'] as Metadata)['x402:transactionId'])).toEqual(
    crowd.map(({ hash }) => hash),
  );
  const thieves = await Promise.all(crowd.map(async ({ hash }) => present((await openTask()).taskId, 'base', hash)));
  expect(thieves.map(({ error }) => error.code)).toEqual(Array.from({ length: count }, () => -32602));
  reportFaults({ 'agents at once': count });
});
