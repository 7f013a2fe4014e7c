import type { EventType, TaskEvent } from './events.ts';

/** The versions of A2A, each with its own form of a notification. */
export type PushProtocol = '0.3' | '1.0';

/** Beside its address, what a caller says of the endpoint of a task. */
export type PushTarget = {
  contextId: string;
  /** The caller's name for the config, or the task's id. */
  configId: string;
  protocol: PushProtocol;
  /** What the receiver knows our requests by. */
  token: string | null;
  /** The whole header, such as `Bearer …`. */
  authorization: string | null;
};

/** Of one task. */
export const TASK_ENDPOINTS_MAX = 5;
/** An address that has answered a challenge is not asked again for so long. */
export const CONSENT_MS = 3_600_000;

/** As protocol 1.0 and 0.3 write a state. */
const STATES = {
  task_working: ['TASK_STATE_WORKING', 'working'],
  task_input_required: ['TASK_STATE_INPUT_REQUIRED', 'input-required'],
  task_completed: ['TASK_STATE_COMPLETED', 'completed'],
  task_canceled: ['TASK_STATE_CANCELED', 'canceled'],
} as const satisfies Record<TaskEvent, readonly [string, string]>;

export function isTaskEvent(type: EventType): type is TaskEvent {
  return Object.hasOwn(STATES, type);
}

export type TaskNews = { type: TaskEvent; taskId: string; atMs: number };

/**
 * A notification in the form of its protocol: a status update, or in 0.3 the task. It is as thin as our other events, so that
 * an address never gets a price or a receipt: those who may know them ask for the task. The same news has the same bytes.
 */
export function pushMessage(
  { contextId, protocol, token, authorization }: PushTarget,
  { type, taskId, atMs }: TaskNews,
): { headers: Record<string, string>; body: string } {
  const [modern, legacy] = STATES[type];
  const timestamp = new Date(atMs).toISOString();
  const isModern = protocol === '1.0';
  const body = isModern
    ? { statusUpdate: { taskId, contextId, status: { state: modern, timestamp } } }
    : { id: taskId, contextId, kind: 'task', status: { state: legacy, timestamp } };
  const headers = {
    'content-type': isModern ? 'application/a2a+json' : 'application/json',
    ...(token === null ? {} : { 'x-a2a-notification-token': token }),
    ...(authorization === null ? {} : { authorization }),
  };
  return { headers, body: JSON.stringify(body) };
}
