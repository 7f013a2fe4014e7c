import { TOP_MS, TOP_SHOWN_MAX } from '../../core/communities/people.ts';
import type { TopWish } from '../../core/grammar/command.ts';
import { findPlatform } from '../../core/platforms/platforms.ts';
import type { View } from '../../core/view.ts';
import { joinTop, leaveTop, topOf } from '../../db/tips/top.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { inPublic } from '../conversation/speech.ts';
import { privateView, publicView, tryCommand } from '../conversation/views.ts';
import type { TextEvent } from '../shared/messenger.ts';

/** Who thanks many: of those who have asked to stand there, by how many different people they have tipped. */
export async function topView(
  deps: Pick<CoreDeps, 'store' | 'texts' | 'groupLanguage' | 'clock' | 'failpoint'>,
  { transport, communityId, userId }: TextEvent,
  wish: TopWish,
): Promise<View> {
  const { store, texts, clock } = deps;
  if (communityId === undefined || findPlatform(transport) === null)
    return privateView('error', [texts.topElsewhere()]);
  const member = { transport, communityId, userId };
  if (wish === 'join') {
    deps.failpoint?.('top.before-store');
    await joinTop(store, member, clock.now());
    deps.failpoint?.('top.after-store');
    return privateView('ok', [texts.topJoined()], [tryCommand('/top')]);
  }
  if (wish === 'leave') {
    await leaveTop(store, member);
    return privateView('ok', [texts.topLeft()]);
  }
  const top = await topOf(store, member, { sinceMs: clock.now() - TOP_MS, limit: TOP_SHOWN_MAX });
  const { texts: forAll } = inPublic(deps);
  if (top.length === 0) return publicView('ok', [forAll.topEmpty()]);
  const lines = top.map((one, index) => forAll.topLine(index + 1, one.userId, one.people));
  return publicView('ok', [forAll.topTitle(), ...lines, forAll.topHint()]);
}
