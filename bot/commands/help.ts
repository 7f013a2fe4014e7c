import { code, type View } from '../../core/view.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { EXAMPLE_TIP } from '../../core/grammar/mistakes.ts';
import { HELP_TOPICS, type HelpTopic } from '../../texts/help/en.ts';
import { HISTORY_SHOWN_MAX } from './history.ts';
import { privateView, tryCommand } from '../conversation/views.ts';

/** As words, because a wall of buttons helps nobody. */
const OTHERS = [
  '/history',
  '/limits',
  '/lock',
  '/claim',
  '/link',
  '/language',
  '/privacy',
  '/settings',
  '/treasury',
  '/reward',
].flatMap((name, index) => (index === 0 ? [code(name)] : [{ text: ' ' }, code(name)]));

/** All in short, or one command in detail; a topic that does not exist is answered by all. */
export function helpView(
  { texts, faucet, claimDays }: Pick<CoreDeps, 'texts' | 'faucet' | 'claimDays'>,
  topic: string | null,
): View {
  const found = findTopic(topic);
  if (found !== null)
    return privateView('ok', texts.helpOn(found, { claimDays, historyMax: HISTORY_SHOWN_MAX }), [
      tryCommand(exampleOf(found)),
    ]);
  const paragraphs = [...texts.help(faucet !== undefined), texts.moreHelp(), OTHERS];
  return privateView('ok', paragraphs, [EXAMPLE_TIP, '/balance', '/deposit'].map(tryCommand));
}

function findTopic(topic: string | null): HelpTopic | null {
  const name = topic?.replace(/^[/／]/, '').toLowerCase();
  return HELP_TOPICS.find((known) => known === name) ?? null;
}

function exampleOf(topic: HelpTopic): string {
  if (topic === 'tip') return EXAMPLE_TIP;
  return topic === 'link' ? '/link x:alice' : `/${topic}`;
}
