import { privateView } from '../conversation/views.ts';
import type { View } from '../../core/view.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import type { Messenger, Origin } from '../shared/messenger.ts';

export type ViewOnly = { kind: 'view'; view: View; shown?: never };

/** Until an order exists nothing can be charged, so the answer to a failure here can say so. */
export async function orSomethingWrong<T>(
  deps: Pick<CoreDeps, 'log' | 'texts'>,
  work: () => Promise<T>,
): Promise<T | ViewOnly> {
  try {
    return await work();
  } catch (error) {
    deps.log.error({ error: String(error) }, 'command failed');
    return { kind: 'view', view: privateView('error', [deps.texts.somethingWrong()]) };
  }
}

export function messengerOf(deps: Pick<CoreDeps, 'messengers'>, { transport }: Origin): Messenger {
  const messenger = deps.messengers[transport];
  if (!messenger) throw new Error(`no messenger for the transport ${transport}`);
  return messenger;
}
