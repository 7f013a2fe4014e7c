/** What a task's receiver gets, in the forms that the official library writes. */
import { TaskState, type StreamResponse } from '@a2a-js/sdk';
import { V1PushNotificationSerializer } from '@a2a-js/sdk/server';
import { V03PushNotificationSerializer } from '@a2a-js/sdk/compat/v0_3/server';
import { expect, test } from 'vitest';
import { TASK_EVENTS } from '../../../core/events/events.ts';
import { pushMessage, type PushTarget } from '../../../core/events/push.ts';

const AT_MS = 1_800_000_000_000;
const TARGET: PushTarget = { contextId: 'c', configId: 'one', protocol: '1.0', token: null, authorization: null };
const STATES = {
  task_working: TaskState.TASK_STATE_WORKING,
  task_input_required: TaskState.TASK_STATE_INPUT_REQUIRED,
  task_completed: TaskState.TASK_STATE_COMPLETED,
  task_canceled: TaskState.TASK_STATE_CANCELED,
} as const;

test.each(TASK_EVENTS)('%s is told as both versions of the library tell it', (type) => {
  const status = { state: STATES[type], message: undefined, timestamp: new Date(AT_MS).toISOString() };
  const value = { taskId: 't', contextId: 'c', status, metadata: undefined };
  const update: StreamResponse = { payload: { $case: 'statusUpdate', value } };
  const task = { id: 't', contextId: 'c', status, artifacts: [], history: [], metadata: undefined };
  const expected = {
    '1.0': new V1PushNotificationSerializer().serialize(update),
    '0.3': new V03PushNotificationSerializer().serialize(update, task),
  };
  for (const protocol of ['1.0', '0.3'] as const) {
    const { headers, body } = pushMessage({ ...TARGET, protocol }, { type, taskId: 't', atMs: AT_MS });
    const { contentType, body: theirs } = expected[protocol];
    expect(headers).toEqual({ 'content-type': contentType });
    expect(JSON.parse(body)).toEqual(JSON.parse(theirs));
  }
});

test('the token and the authorization of the caller are its headers', () => {
  const target = { ...TARGET, token: 'known only here', authorization: 'Bearer key' };
  expect(pushMessage(target, { type: 'task_working', taskId: 't', atMs: AT_MS }).headers).toMatchObject({
    'x-a2a-notification-token': 'known only here',
    authorization: 'Bearer key',
  });
});
