import { formatUsdcForPeople, microUsdc } from '../core/money.ts';
import type { OutboxPayload } from '../core/outbox.ts';
import { receiptTextsIn } from '../texts/receipts/languages.ts';
import { receiptUrl } from '../core/payments/answers.ts';
import { cutNames, receiptLinks } from '../texts/receipts/several.ts';
import { strong, type View } from '../core/view.ts';
import { findOrder, type OrderRow } from '../db/tips/orders.ts';
import { linesOf, type LineWithPayout } from '../db/payments/records/find.ts';
import { senderFor, settingsOf, type DeliveryDependencies } from './receipt-delivery.ts';

/**
 * Writes the order's line (who sent what to whom) into the channel that its community keeps as a log. The line notifies
 * no member and stays.
 */
export async function postLogLine(
  dependencies: DeliveryDependencies,
  { paymentId, orderId }: OutboxPayload<'order_logged'>,
): Promise<void> {
  const order = await findOrder(dependencies.store, orderId);
  if (order === null || order.erasedAtMs !== null) return;
  // The log may have been turned off since the receipt.
  const { logChat } = await settingsOf(dependencies.store, order);
  if (logChat === null) return;
  const view = logView(order, await linesOf(dependencies.store, paymentId), dependencies.baseUrl);
  const sender = senderFor(dependencies, order.transport);
  const onceKey = `logged:${paymentId}:${orderId}`;
  await sender.post({ chatId: logChat.id, onceKey, view, ringsRecipients: false, lifetimeSeconds: null });
}

/** Without words, because its readers may speak any language. The order already masks addresses. */
function logView(order: OrderRow, lines: readonly LineWithPayout[], baseUrl: string): View {
  const sum = `${formatUsdcForPeople(microUsdc(order.amountMicroUsdc))} USDC`;
  const { names, more } = cutNames(order.lines?.map(({ recipient }) => recipient) ?? [order.recipient]);
  const others = more === 0 ? '' : ` +${more}`;
  const spans = [{ text: `${order.userId} → ` }, strong(names.join(', ')), { text: `${others} · ` }, strong(sum)];
  const paid = lines.filter(({ line }) => order.lines !== null || order.txnId === null || line.txnId === order.txnId);
  const { openReceipt } = receiptTextsIn(null);
  const links = paid.map(({ line }) => ({
    name: order.lines?.[line.position]?.recipient ?? openReceipt(),
    url: receiptUrl(baseUrl, line.slug),
  }));
  return { state: 'ok', audience: 'everyone', paragraphs: [spans], actions: receiptLinks(links) };
}
