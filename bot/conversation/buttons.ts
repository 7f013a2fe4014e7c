import { createHash } from 'node:crypto';
import type { Action } from '../../core/view.ts';
import { createButton, createLastingButton, offerCommand, type ButtonAction } from '../../db/chats/buttons.ts';
import type { SaidCommand } from '../../db/tables/button-actions.ts';
import type { Origin } from '../shared/messenger.ts';
import type { CoreDeps } from './dependencies.ts';

type Deps = Pick<CoreDeps, 'store' | 'random' | 'clock'>;

/** A button whose action stays in our row; the view has only the row's id. */
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

/**
 * The same button however often its message is shown: what has not changed is then no edit. `name`: what tells it from all
 * others.
 */
export async function lastingButton(
  { store, clock }: Pick<CoreDeps, 'store' | 'clock'>,
  { name, userId, action }: { name: string; userId: string; action: ButtonAction },
  label: string,
): Promise<Action> {
  const id = await createLastingButton(store, { name, userId, action, nowMs: clock.now() });
  return { kind: 'button', label, id };
}

/** A command that this person can say by a press. Named by the event: taken up again, it is the same button. */
export async function newSayButtonId(
  { store, clock }: Pick<CoreDeps, 'store' | 'clock'>,
  { transport, eventId, userId }: Origin,
  said: SaidCommand,
): Promise<string> {
  const name = createHash('sha256').update(JSON.stringify([transport, eventId, userId, said.command]));
  const id = `b_${name.digest('base64url').slice(0, 22)}`;
  await offerCommand(store, { id, userId, said, nowMs: clock.now() });
  return id;
}
