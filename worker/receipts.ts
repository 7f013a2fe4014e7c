import { SMALL_TIP_MICRO_USDC } from '../core/chats/small-tips.ts';
import { receiptUrl } from '../core/payments/answers.ts';
import { isTreasuryWallet } from '../core/treasury/treasury.ts';
import type { ChatTopic, OutboxHandlers } from '../core/outbox.ts';
import type { Action } from '../core/view.ts';
import {
  noticeButtons,
  noticeLabel,
  noticeView,
  receiptView,
  recipientView,
  toReceiptFacts,
  type NoticeButton,
  type ReceiptFacts,
} from '../texts/receipts/receipt.ts';
import { createLastingButton } from '../db/chats/buttons.ts';
import { isMerged } from '../db/chats/rushes.ts';
import { isAccepted } from '../db/tips/accepted.ts';
import type { OrderRow } from '../db/tips/orders.ts';
import { isFirstForMessage } from '../db/tips/summaries.ts';
import { lineFacts } from '../db/notices/line-facts.ts';
import { linesOf, linesOfPayout, type LineWithPayout } from '../db/payments/records/find.ts';
import { enqueue } from '../db/store/outbox.ts';
import type { Db, Store } from '../db/store/store.ts';
import { askForPaidTwice, postPaidTwice } from './paid-twice.ts';
import { postClosingNotice } from './closing-notices.ts';
import {
  deliverReceipt,
  findTip,
  postSmallTips,
  ringRecipient,
  senderFor,
  type DeliveryDependencies,
  type Tip,
} from './receipt-delivery.ts';
import { askForRewarded, postRewarded } from './chat/reward-notices.ts';
import { postLogLine, postReport, postReportNotice } from './receipt-log.ts';
import {
  notifyHolders,
  notifyOfHolder,
  notifyOfPasskey,
  notifyOfTreasuryAddress,
  postHolderNotice,
  postPasskeyNotice,
  postTreasuryNotice,
  postWithdrawalNotice,
} from './holder-notices.ts';

/**
 * Tells the chat that sent a payment what became of it: when it settled, when a name that was looked up afterwards was
 * found, when the recipient was paid or had collected it, and when it came back. The tip's own message says it. A refund
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
    line_rewarded: (payload) =>
      postRewarded({ ...dependencies, senderOf: (transport) => senderFor(dependencies, transport) }, payload),
    order_logged: (payload) => postLogLine(dependencies, payload),
    payment_reported: (payload) => postReport(dependencies, payload),
    report_notice: (payload) => postReportNotice(dependencies, payload),
    link_paid_twice: ({ fact }) => postPaidTwice(dependencies, fact),
    small_tips_due: (payload) => postSmallTips(dependencies, payload),
    withdrawal_requested: ({ withdrawalId }) => notifyHolders(dependencies, withdrawalId),
    withdrawal_notice: (payload) => postWithdrawalNotice(dependencies, payload),
    holder_added: (payload) => notifyOfHolder(dependencies, payload),
    holder_notice: (payload) => postHolderNotice(dependencies, payload),
    treasury_address_set: (payload) => notifyOfTreasuryAddress(dependencies, payload),
    treasury_address_notice: (payload) => postTreasuryNotice(dependencies, payload),
    passkey_changed: (payload) => notifyOfPasskey(dependencies, payload),
    passkey_notice: (payload) => postPasskeyNotice(dependencies, payload),
    closing_notice: (payload) => postClosingNotice(dependencies, payload),
  };
}

/** What a line's receipt is about; `id` names the payment, or the payout. */
type Cause = { kind: 'settled' | 'resolved' | 'paid'; id: string };

