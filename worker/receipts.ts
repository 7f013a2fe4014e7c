import { canonicalAddress } from '../core/networks.ts';
import { receiptUrl } from '../core/payments/answers.ts';
import { microUsdc } from '../core/money.ts';
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
import type { Store } from '../db/store/store.ts';
import { askForPaidTwice, isPaidTwice, postPaidTwice } from './paid-twice.ts';
import { deliverReceipt, type DeliveryDependencies } from './receipt-delivery.ts';
import { postLogLine } from './receipt-log.ts';
import { isWithdrawalNotice, postWithdrawalNotice } from './withdrawal-notices.ts';

/**
 * Tells the chat that sent a payment what became of it: once when it settled (for all of its lines), when a name that
 * was looked up afterwards was found, when the recipient was paid or had collected it, and when it came back. The key
 * is `settled:{payment}`, `resolved:{payment}:{line}` or `paid:{payout}`. A refund is a payout too and may end several
 * lines, each with its own chat; each line then becomes its own job, `{key}:{line}`. Where the community keeps a log,
 * the first receipt asks for `logged:{payment}:{order}`. A payment that no chat sent has no receipt here.
 */
export async function postReceipts(dependencies: DeliveryDependencies, key: string): Promise<void> {
  const [event, id, txnId] = key.split(':');
  if (id === undefined) throw new Error(`a receipt key is event:id, found ${key}`);
  if (event === 'logged') return postLogLine(dependencies, key);
  if (isPaidTwice(key)) return postPaidTwice(dependencies, key);
  if (isWithdrawalNotice(key)) return postWithdrawalNotice(dependencies, key);
  if (event === 'paid' && txnId === undefined) await askForPaidTwice(dependencies, id);
  const lines = event === 'paid' ? await linesOfPayout(dependencies.store, id) : await linesOf(dependencies.store, id);
  const meant = lines.filter(({ line }) => txnId === undefined || String(line.txnId) === txnId);
  if (event === 'settled' && (await postSeveral(dependencies, key, meant))) return;
  const [only, ...others] = await ofChats(dependencies, meant);
  if (!only) return;
  if (others.length === 0) return postLine(dependencies, key, only);
  await askForEach(dependencies, key, [only, ...others]);
}

/** Most payments with many lines come from no chat. */
async function ofChats({ store }: DeliveryDependencies, lines: readonly LineWithPayout[]): Promise<LineWithPayout[]> {
  const found: LineWithPayout[] = [];
  for (const line of lines) if ((await findTip(store, line)) !== null) found.push(line);
  return found;
}

/**
 * Each line may belong to another chat. A chat that does not answer must not delay the others, nor make them show a
 * receipt twice.
 */
async function askForEach(
  { store, now }: DeliveryDependencies,
  key: string,
  lines: readonly LineWithPayout[],
): Promise<void> {
  await store.tx(async (db) => {
    for (const { line } of lines) await enqueue(db, store.tables, 'receipt', `${key}:${line.txnId}`, now());
  });
}

/** A tip for several people has one receipt when it settles. False where each line belongs to its own order. */
async function postSeveral(
  dependencies: DeliveryDependencies,
  key: string,
  lines: readonly LineWithPayout[],
): Promise<boolean> {
  const [first, ...others] = lines;
  const found = first && (await findTip(dependencies.store, first));
  if (!first || !found || found.order.lines === null) return false;
  const facts = (line: LineWithPayout) => factsOf(dependencies, found, line);
  const all = [await facts(first), ...(await Promise.all(others.map(facts)))] as const;
  await deliverReceipt(dependencies, {
    order: found.order,
    paymentId: found.payment.id,
    onceKey: key,
    view: severalReceiptView(all, found.order.language),
    isFirst: true,
    isToldElsewhere: false,
    mustBeHeard: all.some(concernsPayer),
  });
  return true;
}

async function postLine(dependencies: DeliveryDependencies, key: string, line: LineWithPayout): Promise<void> {
  const tip = await findTip(dependencies.store, line);
  if (tip === null) return;
  const facts = await factsOf(dependencies, tip, line);
  const isFirst = key.startsWith('settled:');
  const isTogether = isToldTogether(tip.order);
  await deliverReceipt(dependencies, {
    order: tip.order,
    paymentId: tip.payment.id,
    onceKey: `${key}:${line.line.txnId}`,
    view: receiptView(isFirst ? facts : { ...facts, note: null }, tip.order.language),
    isFirst,
    isToldElsewhere: isTogether && !isNews(key, facts),
    // For tips in one message, the bot's own answer already is the payer's receipt.
    mustBeHeard: concernsPayer(facts) && !(isFirst && isTogether),
  });
}

/** One message shows many tips: those of one order for several people, or all tips for one chat message. */
function isToldTogether({ lines, tippedMessageId }: OrderRow): boolean {
  return lines !== null || tippedMessageId !== null;
}

/** What that one message did not say. Telling each of a hundred recipients would post a hundred messages. */
function isNews(key: string, { status, wasCollected }: ReceiptFacts): boolean {
  return !key.startsWith('settled:') && (status !== 'paid' || wasCollected === true);
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
