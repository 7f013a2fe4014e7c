import { DROP_LIST_MS } from '../../core/drops/drops.ts';
import type { DropWish } from '../../core/grammar/reward.ts';
import { EXAMPLE_DROP } from '../../core/grammar/mistakes.ts';
import { findPlatform } from '../../core/platforms/platforms.ts';
import { sharesOf, type DropProblem } from '../../core/drops/drops.ts';
import { findWaitingDrop, noteDropMessage, openDrop, strikeTakers, type Drop } from '../../db/drops/drops.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { cardLanguageOf } from '../conversation/speech.ts';
import { privateView, tryCommand } from '../conversation/views.ts';
import type { TextEvent } from '../shared/messenger.ts';
import { findBearers } from '../tips/chat-names.ts';
import { findRuleProblem, ruleView } from '../tips/community-rules.ts';
import type { TreasuryReply } from '../treasury/treasury-reply.ts';
import { dropListView } from './drop-list.ts';
import { findDropMoney } from './drop-money.ts';
import { ruleOf } from './drop-rule.ts';
import { dropCard, dropProblemView, showDrop } from './drop-views.ts';
import { treasuryOf } from './treasury-drop.ts';

type Deps = Pick<
  CoreDeps,
  'store' | 'publicUrl' | 'texts' | 'clock' | 'messengers' | 'log' | 'random' | 'networks' | 'failpoint'
>;
type Here = TextEvent & { communityId: string };

/** A member drops a sum for others of the group. Nothing moves before the giver has seen the list and presses. */
export async function answerDrop(deps: Deps, event: TextEvent, wish: DropWish): Promise<TreasuryReply> {
  const refused = (problem: DropProblem): TreasuryReply => ({ view: dropProblemView(deps, problem) });
  const { communityId } = event;
  if (communityId === undefined || findPlatform(event.transport) === null) return refused('elsewhere');
  const here = { ...event, communityId };
  switch (wish.do) {
    case 'unreadable':
      return refused(wish.problem);
    case 'make':
      return make(deps, here, wish);
    case 'list':
      return list(deps, here, wish);
    case 'strike':
      return strike(deps, here, wish);
  }
}

async function make(deps: Deps, event: Here, wish: Extract<DropWish, { do: 'make' }>): Promise<TreasuryReply> {
  const refused = (problem: DropProblem): TreasuryReply => ({ view: dropProblemView(deps, problem) });
  const { amount, people } = wish;
  const parts = sharesOf(amount, { people, taken: people });
  const payer = await payerOf(deps, event, wish);
  if (typeof payer === 'string') return refused(payer);
  // Those who may not tip here drop nothing either, and a share is a tip. About the community's money its moderators decide.
  const byRules = payer.walletId === null ? await findRuleProblem(deps, { ...event, note: null, parts }) : null;
  if (byRules !== null) {
    return { view: ruleView(deps, byRules, { names: [], sum: '', sharing: 'each', note: null }) };
  }
  const rule = await ruleOf(deps, event);
  if (typeof rule === 'string') return refused(rule);
  const money = await findDropMoney(deps, event, parts, payer.walletId);
  if ('refusal' in money) return { view: money.refusal };
  const wanted = await toDrop(deps, event, { ...wish, ...rule, ...payer });
  deps.failpoint?.('drop.before-store');
  const drop = await openDrop(deps.store, wanted);
  deps.failpoint?.('drop.after-store');
  if (drop === null) return refused('busy');
  return { view: await dropCard(deps, drop, 'open'), shown: (id) => noteDropMessage(deps.store, drop.id, id) };
}

/** The treasury; null for the giver's own money. */
async function payerOf(
  deps: Deps,
  event: Here,
  { fromTreasury }: { fromTreasury?: true },
): Promise<{ walletId: string | null } | DropProblem> {
  return fromTreasury === true ? treasuryOf(deps, event) : { walletId: null };
}

type Wanted = Extract<DropWish, { do: 'make' }> & Pick<Drop, 'role' | 'walletId'>;

async function toDrop(
  deps: Deps,
  event: Here,
  { amount, people, seconds, role, walletId }: Wanted,
): Promise<Parameters<typeof openDrop>[1]> {
  const { transport, eventId, chatId, communityId, userId } = event;
  const nowMs = deps.clock.now();
  const closesAtMs = nowMs + seconds * 1_000;
  return {
    id: `drop_${Buffer.from(deps.random(18)).toString('base64url')}`,
    eventKey: `${transport}:${eventId}`,
    transport,
    communityId,
    chatId,
    language: await cardLanguageOf(deps, event),
    giverId: userId,
    walletId,
    amountMicroUsdc: amount,
    people,
    role,
    createdAtMs: nowMs,
    closesAtMs,
    endsAtMs: closesAtMs + DROP_LIST_MS,
  };
}

async function list(deps: Deps, event: Here, wish: Extract<DropWish, { do: 'list' }>): Promise<TreasuryReply> {
  const payer = await payerOf(deps, event, wish);
  if (typeof payer === 'string') return { view: dropProblemView(deps, payer) };
  const drop = await findWaitingDrop(deps.store, { ...event, giverId: event.userId, ...payer });
  if (drop?.status === 'closed') return { view: await dropListView(deps, event, drop) };
  return { view: privateView('ok', deps.texts.explainDrops(), [tryCommand(EXAMPLE_DROP)]) };
}

async function strike(deps: Deps, event: Here, wish: Extract<DropWish, { do: 'strike' }>): Promise<TreasuryReply> {
  const refused = (problem: DropProblem): TreasuryReply => ({ view: dropProblemView(deps, problem) });
  const { store, clock } = deps;
  const { transport } = event;
  const { whom } = wish;
  const payer = await payerOf(deps, event, wish);
  if (typeof payer === 'string') return refused(payer);
  const drop = await findWaitingDrop(store, { ...event, giverId: event.userId, ...payer });
  if (drop?.status !== 'closed') return refused('none');
  const [first, ...more] = whom;
  if (first === undefined || whom.some(({ platform }) => platform !== findPlatform(transport)))
    return refused('not_listed');
  const named = await findBearers(deps, event, {
    kind: 'tip',
    recipients: [first, ...more],
    amount: { kind: 'all' },
    sharing: 'each',
    note: null,
  });
  if (named.kind === 'view') return named;
  const userIds = named.tip.recipients.map(({ key }) => `${transport}:${key}`);
  const struck = await strikeTakers(store, { id: drop.id, userIds, nowMs: clock.now() });
  if (struck === null) return refused('none');
  if (struck === 0) return refused('not_listed');
  // Those who have confirmed the list confirm the new one.
  if (drop.walletId !== null) await showDrop(deps, drop.id);
  return { view: await dropListView(deps, event, drop) };
}
