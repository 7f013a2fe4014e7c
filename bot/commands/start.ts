import type { View } from '../../core/view.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { takeKept } from '../conversation/kept-answers.ts';
import type { TextEvent } from '../shared/messenger.ts';
import { helpView, startView } from './help.ts';

/**
 * The private chat is open now. The answer that a group could not be shown comes first; to anyone but the person who
 * asked, the link to it is plain help.
 */
export async function answerStart(deps: CoreDeps, event: TextEvent, payload: string | null): Promise<View> {
  if (payload === null) return startView(deps, event);
  // In a group others would read along.
  const kept = event.communityId === undefined ? await takeKept(deps.store, event, payload, deps.clock.now()) : null;
  return kept ?? helpView(deps, event, null);
}
