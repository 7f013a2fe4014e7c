import { TaskState, type AgentCard, type StreamResponse, type Task } from '@a2a-js/sdk';
import { ServerCallContext, type A2ARequestHandler } from '@a2a-js/sdk/server';
import type { EventStreams, Shown } from '../../environment/event-stream.ts';
import type { RpcRequest } from '../envelope.ts';
import { Refusal } from '../refusal.ts';
import type { TaskContext } from '../task-context.ts';
import { paymentOf } from './message-tasks.ts';
import { createCallHandler } from './request-handler.ts';
import { protocolOf, toTransport } from './transport.ts';

type Envelope = Record<string, unknown>;
type Call = RpcRequest & { params: Record<string, unknown> };

/** After these a task says nothing more by itself. */
const OVER: readonly TaskState[] = [
  TaskState.TASK_STATE_COMPLETED,
  TaskState.TASK_STATE_CANCELED,
  TaskState.TASK_STATE_FAILED,
  TaskState.TASK_STATE_REJECTED,
];

/**
 * `SendStreamingMessage` and `SubscribeToTask`, and what 0.3 calls them: the task as it is now, then each change of its
 * state until it is over or waits for its caller. What is refused is refused before the stream begins, so it is an error
 * like any other. A stream never keeps a payment waiting: its caller is told of the settlement instead of waiting for it.
 */
export async function openStream(
  context: TaskContext,
  call: Call,
  streams: EventStreams,
): Promise<ReadableStream<Uint8Array>> {
  const { caller } = context;
  const { envelope, task: first } = await begin(context, call);
  await caller.noteHandedOver(true);
  let shown: Shown | null = toShown(first, [envelope]);
  let last = first;
  let paymentId = await paymentOf(context, first.id);
  return streams.events({
    caller: caller.address,
    // Each caller has its own: an answer is handed over to one of them.
    subject: `a2a:${caller.connection.id}`,
    channel: () => paymentId ?? first.id,
    seen: null,
    read: async () => {
      const begun = shown;
      shown = null;
      if (begun !== null) return begun;
      const { handler } = createCallHandler(context, protocolOf(call.method));
      const task = await handler.getTask({ id: first.id, tenant: '' }, new ServerCallContext());
      // Before a byte of it leaves, as for any answer.
      await caller.noteHandedOver(true);
      paymentId ??= await paymentOf(context, first.id);
      const isNews = versionOf(task) !== versionOf(last);
      last = task;
      return toShown(task, isNews ? await Promise.all(newsOf(task).map((event) => render(call, event))) : []);
    },
  });
}

/** The first event, as the call's version writes it. */
async function begin(context: TaskContext, call: Call): Promise<{ envelope: Envelope; task: Task }> {
  const { handler: plain, failure } = createCallHandler(context, protocolOf(call.method));
  const begun: { task: Task | null } = { task: null };
  async function* first(found: Promise<unknown>): AsyncGenerator<StreamResponse, void, undefined> {
    begun.task = (await found) as Task;
    yield { payload: { $case: 'task', value: begun.task } };
  }
  const handler = {
    ...plain,
    getAgentCard: async () => STREAMING_CARD,
    sendMessageStream: (params, of) => {
      const configuration = { ...params.configuration, returnImmediately: true } as NonNullable<
        typeof params.configuration
      >;
      return first(plain.sendMessage({ ...params, configuration }, of));
    },
    resubscribe: ({ id }, of) => first(plain.getTask({ id, tenant: '' }, of).then(refuseOver)),
  } satisfies A2ARequestHandler;
  const [envelope] = await eventsOf(handler, call).catch((error: unknown) => {
    throw failure() ?? error;
  });
  if (failure() !== null) throw failure();
  if (envelope === undefined || begun.task === null) throw new Refusal('invalid_params', { field: 'params' });
  return { envelope, task: begun.task };
}

function refuseOver(task: Task): Task {
  if (!OVER.includes(stateOf(task))) return task;
  throw new Refusal('unsupported_operation', { detail: 'This task is over; GetTask shows it.' });
}

/** In the words of the call's version. */
async function render(call: Call, event: StreamResponse): Promise<Envelope> {
  async function* only(): AsyncGenerator<StreamResponse, void, undefined> {
    yield event;
  }
  const absent = async (): Promise<never> => Promise.reject(new Refusal('unsupported_operation'));
  const handler: A2ARequestHandler = {
    getAgentCard: async () => STREAMING_CARD,
    sendMessageStream: only,
    resubscribe: only,
    sendMessage: absent,
    getTask: absent,
    cancelTask: absent,
    listTasks: absent,
    getAuthenticatedExtendedAgentCard: absent,
    createTaskPushNotificationConfig: absent,
    getTaskPushNotificationConfig: absent,
    listTaskPushNotificationConfigs: absent,
    deleteTaskPushNotificationConfig: absent,
  };
  const [envelope] = await eventsOf(handler, call);
  if (envelope === undefined) throw new Error('the library wrote no event');
  return envelope;
}

/** All that a handler's stream yields. */
async function eventsOf(handler: A2ARequestHandler, { id, method, params }: Call): Promise<Envelope[]> {
  const answered = await toTransport(method, handler).handle(
    { jsonrpc: '2.0', id, method, params },
    new ServerCallContext(),
  );
  // Otherwise the library could not read the params.
  if (!(Symbol.asyncIterator in answered)) return [];
  const events: Envelope[] = [];
  for await (const event of answered) events.push(event as unknown as Envelope);
  return events;
}

/** A new state, and before it what it brought. */
function newsOf({ id: taskId, contextId, status, artifacts }: Task): StreamResponse[] {
  const brought = artifacts.map((artifact): StreamResponse => {
    const whole = { append: false, lastChunk: true, metadata: undefined };
    return { payload: { $case: 'artifactUpdate', value: { taskId, contextId, artifact, ...whole } } };
  });
  return [
    ...brought,
    { payload: { $case: 'statusUpdate', value: { taskId, contextId, status, metadata: undefined } } },
  ];
}

function toShown(task: Task, answers: readonly Envelope[]): Shown {
  const state = stateOf(task);
  const isFinished = OVER.includes(state) || state === TaskState.TASK_STATE_INPUT_REQUIRED;
  return { version: versionOf(task), answer: answers, isFinished };
}

const stateOf = ({ status }: Task): TaskState => status?.state ?? TaskState.TASK_STATE_UNSPECIFIED;
const versionOf = ({ status }: Task): string => status?.message?.messageId ?? '';

/** What the library asks for before it writes a stream of 0.3. */
const STREAMING_CARD = { capabilities: { streaming: true } } as AgentCard;
