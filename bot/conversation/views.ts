import type { Action, Paragraph, View } from '../../core/view.ts';

/** Shown while something happens; it will be edited. */
export const workingView = (...paragraphs: Paragraph[]): View => view('working', 'everyone', paragraphs, []);

/** How a tip ended: everyone who saw it begin may see that. */
export const publicView = (state: 'ok' | 'error', paragraphs: readonly Paragraph[], actions: Action[] = []): View =>
  view(state, 'everyone', paragraphs, actions);

/** The same for an end that concerns nobody else. */
export const privateWorkingView = (...paragraphs: Paragraph[]): View => view('working', 'person', paragraphs, []);

/** For the person who asked: balances, addresses, mistakes. */
export const privateView = (state: 'ok' | 'error', paragraphs: readonly Paragraph[], actions: Action[] = []): View =>
  view(state, 'person', paragraphs, actions);

export const tryCommand = (command: string): Action => ({ kind: 'command', command });

function view(
  state: View['state'],
  audience: View['audience'],
  paragraphs: readonly Paragraph[],
  actions: readonly Action[],
): View {
  return { state, audience, paragraphs, actions };
}
