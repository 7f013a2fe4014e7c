import { findOrder, type OrderRow } from '../../db/tips/orders.ts';
import type { View } from '../../core/view.ts';
import { confirmPacedProposal } from '../../db/tips/community-orders.ts';
import { readCommunitySettings } from '../../db/communities/community-settings.ts';
import { confirmProposal, endProposal, staleProposals, type Term } from '../../db/tips/proposals.ts';
import type { Runner } from '../../queue/runner.ts';
import { askOneView } from './caps-card.ts';
import { CARD_LIMIT_MS } from '../shared/card-time.ts';
import { findRuleProblem, ruleView } from './community-rules.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { wordsOf } from './order-command.ts';
import { amountsOf } from './order-placing.ts';
import type { RuleProblem } from '../../texts/communities/facts.ts';
import { isSeveral, proposalView } from './several-views.ts';

const ENDED_AT_ONCE = 100;

/** Shows what the payer has to agree to, unless they have answered meanwhile. */
export async function showProposal(deps: CoreDeps, order: OrderRow): Promise<void> {
  const messenger = deps.messengers[order.transport];
  if (!messenger) throw new Error(`no messenger for the transport ${order.transport}`);
  const view = isSeveral(order) ? await proposalView(deps, order) : await askOneView(deps, order);
  const now = await findOrder(deps.store, order.id);
  if (now?.status === 'proposed') await messenger.edit(order.chatId, order.messageId, view);
}

export type Answer = { orderId: string; userId: string; isYes: boolean };

/**
 * Takes the payer's answer. Whatever was pressed, and however often, the order is afterwards one step further or where
 * it was, so the caller runs it. A view where its community does not allow it now: the card stays, and may be answered
 * again as long as it lasts.
 */
export async function answerProposal(
  deps: Pick<CoreDeps, 'store' | 'clock' | 'texts'>,
  { orderId: id, userId, isYes }: Answer,
): Promise<View | null> {
  const { store, clock } = deps;
  const who = { id, userId };
  if (!isYes) {
    await endProposal(store, who, 'cancelled');
    return null;
  }
  const nowMs = clock.now();
  const order = await findOrder(store, id);
  const confirmed = order
    ? await confirm(deps, order, userId, { shownAfterMs: nowMs - CARD_LIMIT_MS, nowMs })
    : 'not_open';
  if (order && typeof confirmed === 'object') return ruleView(deps, confirmed, wordsOf(order));
  // Of one that is still proposed only the time can be over; any other stays as it is.
  if (confirmed === 'not_open') await endProposal(store, who, 'card_expired');
  return null;
}

/** A card may be older than what the moderators have decided since. */
async function confirm(
  deps: Pick<CoreDeps, 'store' | 'clock'>,
  order: OrderRow,
  userId: string,
  term: Term,
): Promise<'confirmed' | 'not_open' | RuleProblem> {
  const { store } = deps;
  const { id, transport, communityId, status, createdAtMs } = order;
  const who = { id, userId };
  if (status !== 'proposed' || createdAtMs <= term.shownAfterMs) return 'not_open';
  if (communityId === null) return (await confirmProposal(store, who, term)) ? 'confirmed' : 'not_open';
  const { note } = wordsOf(order);
  const problem = await findRuleProblem(deps, { ...order, note, parts: amountsOf(order) });
  if (problem !== null) return problem;
  const { cooldownSeconds } = await readCommunitySettings(store, { transport, communityId });
  const paced = await confirmPacedProposal(store, who, term, cooldownSeconds);
  return paced.kind === 'too_soon' ? { code: 'too_soon', endsAtMs: paced.endsAtMs } : paced.kind;
}

/** Ends what nobody has answered in time; from then on these are orders whose end is to be shown. */
export async function endStaleProposals(
  { store, clock }: Pick<CoreDeps, 'store' | 'clock'>,
  orders: Pick<Runner, 'run'>,
): Promise<void> {
  const stale = await staleProposals(store, clock.now() - CARD_LIMIT_MS, ENDED_AT_ONCE);
  for (const { id, userId } of stale) {
    await endProposal(store, { id, userId }, 'card_expired');
    void orders.run(id);
  }
}
