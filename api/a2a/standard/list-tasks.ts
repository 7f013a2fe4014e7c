import { TaskState, type ListTasksRequest, type ListTasksResponse, type Task } from '@a2a-js/sdk';
import { messageTasksOf, wholeTasks } from '../../../db/tasks/messages.ts';
import type { Store } from '../../../db/store/store.ts';
import { Refusal } from '../refusal.ts';
import type { TaskContext } from '../task-context.ts';
import { isCanceled, showTask, sinceOf, type Found } from './message-tasks.ts';

const PAGE_DEFAULT = 50;
const PAGE_MAX = 100;
/** Of a context, the newest: older ones are found by their own ids. */
const LOOKED_AT_MAX = 100;

/**
 * There is no sign-in: anyone who knows a context can list it. So only a context that nobody can guess is listed: an id of
 * ours, or a random UUID. Any other context, and none, lists nothing.
 */
const RANDOM_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
/** The form of ours. Other texts never reach the database, because some databases refuse them. */
const OUR_ID = /^[\w-]{22}$/;

/** `ListTasks`: the tasks of a context, newest first. */
export async function listTasks(context: TaskContext, request: ListTasksRequest): Promise<ListTasksResponse> {
  const pageSize = readNumber(request.pageSize, 'pageSize', { least: 1, most: PAGE_MAX }) ?? PAGE_DEFAULT;
  readNumber(request.historyLength, 'historyLength', { least: 0, most: Number.MAX_SAFE_INTEGER });
  if (request.status === TaskState.UNRECOGNIZED) {
    throw new Refusal('invalid_params', { field: 'status', detail: 'This is no state of a task.' });
  }
  const sinceMs = readTime(request.statusTimestampAfter);
  const after = readToken(request.pageToken);
  const { store } = context.dependencies;
  const found = await tasksOf(store, request.contextId);
  const wanted = found.filter((one) => fits(one, request.status) && (sinceMs === null || sinceOf(one) >= sinceMs));
  const rest = wanted.filter(({ task }) => after === null || isAfter(task, after));
  const page = rest.slice(0, pageSize);
  const last = page.at(-1);
  return {
    tasks: await Promise.all(
      (await wholeTasks(store, page)).map((one) => show(context, one, request.includeArtifacts === true)),
    ),
    nextPageToken: last !== undefined && rest.length > page.length ? toToken(last.task) : '',
    pageSize,
    totalSize: wanted.length,
  };
}

async function tasksOf(store: Store, contextId: string): Promise<Standing[]> {
  const isRandom = RANDOM_UUID.test(contextId);
  if (!isRandom && !OUR_ID.test(contextId)) return [];
  const found = await messageTasksOf(store, contextId, LOOKED_AT_MAX);
  return found.filter(({ task }) => isRandom || task.isOurContext);
}

/** The reader of a list may not be the payer, so no answer in it counts as delivered. */
async function show(context: TaskContext, found: Found, withArtifacts: boolean): Promise<Task> {
  const silent = { ...context, caller: { ...context.caller, handsOver: () => undefined } };
  const task = await showTask(silent, found);
  return withArtifacts ? task : { ...task, artifacts: [] };
}

type Standing = Awaited<ReturnType<typeof messageTasksOf>>[number];

function fits(found: Standing, wanted: TaskState): boolean {
  return wanted === TaskState.TASK_STATE_UNSPECIFIED || wanted === stateOf(found);
}

function stateOf(found: Standing): TaskState {
  const { payment } = found;
  if (payment !== null && payment.isAnswered) return TaskState.TASK_STATE_COMPLETED;
  if (payment !== null && payment.status !== 'rejected') return TaskState.TASK_STATE_WORKING;
  return isCanceled(found) ? TaskState.TASK_STATE_CANCELED : TaskState.TASK_STATE_INPUT_REQUIRED;
}

function readNumber(
  value: number | undefined,
  field: string,
  { least, most }: { least: number; most: number },
): number | null {
  if (value === undefined) return null;
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new Refusal('invalid_params', {
    field,
    detail: `"${field}" must be a whole number of at least ${least}, at most ${most}.`,
  });
}

function readTime(text: string | undefined): number | null {
  if (text === undefined || text === '') return null;
  const timeMs = /^\d{4}-\d{2}-\d{2}T[\d:.]{5,15}(?:Z|[+-]\d{2}:\d{2})$/i.test(text) ? Date.parse(text) : NaN;
  if (!Number.isNaN(timeMs)) return timeMs;
  throw new Refusal('invalid_params', { field: 'statusTimestampAfter', detail: 'Wanted: a time as in RFC 3339.' });
}

type Place = { createdAtMs: number; id: string };

const toToken = ({ createdAtMs, id }: Place): string => `${createdAtMs}.${id}`;

function readToken(text: string): Place | null {
  if (text === '') return null;
  const [, createdAtMs, id] = /^([0-9]{1,15})\.([\w-]{22})$/.exec(text) ?? [];
  if (createdAtMs !== undefined && id !== undefined) return { createdAtMs: Number(createdAtMs), id };
  throw new Refusal('invalid_params', { field: 'pageToken', detail: 'This is no token of an answer to ListTasks.' });
}

/** In the order of the list. */
function isAfter({ createdAtMs, id }: Place, last: Place): boolean {
  return createdAtMs < last.createdAtMs || (createdAtMs === last.createdAtMs && id < last.id);
}
