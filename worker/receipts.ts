import { canonicalAddress } from '../core/networks.ts';
import type { Failpoint } from '../core/failpoints.ts';
import type { Logger } from 'pino';
import { receiptUrl } from '../core/answers.ts';
import { microUsdc } from '../core/money.ts';
import { wireStatus } from '../core/states.ts';
import type { View } from '../core/view.ts';
import { onlyPayerTells, receiptView, type ReceiptFacts } from '../core/receipt-text.ts';
import { severalReceiptView } from '../core/several-receipt.ts';
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
 * Tells the chat that a payment came from what became of it: once when it settled, for all of its lines, once when a name that was looked up
 * afterwards was found, once when the recipient was paid or had collected it, once when it came back. The key is
 * `settled:{payment}`, `resolved:{payment}:{line}` or `paid:{payout}`: a refund is a payout too, and may end several
 * lines, each for a chat of its own. A payment that no chat sent has nobody to tell.
 */
export async function postReceipts(dependencies: ReceiptDependencies, key: string): Promise<void> {
  const [event, id, txnId] = key.split(':');
  if (id === undefined) throw new Error(`a receipt key is event:id, found ${key}`);
  const lines = event === 'paid' ? await linesOfPayout(dependencies.store, id) : await linesOf(dependencies.store, id);
  const meant = lines.filter(({ line }) => txnId === undefined || String(line.txnId) === txnId);
  if (event === 'settled' && (await postSeveral(dependencies, key, meant))) return;
  for (const line of meant) await postLine(dependencies, key, line);
}

/** A tip for several people has one receipt when it settles. False where each line belongs to an order of its own. */
async function postSeveral(
  dependencies: ReceiptDependencies,
  key: string,
  lines: readonly LineWithPayout[],
): Promise<boolean> {
  const [first, ...others] = lines;
  const found = first && (await findTip(dependencies.store, first));
  if (!first || !found || found.order.lines === null) return false;
  const facts = (line: LineWithPayout) => factsOf(dependencies, found, line);
  const all = [await facts(first), ...(await Promise.all(others.map(facts)))] as const;
  await post(dependencies, found.order, key, severalReceiptView(all, found.order.language));
  return true;
}

async function postLine(dependencies: ReceiptDependencies, key: string, line: LineWithPayout): Promise<void> {
  const tip = await findTip(dependencies.store, line);
  if (tip === null) return;
  const facts = await factsOf(dependencies, tip, line);
  if (isToldTogether(tip.order) && !isNews(key, facts)) return;
  await post(dependencies, tip.order, `${key}:${line.line.txnId}`, receiptView(facts, tip.order.language));
}

/** One message stands for many tips: of several people, or to one message of somebody. */
function isToldTogether({ lines, tippedMessageId }: OrderRow): boolean {
  return lines !== null || tippedMessageId !== null;
}

/** What that one message did not say: a hundred people to whom it just went would be a hundred messages. */
function isNews(key: string, { status, wasCollected }: ReceiptFacts): boolean {
  return !key.startsWith('settled:') && (status !== 'paid' || wasCollected === true);
}

async function post(
  { senders, failpoint }: ReceiptDependencies,
  { transport, chatId }: OrderRow,
  onceKey: string,
  view: View,
): Promise<void> {
  const send = senders[transport];
  if (send === undefined) throw new Error(`no sender for chats on ${transport}`);
  failpoint('receipt.before-post');
  await send({ chatId, onceKey, view });
  failpoint('receipt.after-post');
}

type Tip = { payment: PaymentRow; order: OrderRow };

/** Null for a payment that no chat sent, or whose chat is forgotten. */
async function findTip(store: Store, { line }: LineWithPayout): Promise<Tip | null> {
  const payment = await findPayment(store, line.paymentId);
  if (payment === null) throw new Error(`line ${line.txnId} names payment ${line.paymentId}, which is gone`);
  const order = await findOrderOf(store, payment, line.txnId);
  // Whoever had his tips erased wants to hear nothing more of them.
  return order === null || order.erasedAtMs !== null ? null : { payment, order };
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
  { payment, order }: Tip,
  { line, payout }: LineWithPayout,
): Promise<ReceiptFacts> {
  const status = wireStatus(line.status, payout?.status ?? null);
  return {
    amount: microUsdc(line.amountMicroUsdc),
    recipient: order.lines?.[line.position]?.recipient ?? order.recipient,
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
