import { canonicalAddress } from '../core/networks.ts';
import { receiptUrl } from '../core/payments/answers.ts';
import { microUsdc } from '../core/money.ts';
import type { ChatTopic, OutboxHandlers } from '../core/outbox.ts';
import { wireStatus } from '../core/states.ts';
import { onlyPayerTells, receiptView, type ReceiptFacts } from '../texts/receipts/receipt.ts';
import { severalReceiptView } from '../texts/receipts/several.ts';
import { findOrder, findOrderByTxn, type OrderRow } from '../db/tips/orders.ts';
import { findOrderByTaskPayment } from '../db/pay-links/pay-links.ts';
import { wasCollected, whyReturned } from '../db/notices/line-end.ts';
import {
  findPayment,
  linesOf,
  linesOfPayout,
  type LineWithPayout,
  type PaymentRow,
} from '../db/payments/records/find.ts';
import { enqueue } from '../db/store/outbox.ts';
import type { Db, Store } from '../db/store/store.ts';
import { askForPaidTwice, postPaidTwice } from './paid-twice.ts';
import { deliverReceipt, type DeliveryDependencies } from './receipt-delivery.ts';
import { postLogLine } from './receipt-log.ts';
import { notifyHolders, notifyOfHolder, postHolderNotice, postWithdrawalNotice } from './holder-notices.ts';

/**
 * Tells the chat that sent a payment what became of it: once when it settled (for all of its lines), when a name that
 * was looked up afterwards was found, when the recipient was paid or had collected it, and when it came back. A refund
 * is a payout too and may end several lines, each with its own chat. A payment that no chat sent has no receipt here.
 */
export function receiptHandlers(dependencies: DeliveryDependencies): OutboxHandlers<ChatTopic> {
  const { store } = dependencies;
  return {
    payment_settled: ({ paymentId }) => postSettled(dependencies, paymentId),
    line_settled: async ({ paymentId, txnId }) =>
      postOne(dependencies, { kind: 'settled', id: paymentId }, await linesOf(store, paymentId), txnId),
    line_resolved: async ({ paymentId, txnId }) =>
      postOne(dependencies, { kind: 'resolved', id: paymentId }, await linesOf(store, paymentId), txnId),
    payout_landed: ({ payoutId }) => postLanded(dependencies, payoutId),
    line_paid: async ({ payoutId, txnId }) =>
      postOne(dependencies, { kind: 'paid', id: payoutId }, await linesOfPayout(store, payoutId), txnId),
    order_logged: (payload) => postLogLine(dependencies, payload),
    link_paid_twice: ({ fact }) => postPaidTwice(dependencies, fact),
    withdrawal_requested: ({ withdrawalId }) => notifyHolders(dependencies, withdrawalId),
    withdrawal_notice: (payload) => postWithdrawalNotice(dependencies, payload),
    holder_added: (payload) => notifyOfHolder(dependencies, payload),
    holder_notice: (payload) => postHolderNotice(dependencies, payload),
  };
}

/** What a line's receipt is about; `id` names the payment, or the payout. */
type Cause = { kind: 'settled' | 'resolved' | 'paid'; id: string };

async function postSettled(dependencies: DeliveryDependencies, paymentId: string): Promise<void> {
  const lines = await linesOf(dependencies.store, paymentId);
  if (await postSeveral(dependencies, paymentId, lines)) return;
  const { tables } = dependencies.store;
  await postEach(dependencies, { kind: 'settled', id: paymentId }, lines, (db, txnId) =>
    enqueue(db, tables, 'line_settled', { paymentId, txnId }, dependencies.now()),
  );
}

async function postLanded(dependencies: DeliveryDependencies, payoutId: string): Promise<void> {
  await askForPaidTwice(dependencies, payoutId);
  const lines = await linesOfPayout(dependencies.store, payoutId);
  const { tables } = dependencies.store;
  await postEach(dependencies, { kind: 'paid', id: payoutId }, lines, (db, txnId) =>
    enqueue(db, tables, 'line_paid', { payoutId, txnId }, dependencies.now()),
  );
}

/** A single line is posted at once; of several each becomes an event of its own. */
async function postEach(
  dependencies: DeliveryDependencies,
  cause: Cause,
  lines: readonly LineWithPayout[],
  ask: (db: Db, txnId: number) => Promise<unknown>,
): Promise<void> {
  const [only, ...others] = await ofChats(dependencies, lines);
  if (!only) return;
  if (others.length === 0) return postLine(dependencies, cause, only);
  await dependencies.store.tx(async (db) => {
    for (const { line } of [only, ...others]) await ask(db, line.txnId);
  });
}

async function postOne(
  dependencies: DeliveryDependencies,
  cause: Cause,
  lines: readonly LineWithPayout[],
  txnId: number,
): Promise<void> {
  const meant = lines.find(({ line }) => line.txnId === txnId);
  if (meant !== undefined) await postLine(dependencies, cause, meant);
}

/** Most payments with many lines come from no chat. */
async function ofChats({ store }: DeliveryDependencies, lines: readonly LineWithPayout[]): Promise<LineWithPayout[]> {
  const found: LineWithPayout[] = [];
  for (const line of lines) if ((await findTip(store, line)) !== null) found.push(line);
  return found;
}

