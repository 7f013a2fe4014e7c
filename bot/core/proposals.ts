import { findOrder, type OrderRow } from '../../db/bot/orders.ts';
import { confirmProposal, endProposal, staleProposals } from '../../db/bot/proposals.ts';
import { CARD_LIMIT_MS } from './card-time.ts';
import type { CoreDeps } from './dependencies.ts';
import { isSeveral, proposalView } from './several-views.ts';

const ENDED_AT_ONCE = 100;

/** Shows what its payer has to agree to, unless he has answered meanwhile. */
export async function showProposal(deps: CoreDeps, order: OrderRow): Promise<void> {
  if (!isSeveral(order)) throw new Error(`order ${order.id} is proposed and says not who gets what`);
  const messenger = deps.messengers[order.transport];
  if (!messenger) throw new Error(`no messenger for the transport ${order.transport}`);
  const view = await proposalView(deps, order);
  const now = await findOrder(deps.store, order.id);
  if (now?.status === 'proposed') await messenger.edit(order.chatId, order.messageId, view);
}

export type Answer = { orderId: string; userId: string; isYes: boolean };

/**
 * Takes the payer's word. Whatever was pressed, and however often: the order is one step further afterwards, or where it
 * was, so whoever calls this runs it.
 */
export async function answerProposal(
  { store, clock }: Pick<CoreDeps, 'store' | 'clock'>,
  { orderId: id, userId, isYes }: Answer,
): Promise<void> {
  if (!isYes) return void (await endProposal(store, { id, userId }, 'cancelled'));
  const nowMs = clock.now();
  if (await confirmProposal(store, { id, userId }, { shownAfterMs: nowMs - CARD_LIMIT_MS, nowMs })) return;
  // Of one that is still proposed only the time can be over; any other stays as it is.
  await endProposal(store, { id, userId }, 'card_expired');
}

/** Ends what nobody has answered in time; from then on these are orders whose end is to be shown. */
export async function endStaleProposals({ store, clock }: Pick<CoreDeps, 'store' | 'clock'>): Promise<void> {
  const stale = await staleProposals(store, clock.now() - CARD_LIMIT_MS, ENDED_AT_ONCE);
  for (const { id, userId } of stale) await endProposal(store, { id, userId }, 'card_expired');
}
