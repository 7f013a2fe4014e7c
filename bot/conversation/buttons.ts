import type { Action } from '../../core/view.ts';
import { createButton, type ButtonAction } from '../../db/chats/buttons.ts';
import type { CoreDeps } from './dependencies.ts';

type Deps = Pick<CoreDeps, 'store' | 'random' | 'clock'>;

/** A button whose action stays in our row; the view carries only the row's id. */
export async function newButton(deps: Deps, userId: string, action: ButtonAction, label: string): Promise<Action> {
  return { kind: 'button', label, id: await newButtonId(deps, userId, action) };
}

/** The same for pages, which draw their buttons themselves. */
export async function newButtonId(
  { store, random, clock }: Deps,
  userId: string,
  action: ButtonAction,
): Promise<string> {
  const id = `b_${Buffer.from(random(16)).toString('base64url')}`;
  await createButton(store, { id, userId, action, nowMs: clock.now() });
  return id;
}
