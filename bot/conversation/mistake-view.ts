import type { View } from '../../core/view.ts';
import type { CoreDeps } from './dependencies.ts';
import type { Mistake } from '../../core/grammar/mistakes.ts';
import { privateView, tryCommand } from './views.ts';

/** What is wrong, and commands that would work. */
export function mistakeView({ texts }: Pick<CoreDeps, 'texts'>, mistake: Mistake): View {
  return privateView('error', [texts.mistake(mistake)], mistake.examples.map(tryCommand));
}
