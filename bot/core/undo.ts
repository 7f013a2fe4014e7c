import { microUsdc } from '../../core/money.ts';
import type { Action, View } from '../../core/view.ts';
import { txnStatusNow } from '../../db/bot/history.ts';
import { findOrder, markUndone, type OrderRow } from '../../db/bot/orders.ts';
import { newButton } from './buttons.ts';
import type { CoreDeps } from './dependencies.ts';
import { privateView, publicView } from './views.ts';

/** For a tip for one person that waits to be collected; its payer alone can press it. */
export async function undoButtons(deps: CoreDeps, order: OrderRow): Promise<Action[]> {
  if (!deps.cancellations || !isUndoable(order)) return [];
  if ((await txnStatusNow(deps.store, order.txnId)) !== 'pending_claim') return [];
  return [await newButton(deps, order.userId, { action: 'undo_order', orderId: order.id }, deps.texts.undo())];
}

type Undoable = OrderRow & { txnId: number };

/** What a link was paid with came from a wallet that is not ours to sign for. */
function isUndoable(order: OrderRow | null): order is Undoable {
  if (order?.status !== 'answered' || order.undoneAtMs !== null || order.lines !== null) return false;
  return order.txnId !== null && order.header !== null;
}

/**
 * Takes a tip back. Null when it comes back: the order then counts as not shown, and whoever calls this runs it. Pressed
 * again, or after a crash in between, it asks again, and the API answers the same.
 */
export async function undoOrder(deps: CoreDeps, orderId: string, userId: string): Promise<View | null> {
  const { store, texts, clock, cancellations } = deps;
  const order = await findOrder(store, orderId);
  if (order?.userId === userId && order.undoneAtMs !== null) return null;
  if (!cancellations || !isUndoable(order) || order.userId !== userId) {
    return privateView('error', [texts.buttonIsOver()]);
  }
  const signed = await deps.signer.signCancellation(orderId, order.txnId);
  const answer = await cancellations.cancel(order.txnId, signed);
  if (answer.kind === 'done') {
    await markUndone(store, orderId, clock.now());
    return null;
  }
  if (answer.kind === 'too_late') return privateView('error', [texts.undoTooLate(order.recipient)]);
  deps.log.warn({ orderId, reason: answer.reason }, 'a tip could not be taken back');
  return privateView('error', [texts.undoLater()]);
}

export function undoneView({ texts }: CoreDeps, { amountMicroUsdc, recipient }: OrderRow): View {
  return publicView('ok', [texts.undone(microUsdc(amountMicroUsdc), recipient)]);
}
