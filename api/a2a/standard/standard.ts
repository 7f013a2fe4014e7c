import { z } from 'zod';
import { ServerCallContext } from '@a2a-js/sdk/server';
import { quoteText } from '../../../core/characters.ts';
import type { RpcRequest } from '../envelope.ts';
import { Refusal, type RefusalWord } from '../refusal.ts';
import { createCallHandler } from './request-handler.ts';
import type { TaskContext } from '../task-context.ts';
import type { EventStreams } from '../../environment/event-stream.ts';
import { openStream } from './streaming.ts';
import { assertPushed } from '../push/configs.ts';
import { pickConfigs, pickPush } from '../push/pick.ts';
import { protocolOf, toTransport } from './transport.ts';

/** The methods of each version of the protocol that are served; no name means anything in both. */
const MODERN = ['SendMessage', 'GetTask', 'ListTasks', 'CancelTask'];
const LEGACY = ['message/send', 'tasks/get', 'tasks/cancel'];
/** Where somebody is told of a task. */
const PUSH = [
  'CreateTaskPushNotificationConfig',
  'GetTaskPushNotificationConfig',
  'ListTaskPushNotificationConfigs',
  'DeleteTaskPushNotificationConfig',
  'tasks/pushNotificationConfig/set',
  'tasks/pushNotificationConfig/get',
  'tasks/pushNotificationConfig/list',
  'tasks/pushNotificationConfig/delete',
];

/** Methods of the protocol that this agent does not offer, as its card says. */
const ABSENT: ReadonlyMap<string, RefusalWord> = new Map([
  ['GetExtendedAgentCard', 'extended_card_not_configured'],
  ['agent/getAuthenticatedExtendedCard', 'extended_card_not_configured'],
] as const);

/** Those that are answered by a stream. */
const STREAMED = ['SendStreamingMessage', 'SubscribeToTask', 'message/stream', 'tasks/resubscribe'];

export const isStreamed = (method: string): boolean => STREAMED.includes(method);

/** Answers a standard method; the form of params and result is its version's. Throws what is refused. */
export async function callStandard(
  context: TaskContext,
  { id, method, params }: RpcRequest,
  version: string | undefined,
): Promise<unknown> {
  const absent = ABSENT.get(method);
  if (absent !== undefined) throw new Refusal(absent);
  const isServed = [MODERN, LEGACY, PUSH].some((served) => served.includes(method));
  if (!isServed) {
    throw new Refusal('method_not_found', { field: 'method', detail: `There is no method ${quoteText(method)}.` });
  }
  assertVersion(version);
  if (PUSH.includes(method)) assertPushed(context);
  const { handler, failure } = createCallHandler(context, protocolOf(method));
  const picked = PUSH.includes(method) ? pickPush(params) : pickParams(params);
  const response = await toTransport(method, handler).handle(
    { jsonrpc: '2.0', id, method, params: picked },
    new ServerCallContext(),
  );
  if (failure() !== null) throw failure();
  if (!('error' in response) && 'result' in response) return response.result;
  // None of our code failed, so the library could not read the params. Its own text stays here.
  throw new Refusal('invalid_params', { field: 'params' });
}

/** The same for a method that is answered by a stream. */
export async function streamStandard(
  context: TaskContext,
  request: RpcRequest,
  version: string | undefined,
  streams: EventStreams,
): Promise<ReadableStream<Uint8Array>> {
  assertVersion(version);
  return openStream(context, { ...request, params: pickParams(request.params) }, streams);
}

/** Only the fields in use: the library would read, and log, the rest of what strangers write. */
function pickParams(params: Record<string, unknown>): Record<string, unknown> {
  const { id, message, configuration } = params;
  const { returnImmediately, blocking, ...more } = record.safeParse(configuration).data ?? {};
  return {
    ...Object.fromEntries(LISTING.flatMap((name) => (params[name] === undefined ? [] : [[name, params[name]]]))),
    ...(id === undefined ? {} : { id }),
    ...(message === undefined ? {} : { message }),
    ...(configuration === undefined ? {} : { configuration: { returnImmediately, blocking, ...pickConfigs(more) } }),
  };
}

const LISTING = [
  'contextId',
  'status',
  'pageSize',
  'pageToken',
  'historyLength',
  'statusTimestampAfter',
  'includeArtifacts',
] as const;

const record = z.record(z.string(), z.unknown());

/** Absent means 0.3, which had no such header; the method itself shows which version is meant. */
function assertVersion(version: string | undefined): void {
  if (version === undefined || /^(?:0\.3|1\.0)(?:\.\d{1,4})?$/.test(version.trim())) return;
  throw new Refusal('version_not_supported', { field: 'A2A-Version' });
}
