import { code, type View } from '../../core/view.ts';
import { newButton } from '../conversation/buttons.ts';
import { chatAccountOf } from './claim.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import type { Origin } from '../shared/messenger.ts';
import { mineLines, readSums } from '../wallets/mine.ts';
import { EXAMPLE_DROP, EXAMPLE_REQUEST, EXAMPLE_TIP } from '../../core/grammar/mistakes.ts';
import { findCommand } from '../../core/grammar/near-command.ts';
import { HELP_TOPICS, type HelpTopic } from '../../texts/help/en.ts';
import { HISTORY_SHOWN_MAX } from './history.ts';
import { offeredIn } from './offered.ts';
import { privateView, tryCommand } from '../conversation/views.ts';

/** As words: a wall of buttons helps nobody. */
const OTHERS = [
  'history',
  'limits',
  'lock',
  'claim',
  'link',
  'language',
  'block',
  'request',
  'drop',
  'top',
  'privacy',
  'settings',
  'treasury',
  'reward',
] as const;

/**
 * Everything in short, after what waits for this person; or one command in detail, by any of its names. For an unknown
 * topic it is everything in short, and says that it is.
 */
export async function helpView(deps: CoreDeps, origin: Origin, topic: string | null): Promise<View> {
  const { texts, faucet, claimDays } = deps;
  const isHere = await offeredIn(deps, origin);
  const found = findTopic(topic, isHere);
  if (found !== null)
    return privateView('ok', texts.helpOn(found, { claimDays, historyMax: HISTORY_SHOWN_MAX }), [
      tryCommand(exampleOf(found)),
    ]);
  const { lines, sums } = await mineLines(deps, origin);
  const others = OTHERS.filter((command) => isHere(command)).flatMap((command, index) =>
    index === 0 ? [code(`/${command}`)] : [{ text: ' ' }, code(`/${command}`)],
  );
  const unknown = topic === null || commandIn(topic) !== null ? [] : [texts.unknown()];
  const paragraphs = [...lines, ...unknown, ...texts.help(faucet !== undefined), texts.moreHelp(), others];
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

function findTopic(topic: string | null, isHere: (command: string) => boolean): HelpTopic | null {
  const name = commandIn(topic ?? '');
  return HELP_TOPICS.find((known) => known === name && isHere(known)) ?? null;
}

const commandIn = (topic: string) => findCommand(topic.replace(/^[/／]/, ''));

function exampleOf(topic: HelpTopic): string {
  if (topic === 'tip') return EXAMPLE_TIP;
  if (topic === 'request') return EXAMPLE_REQUEST;
  if (topic === 'drop') return EXAMPLE_DROP;
  return topic === 'link' ? '/link x:alice' : `/${topic}`;
}
