import type { View } from '../../core/view.ts';
import { createIds } from '../../core/ids.ts';
import { eraseChatUser } from '../../db/chats/erase.ts';
import { ensureStopSecret } from '../../db/notices/stop-token.ts';
import { newButton } from '../conversation/buttons.ts';
import { chatAccountOf, failedView } from './claim.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { FILE_MINUTES, newFileLink } from '../conversation/files.ts';
import type { Origin } from '../shared/messenger.ts';
import { privateView } from '../conversation/views.ts';

/** What we know about a person, and what they can do about it. */
export async function privacyView(
  deps: Pick<CoreDeps, 'texts' | 'store' | 'random' | 'clock' | 'publicUrl'>,
  { userId }: Origin,
): Promise<View> {
  const { texts } = deps;
  const file = await newFileLink(deps, userId, { kind: 'export_json', label: texts.exportJson() });
  const erase = await newButton(deps, userId, { action: 'erase' }, texts.eraseNow());
  // A press can refuse tips only for an account that the platform vouches for; other names are proven on a page.
  const isAccount = chatAccountOf(userId) !== null;
  const optOut = isAccount ? [await newButton(deps, userId, { action: 'opt_out' }, texts.optOut())] : [];
  return privateView('ok', [...texts.privacy(), texts.linkLasts(FILE_MINUTES)], [file, erase, ...optOut]);
}

export async function eraseView(
  { store, texts, clock, random, noteErasure }: Pick<CoreDeps, 'store' | 'texts' | 'clock' | 'random' | 'noteErasure'>,
  { userId }: Origin,
): Promise<View> {
  // First: an erasure that is not noted here would be undone by a backup.
  await noteErasure?.(userId, clock.now());
  await ensureStopSecret(store, createIds(random).slug);
  const count = await eraseChatUser(store, userId, clock.now());
  return privateView('ok', [texts.erased(count)]);
}

export async function optOutView(deps: Pick<CoreDeps, 'claims' | 'texts'>, { userId }: Origin): Promise<View> {
  const account = chatAccountOf(userId);
  if (account === null) throw new Error(`${userId} is no account that could refuse tips`);
  const refused = await deps.claims.optOut(account);
  return refused.kind === 'done' ? privateView('ok', [deps.texts.optedOut()]) : failedView(deps, refused);
}
