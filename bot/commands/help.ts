import { code, type View } from '../../core/view.ts';
import { newButton } from '../conversation/buttons.ts';
import { chatAccountOf } from './claim.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import type { Origin } from '../shared/messenger.ts';
import { mineLines, readSums } from '../wallets/mine.ts';
import { EXAMPLE_DROP, EXAMPLE_REQUEST, EXAMPLE_TIP } from '../../core/grammar/mistakes.ts';
import { HELP_TOPICS, type HelpTopic } from '../../texts/help/en.ts';
import { HISTORY_SHOWN_MAX } from './history.ts';
import { privateView, tryCommand } from '../conversation/views.ts';

/** As words: a wall of buttons helps nobody. */
const OTHERS = [
  '/history',
  '/limits',
  '/lock',
  '/claim',
  '/link',
  '/language',
  '/block',
  '/request',
  '/drop',
  '/top',
  '/privacy',
  '/settings',
  '/treasury',
  '/reward',
].flatMap((name, index) => (index === 0 ? [code(name)] : [{ text: ' ' }, code(name)]));

/**
 * Everything in short, after what waits for this person; or one command in detail. For an unknown topic it is everything
 * in short.
 */
export async function helpView(deps: CoreDeps, origin: Origin, topic: string | null): Promise<View> {
  const { texts, faucet, claimDays } = deps;
  const found = findTopic(topic);
  if (found !== null)
    return privateView('ok', texts.helpOn(found, { claimDays, historyMax: HISTORY_SHOWN_MAX }), [
      tryCommand(exampleOf(found)),
    ]);
  const { lines, sums } = await mineLines(deps, origin);
  const paragraphs = [...lines, ...texts.help(faucet !== undefined), texts.moreHelp(), OTHERS];
  const collect = sums.waiting > 0n ? ['/claim'] : [];
  return privateView('ok', paragraphs, [...collect, EXAMPLE_TIP, '/balance', '/deposit'].map(tryCommand));
}

/** The first thing in a private chat: what waits for this person is collected by one press. */
export async function startView(deps: CoreDeps, origin: Origin): Promise<View> {
  const help = await helpView(deps, origin, null);
  const account = chatAccountOf(origin.userId);
  if (account === null || (await readSums(deps, origin)).waiting === 0n) return help;
  const claim = await deps.claims.open(account);
  if (claim.kind !== 'done' || claim.total === 0n) return help;
  const action = { action: 'keep_claim', claimId: claim.claimId } as const;
  const keep = await newButton(deps, origin.userId, action, deps.texts.keepHere(claim.total));
  const others = help.actions.filter((one) => one.kind !== 'command' || one.command !== '/claim');
  return { ...help, actions: [keep, ...others] };
}

function findTopic(topic: string | null): HelpTopic | null {
  const name = topic?.replace(/^[/／]/, '').toLowerCase();
  return HELP_TOPICS.find((known) => known === name) ?? null;
}

function exampleOf(topic: HelpTopic): string {
  if (topic === 'tip') return EXAMPLE_TIP;
  if (topic === 'request') return EXAMPLE_REQUEST;
  if (topic === 'drop') return EXAMPLE_DROP;
  return topic === 'link' ? '/link x:alice' : `/${topic}`;
}
