import { canonicalAddress } from '../core/networks.ts';
import type { Failpoint } from '../core/failpoints.ts';
import type { Logger } from 'pino';
import { receiptUrl } from '../core/answers.ts';
import { microUsdc } from '../core/money.ts';
import { wireStatus } from '../core/states.ts';
import type { View } from '../core/view.ts';
import { onlyPayerTells, receiptView, type ReceiptFacts } from '../core/receipt-text.ts';
import { findOrder, findOrderByTxn, type OrderRow } from '../db/bot/orders.ts';
import { wasCollected, whyReturned } from '../db/notices/line-end.ts';
import { findPayment, linesOf, linesOfPayout, type LineWithPayout, type PaymentRow } from '../db/payments/find.ts';
import type { Store } from '../db/store.ts';

/** Posts into one kind of chat; the same key never shows twice, however often it is called. */
export type ChatSender = (message: { chatId: string; onceKey: string; view: View }) => Promise<void>;

export type ReceiptDependencies = {
  store: Store;
  baseUrl: string;
  log: Logger;
  senders: Readonly<Record<string, ChatSender>>;
  failpoint: (name: Failpoint) => void;
};

/**
 * Tells the chat that a payment came from what became of it: once when it settled, once when a name that was looked up
 * afterwards was found, once when the recipient was paid or had collected it, once when it came back. The key is
 * `settled:{payment}`, `resolved:{payment}:{line}` or `paid:{payout}`: a refund is a payout too, and may end several
 * lines, each for a chat of its own. A payment that no chat sent has nobody to tell.
 */
export async function postReceipts(dependencies: ReceiptDependencies, key: string): Promise<void> {
  const [event, id, txnId] = key.split(':');
  if (id === undefined) throw new Error(`a receipt key is event:id, found ${key}`);
  const lines = event === 'paid' ? await linesOfPayout(dependencies.store, id) : await linesOf(dependencies.store, id);
  const meant = lines.filter(({ line }) => txnId === undefined || String(line.txnId) === txnId);
  for (const line of meant) await postLine(dependencies, key, line);
}

async function postLine(dependencies: ReceiptDependencies, key: string, found: LineWithPayout): Promise<void> {
  const { store, senders, failpoint } = dependencies;
  const payment = await findPayment(store, found.line.paymentId);
  if (payment === null)
    throw new Error(`line ${found.line.txnId} names payment ${found.line.paymentId}, which is gone`);
  const order = await findOrderOf(store, payment, found.line.txnId);
  if (order === null) return;
  const send = senders[order.transport];
  if (send === undefined) throw new Error(`no sender for chats on ${order.transport}`);
  failpoint('receipt.before-post');
  const onceKey = `${key}:${found.line.txnId}`;
  const facts = await factsOf(dependencies, payment, found, order.recipient);
  await send({ chatId: order.chatId, onceKey, view: receiptView(facts) });
  failpoint('receipt.after-post');
}

/**
 * The order behind a payment: by the transaction id that its answer brought or, while that answer is still on its way,
 * by the idempotency key, which a bot sets to its order id. A stranger's key that happens to be an order id does not
 * count: the payer must be the order's wallet.
 */
async function findOrderOf(store: Store, payment: PaymentRow, txnId: number): Promise<OrderRow | null> {
  const byTxn = await findOrderByTxn(store, txnId);
  if (byTxn !== null || payment.idempotencyKey === null) return byTxn;
  const byKey = await findOrder(store, payment.idempotencyKey);
  return byKey !== null && canonicalAddress(byKey.network, byKey.payerAddress) === payment.payer ? byKey : null;
}

async function factsOf(
  { store, baseUrl }: ReceiptDependencies,
  payment: PaymentRow,
  { line, payout }: LineWithPayout,
  recipient: string,
): Promise<ReceiptFacts> {
  const status = wireStatus(line.status, payout?.status ?? null);
  return {
    amount: microUsdc(line.amountMicroUsdc),
    recipient,
    status,
    heldReason: payout?.heldReason ?? null,
    receiptUrl: receiptUrl(baseUrl, line.slug),
    transaction: payment.landedTransaction,
    claimUntil: status === 'pending_claim' ? new Date(line.expiresAtMs).toISOString() : null,
    onlyPayerTells: onlyPayerTells(line.platform),
    wasCollected: status === 'paid' && (await wasCollected(store, line.txnId)),
    returnedBecause: status === 'refunded' ? await whyReturned(store, line) : null,
  };
}
