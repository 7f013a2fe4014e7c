import type { A2ARequestHandler } from '@a2a-js/sdk/server';
import type { PushProtocol } from '../../../core/events/push.ts';
import { deleteConfig, getConfig, listConfigs, setConfig } from '../push/configs.ts';
import { listTasks } from './list-tasks.ts';
import { cancelTask, getTask, sendMessage } from './message-tasks.ts';
import { Refusal } from '../refusal.ts';
import type { TaskContext } from '../task-context.ts';

/** The library's view of our tasks, for one call. */
export type CallHandler = {
  handler: A2ARequestHandler;
  /** The error of the call, as thrown: the library would show a caller the text of anything. */
  failure: () => unknown;
};

/**
 * The library brings both versions' wire forms and nothing else: no tasks of its own, no event bus, nothing in memory.
 * Only methods that `standard.ts` lets through come here.
 */
export function createCallHandler(context: TaskContext, protocol: PushProtocol): CallHandler {
  let failure: unknown = null;
  const kept = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      failure = error;
      throw error;
    }
  };
  const absent = async (): Promise<never> => kept(Promise.reject(new Refusal('unsupported_operation')));
  const handler: A2ARequestHandler = {
    sendMessage: (params) => kept(sendMessage(context, params, protocol)),
    getTask: ({ id }) => kept(getTask(context, id)),
    cancelTask: ({ id }) => kept(cancelTask(context, id)),
    getAgentCard: absent,
    getAuthenticatedExtendedAgentCard: absent,
    listTasks: (params) => kept(listTasks(context, params)),
    createTaskPushNotificationConfig: (params) => kept(setConfig(context, params, protocol)),
    getTaskPushNotificationConfig: (params) => kept(getConfig(context, params)),
    listTaskPushNotificationConfigs: ({ taskId }) => kept(listConfigs(context, taskId)),
    deleteTaskPushNotificationConfig: (params) => kept(deleteConfig(context, params)),
    sendMessageStream: noStream,
    resubscribe: noStream,
  };
  return { handler, failure: () => failure };
}

function noStream(): never {
  throw new Refusal('unsupported_operation');
}