async function postSettled(dependencies: DeliveryDependencies, paymentId: string): Promise<void> {
  const lines = await linesOf(dependencies.store, paymentId);
  const { tables } = dependencies.store;
  await askForRewarded(dependencies, paymentId, lines);
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

/** A single line is posted at once; of several, each becomes an event of its own. */
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

async function postLine(dependencies: DeliveryDependencies, cause: Cause, line: LineWithPayout): Promise<void> {
  const tip = await findTip(dependencies.store, line);
  if (tip === null) return;
  const facts = await factsOf(dependencies, tip, line);
  const { order } = tip;
  const onceKey = `${cause.kind}:${cause.id}:${line.line.txnId}`;
  // Of several lines, the first stands for their order, unless its message says that nothing was paid.
  const isLate = cause.kind === 'settled' && order.status === 'failed';
  if (cause.kind !== 'settled' || line.line.position === 0 || order.lines === null || isLate) {
    await deliverReceipt(dependencies, {
      order,
      paymentId: tip.payment.id,
      onceKey,
      viewIn: (language) => receiptView({ ...facts, note: null }, language),
      isFirst: cause.kind === 'settled',
      // Nobody's phone rings for a community's money: the message of its drop says it.
      mustBeHeard: !isTreasuryWallet(order.walletId) && (isLate || concernsPayer(cause, facts)),
    });
  }
  if (cause.kind === 'settled' && isRung(tip, line)) await ring(dependencies, tip, { line, facts, onceKey });
}

type Rung = { line: LineWithPayout; facts: TipFacts; onceKey: string };

async function ring(dependencies: DeliveryDependencies, { order }: Tip, { line, facts, onceKey }: Rung): Promise<void> {
  const { txnId } = line.line;
  const giver = isTreasuryWallet(order.walletId) ? null : order.userId;
  const tip = { txnId, userId: facts.recipient, facts };
  await ringRecipient(dependencies, {
    order,
    onceKey: `ring:${onceKey}`,
    userId: facts.recipient,
    txnId,
    isSmall: facts.amount < SMALL_TIP_MICRO_USDC,
    inPrivate: async (language) => {
      const buttons = noticeButtons(facts, { ...facts, isQuiet: false });
      const actions = await buttonsOf(dependencies, { ...tip, language }, buttons);
      const view = recipientView(facts, giver, language);
      return { ...view, actions: [...actions, ...view.actions] };
    },
    here: async (language) => {
      if (!(await isRungHere(dependencies.store, order))) return null;
      const isHidden = senderFor(dependencies, order.transport).hidesGiver?.(order) === true;
      const view = noticeView(facts, isHidden ? null : giver, language);
      // What others may see somebody choose.
      const buttons = noticeButtons(facts, facts).filter((one) => one === 'keep_tip' || one === 'read_note');
      return { ...view, actions: [...(await buttonsOf(dependencies, { ...tip, language }, buttons)), ...view.actions] };
    },
  });
}

/**
 * A hundred tips must not become a hundred messages for everyone: a rush names its recipients when it closes, and of those
 * for one message the first rings, while the summary counts the others.
 */
async function isRungHere(store: Store, order: OrderRow): Promise<boolean> {
  if (order.lines !== null || !(await isFirstForMessage(store, order))) return false;
  return !(await isMerged(store, { transport: order.transport, key: order.messageId }));
}

type Noticed = { txnId: number; userId: string; facts: ReceiptFacts; language: string | null };

/** The recipient's alone, and the same however often the notice is shown. */
function buttonsOf(
  { store, now }: DeliveryDependencies,
  { txnId, userId, facts, language }: Noticed,
  buttons: readonly NoticeButton[],
): Promise<Action[]> {
  const one = async (button: NoticeButton): Promise<Action> => {
    const action = button === 'quiet_small' ? { action: button } : { action: button, txnId };
    const name = `notice:${String(txnId)}`;
    const id = await createLastingButton(store, { name, userId, action, nowMs: now() });
    return { kind: 'button', label: noticeLabel(button, facts, language), id };
  };
  return Promise.all(buttons.map(one));
}

/** A member who reads along, and whose money is not on its way back. */
function isRung({ order }: Tip, { line }: LineWithPayout): boolean {
  const isMember = order.communityId !== null && line.platform === order.transport;
  return isMember && line.status !== 'returning' && line.status !== 'void';
}

/**
 * Events for which an edit of the tip's message would not notify: money came back that its payer did not take back, or a
 * name was found whose owner hears of it from the payer alone.
 */
function concernsPayer({ kind }: Cause, { status, returnedBecause, onlyPayerTells }: ReceiptFacts): boolean {
  if (kind === 'resolved') return status === 'pending_claim' && onlyPayerTells === true;
  return kind === 'paid' && status === 'refunded' && returnedBecause !== 'taken_back';
}

/** `isAccepted`: the recipient knows this giver. */
type TipFacts = ReceiptFacts & { isAccepted: boolean };

async function factsOf(
  { store, baseUrl }: DeliveryDependencies,
  { order }: Tip,
  line: LineWithPayout,
): Promise<TipFacts> {
  const now = await lineFacts(store, line);
  const recipient = order.lines?.[now.position]?.recipient ?? order.recipient;
  const isKnown = await isAccepted(store, { userId: recipient, giverId: order.userId });
  const page = receiptUrl(baseUrl, line.line.slug);
  return {
    ...toReceiptFacts({ line: now, order, receiptUrl: page, isAccepted: isKnown }),
    isAccepted: isKnown,
  };
}