/** A tip for several people has one receipt when it settles. False where each line belongs to its own order. */
async function postSeveral(
  dependencies: DeliveryDependencies,
  paymentId: string,
  lines: readonly LineWithPayout[],
): Promise<boolean> {
  const [first, ...others] = lines;
  const found = first && (await findTip(dependencies.store, first));
  if (!first || !found || found.order.lines === null) return false;
  const facts = (line: LineWithPayout) => factsOf(dependencies, found, line);
  const all = [await facts(first), ...(await Promise.all(others.map(facts)))] as const;
  await deliverReceipt(dependencies, {
    order: found.order,
    paymentId,
    onceKey: `settled:${paymentId}`,
    view: severalReceiptView(all, found.order.language),
    isFirst: true,
    isToldElsewhere: false,
    mustBeHeard: all.some(concernsPayer),
  });
  return true;
}

async function postLine(dependencies: DeliveryDependencies, cause: Cause, line: LineWithPayout): Promise<void> {
  const tip = await findTip(dependencies.store, line);
  if (tip === null) return;
  const facts = await factsOf(dependencies, tip, line);
  const isFirst = cause.kind === 'settled';
  const isTogether = isToldTogether(tip.order);
  await deliverReceipt(dependencies, {
    order: tip.order,
    paymentId: tip.payment.id,
    onceKey: `${cause.kind}:${cause.id}:${line.line.txnId}`,
    view: receiptView(isFirst ? facts : { ...facts, note: null }, tip.order.language),
    isFirst,
    isToldElsewhere: isTogether && !isNews(cause, facts),
    // For tips in one message, the bot's own answer already is the payer's receipt.
    mustBeHeard: concernsPayer(facts) && !(isFirst && isTogether),
  });
}

/** One message shows many tips: those of one order for several people, or all tips for one chat message. */
function isToldTogether({ lines, tippedMessageId }: OrderRow): boolean {
  return lines !== null || tippedMessageId !== null;
}

/** What that one message did not say. Telling each of a hundred recipients would post a hundred messages. */
function isNews({ kind }: Cause, { status, wasCollected }: ReceiptFacts): boolean {
  return kind !== 'settled' && (status !== 'paid' || wasCollected === true);
}

/** The money came back, was collected, or waits where only the payer can tell the recipient. */
function concernsPayer({ status, wasCollected, onlyPayerTells: isPayersToTell }: ReceiptFacts): boolean {
  if (status === 'pending_claim') return isPayersToTell === true;
  return status === 'refunded' || wasCollected === true;
}

type Tip = { payment: PaymentRow; order: OrderRow };

/** Null for a payment that no chat sent, or whose chat is forgotten. */
async function findTip(store: Store, { line }: LineWithPayout): Promise<Tip | null> {
  const payment = await findPayment(store, line.paymentId);
  if (payment === null) throw new Error(`line ${line.txnId} names payment ${line.paymentId}, which is gone`);
  const order = await findOrderOf(store, payment, line.txnId);
  // A member who had their tips erased gets no more messages about them.
  return order === null || order.erasedAtMs !== null ? null : { payment, order };
}

/**
 * The order behind a payment: by the transaction id in its answer or, before that answer arrives, by the idempotency
 * key, which a bot sets to its order id. A stranger's key may equal an order id, so the payer must be the order's
 * wallet. Anyone may pay a pay link, so there only its task names the order.
 */
async function findOrderOf(store: Store, payment: PaymentRow, txnId: number): Promise<OrderRow | null> {
  const byTxn = await findOrderByTxn(store, txnId);
  if (byTxn !== null) return byTxn;
  const byKey = payment.idempotencyKey === null ? null : await findOrder(store, payment.idempotencyKey);
  const isPayers = byKey !== null && canonicalAddress(byKey.network, byKey.payerAddress) === payment.payer;
  return isPayers ? byKey : findOrderByTaskPayment(store, payment.id);
}

async function factsOf(
  { store, baseUrl }: DeliveryDependencies,
  { payment, order }: Tip,
  { line, payout }: LineWithPayout,
): Promise<ReceiptFacts> {
  const status = wireStatus(line.status, payout?.status ?? null);
  // The recipient is a member of the same community. Others, such as an e-mail recipient, may have been sent a note
  // that is for them alone.
  const readsAlong = order.communityId !== null && line.platform === order.transport;
  return {
    amount: microUsdc(line.amountMicroUsdc),
    recipient: order.lines?.[line.position]?.recipient ?? order.recipient,
    status,
    heldReason: payout?.heldReason ?? null,
    receiptUrl: receiptUrl(baseUrl, line.slug),
    transaction: payment.landedTransaction,
    claimUntil: status === 'pending_claim' ? new Date(line.expiresAtMs).toISOString() : null,
    onlyPayerTells: onlyPayerTells(line.platform),
    collectsHere: readsAlong,
    note: readsAlong ? noteOf(order) : null,
    wasCollected: status === 'paid' && (await wasCollected(store, line.txnId)),
    returnedBecause: status === 'refunded' ? await whyReturned(store, line) : null,
  };
}

function noteOf({ body }: OrderRow): string | null {
  const { description } = body;
  return typeof description === 'string' ? description : null;
}
