import type {
  GetTaskPushNotificationConfigRequest,
  ListTaskPushNotificationConfigsResponse,
  TaskPushNotificationConfig,
} from '@a2a-js/sdk';
import { CONSENT_MS, TASK_ENDPOINTS_MAX, type PushProtocol } from '../../../core/events/push.ts';
import {
  addTaskEndpoint,
  consentOf,
  removeTaskEndpoint,
  taskEndpoints,
  type LateEndpoint,
  type NewTaskEndpoint,
  type TaskEndpoint,
} from '../../../db/events/task-endpoints.ts';
import { findMessageTask, type MessageTaskRow } from '../../../db/tasks/messages.ts';
import type { ApiDependencies, Events } from '../../environment/dependencies.ts';
import { askChallenge } from '../../events/challenge.ts';
import { takeChallenge } from '../../events/budget.ts';
import { Refusal } from '../refusal.ts';
import { TASK_ID, type TaskContext } from '../task-context.ts';
import { parseTarget, type WantedTarget } from './target.ts';

type Of = Pick<MessageTaskRow, 'id' | 'contextId'>;

/** `CreateTaskPushNotificationConfig` and `tasks/pushNotificationConfig/set`. Only here the caller's secrets are shown again. */
export async function setConfig(
  context: TaskContext,
  wanted: TaskPushNotificationConfig,
  protocol: PushProtocol,
): Promise<TaskPushNotificationConfig> {
  const task = await requireTask(context, wanted.taskId);
  const target = readTarget(context, wanted, protocol);
  const added = await addTarget(context, task, target);
  if (added === 'over') {
    throw new Refusal('unsupported_operation', {
      detail: 'This task is over, and tells nothing more; GetTask shows it.',
    });
  }
  return { ...wanted, tenant: '', id: target.configId ?? task.id, taskId: task.id, url: target.url };
}

/** `GetTaskPushNotificationConfig` and `tasks/pushNotificationConfig/get`, which in 0.3 may name none. */
export async function getConfig(
  context: TaskContext,
  { taskId, id }: GetTaskPushNotificationConfigRequest,
): Promise<TaskPushNotificationConfig> {
  const task = await requireTask(context, taskId);
  const known = await taskEndpoints(context.dependencies.store, task.id);
  const found =
    known.find(({ push }) => push.configId === (id === '' ? task.id : id)) ?? (id === '' ? known[0] : undefined);
  if (found !== undefined) return toConfig(task, found);
  throw new Refusal('task_not_found', { field: 'id', detail: 'The task has no such push notification config.' });
}

/** `ListTaskPushNotificationConfigs` and `tasks/pushNotificationConfig/list`: all on one page, because there are few. */
export async function listConfigs(
  context: TaskContext,
  taskId: string,
): Promise<ListTaskPushNotificationConfigsResponse> {
  const task = await requireTask(context, taskId);
  const known = await taskEndpoints(context.dependencies.store, task.id);
  return { configs: known.map((endpoint) => toConfig(task, endpoint)), nextPageToken: '' };
}

/** `DeleteTaskPushNotificationConfig` and `tasks/pushNotificationConfig/delete`; one that is not there is gone as well. */
export async function deleteConfig(
  context: TaskContext,
  { taskId, id }: Pick<TaskPushNotificationConfig, 'taskId' | 'id'>,
): Promise<void> {
  const task = await requireTask(context, taskId);
  await removeTaskEndpoint(context.dependencies.store, task.id, id === '' ? task.id : id);
}

/** Throws Refusal where nobody is told of anything here. */
export function assertPushed({ dependencies: { events } }: Pick<TaskContext, 'dependencies'>): Events {
  if (events === undefined) throw new Refusal('push_notifications_not_supported');
  return events;
}

/** Throws Refusal. */
export function readTarget(
  context: Pick<TaskContext, 'dependencies'>,
  wanted: TaskPushNotificationConfig,
  protocol: PushProtocol,
): WantedTarget {
  return parseTarget(wanted, protocol, assertPushed(context));
}

/** Another endpoint for a task that is there. Throws Refusal and AppError. */
export async function addTarget(
  context: TaskContext,
  task: Of,
  target: WantedTarget,
  late: LateEndpoint = 'refused',
): Promise<'added' | 'over'> {
  const { store, ids, now } = context.dependencies;
  const consentAtMs = await askConsent(context, target.url);
  const added = await addTaskEndpoint(store, { ...toEndpoint(ids, task, target), consentAtMs, nowMs: now() }, late);
  if (added !== 'too-many') return added;
  const detail = `A task has at most ${TASK_ENDPOINTS_MAX} push notification configs; delete one.`;
  throw new Refusal('invalid_params', { field: 'taskId', detail });
}

/**
 * When this address agreed to be told of tasks: lately, or now. Anyone may open a task and no account signs for an address,
 * so only its own answer counts, and the same one for all callers. Throws AppError.
 */
export async function askConsent(
  { dependencies, caller }: Pick<TaskContext, 'dependencies' | 'caller'>,
  url: string,
): Promise<number> {
  const events = assertPushed({ dependencies });
  const nowMs = dependencies.now();
  const known = await consentOf(dependencies.store, url, nowMs - CONSENT_MS);
  if (known !== null) return known;
  takeChallenge({ ...events.limits, ...events.limits.tasks }, caller.address, url);
  await askChallenge(dependencies, events, url);
  return nowMs;
}

export function toEndpoint(
  ids: Pick<ApiDependencies['ids'], 'endpointId'>,
  { id: taskId, contextId }: Of,
  { url, configId, ...rest }: WantedTarget,
): Omit<NewTaskEndpoint, 'consentAtMs' | 'nowMs'> {
  return { id: ids.endpointId(), taskId, url, push: { ...rest, contextId, configId: configId ?? taskId } };
}

/** Without its secrets: more people may know a task's id than the one who set the config. */
function toConfig({ id: taskId }: Of, { url, push }: TaskEndpoint): TaskPushNotificationConfig {
  const [scheme] = push.authorization?.split(' ') ?? [];
  const authentication = scheme === undefined ? undefined : { scheme, credentials: '' };
  return { tenant: '', id: push.configId, taskId, url, token: '', authentication };
}

async function requireTask({ dependencies }: TaskContext, id: string): Promise<Of> {
  const found = TASK_ID.test(id) ? await findMessageTask(dependencies.store, id) : null;
  if (found === null) throw new Refusal('task_not_found', { field: 'taskId' });
  return found.task;
}
