import type { GrammarContext } from '../../core/grammar/recipient.ts';
import type { Action, View } from '../../core/view.ts';
import type { SaidCommand } from '../../db/tables/button-actions.ts';
import { COMMAND_FRESH_MS } from '../shared/card-time.ts';
import type { Origin, PressEvent, TextEvent } from '../shared/messenger.ts';
import { newSayButtonId } from './buttons.ts';
import type { CoreDeps } from './dependencies.ts';

type Deps = Pick<CoreDeps, 'store' | 'random' | 'clock' | 'messengers'>;

/** A chat shows few buttons, so the likeliest come first. */
const BUTTONS_MAX = 4;

/** The corrections of an answer as buttons, where the chat shows them as such. */
export async function pressable(deps: Deps, event: TextEvent, view: View): Promise<View> {
  if (view.state !== 'error' || deps.messengers[event.transport]?.pressesCommands !== true) return view;
  const actions = await Promise.all(
    view.actions.map(async (action, at): Promise<Action> => {
      if (action.kind !== 'command' || at >= BUTTONS_MAX) return action;
      const { command } = action;
      return {
        ...action,
        button: { id: await sayButton(deps, event, command), label: nameIn(command, event.context) },
      };
    }),
  );
  return { ...view, actions };
}

/** Said by a press as if it had been typed here, for as long as a command is fresh. */
export function sayButton(
  deps: Pick<CoreDeps, 'store' | 'clock'>,
  event: Pick<TextEvent, 'context' | 'chatName'> & Origin,
  command: string,
): Promise<string> {
  const untilMs = deps.clock.now() + COMMAND_FRESH_MS;
  return newSayButtonId(deps, event, { ...sayIn(event, command), untilMs, isRate: false });
}

/** `/tip discord:17 2` → `/tip @bo 2`. */
export function nameIn(command: string, { people = [] }: GrammarContext = {}): string {
  return people.reduce(
    (text, { id, name }) => text.replaceAll(new RegExp(`(?<= )${id}(?= |$)`, 'g'), () => `@${name.replace(/^@/, '')}`),
    command,
  );
}

/** What was typed, with everything that gave it its meaning: the answer may be shown in the person's private chat. */
export function sayIn(
  event: Origin & Pick<TextEvent, 'context'>,
  command: string,
): Pick<SaidCommand, 'command' | 'context' | 'place'> {
  const { chatId, communityId, chatName, context = {} } = event;
  const community = communityId === undefined ? {} : { communityId };
  return { command, context, place: { chatId, ...community, ...(chatName === undefined ? {} : { chatName }) } };
}

/** As if it were typed again where it was typed first, whose rules apply again. Null once its time is over. */
export function eventSaid({ clock }: Pick<CoreDeps, 'clock'>, press: PressEvent, said: SaidCommand): TextEvent | null {
  if (clock.now() >= said.untilMs) return null;
  const { communityId: _pressedIn, chatName: _name, isModerator, ...person } = press;
  // What the platform says here is about the place of the press.
  const known = isModerator !== undefined && press.chatId === said.place.chatId ? { isModerator } : {};
  return { ...person, ...said.place, ...known, text: said.command, context: said.context };
}
