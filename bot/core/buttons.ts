import type { Action } from '../../core/view.ts';
import { createButton, type ButtonAction } from '../../db/bot/buttons.ts';
import type { CoreDeps } from './dependencies.ts';

/** A button whose action stays in our row; the view carries only the row's id. */
export async function newButton(
  deps: Pick<CoreDeps, 'store' | 'random' | 'clock'>,
  userId: string,
  action: ButtonAction,
  label: string,
): Promise<Action> {
  const id = `b_${Buffer.from(deps.random(16)).toString('base64url')}`;
  await createButton(deps.store, { id, userId, action, nowMs: deps.clock.now() });
  return { kind: 'button', label, id };
}
