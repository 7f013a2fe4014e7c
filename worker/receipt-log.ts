import { formatUsdcForPeople, microUsdc } from '../core/money.ts';
import type { Language } from '../core/languages.ts';
import type { OutboxPayload } from '../core/outbox.ts';
import { treasuryWalletOf } from '../core/treasury/treasury.ts';
import { findChatUser } from '../db/chats/users.ts';
import { payerAccountId } from '../db/ledger/payer-account.ts';
import { findReport, type ReportRow } from '../db/reports/reports.ts';
import { enqueue } from '../db/store/outbox.ts';
import type { Store } from '../db/store/store.ts';
import { decidersOf } from '../db/treasury/treasury-deciders.ts';
import { nameIn, receiptTextsIn } from '../texts/receipts/languages.ts';
import { receiptUrl } from '../core/payments/answers.ts';
import { cutNames, receiptLinks } from '../texts/receipts/several.ts';
import { reportNotice } from '../texts/receipts/report-notice.ts';
import { strong, type View } from '../core/view.ts';
import { findOrder, type OrderRow } from '../db/tips/orders.ts';
import { findLine, linesOf, type LineRow, type LineWithPayout } from '../db/payments/records/find.ts';
import { NotYet } from './outbox/not-yet.ts';
import { findTip, senderFor, settingsOf, type DeliveryDependencies } from './receipt-delivery.ts';

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
  const { logChat, language } = await settingsOf(dependencies.store, order);
  if (logChat === null) return;
  const view = logView(order, await linesOf(dependencies.store, paymentId), { ...dependencies, language });
  const sender = senderFor(dependencies, order.transport);
  const onceKey = `logged:${paymentId}:${orderId}`;
  await sender.post({ chatId: logChat.id, onceKey, view, ringsRecipients: false, lifetimeSeconds: null });
}

type LogWords = Pick<DeliveryDependencies, 'baseUrl'> & { language: Language | null };

/** Without words but on its links, because its readers may speak any language. The order already masks addresses. */
function logView(order: OrderRow, lines: readonly LineWithPayout[], { baseUrl, language }: LogWords): View {
  const sum = `${formatUsdcForPeople(microUsdc(order.amountMicroUsdc))} USDC`;
  const { names, more } = cutNames(order.lines?.map(({ recipient }) => recipient) ?? [order.recipient]);
  const others = more === 0 ? '' : ` +${more}`;
  const spans = [
    { text: `${order.userId} → ` },
    strong(names.map(nameIn(language)).join(', ')),
    { text: `${others} · ` },
    strong(sum),
  ];
  const paid = lines.filter(({ line }) => order.lines !== null || order.txnId === null || line.txnId === order.txnId);
  const { openReceipt } = receiptTextsIn(language);
  const links = paid.map(({ line }) => ({
    name: order.lines?.[line.position]?.recipient ?? openReceipt(),
    url: receiptUrl(baseUrl, line.slug),
  }));
  return {
    state: 'ok',
    audience: 'everyone',
    paragraphs: [spans],
    actions: receiptLinks(links, { transport: order.transport, language }),
  };
}

/** More members than decide about any community's money. */
const MODERATORS_MAX = 20;

/**
 * Tells those who moderate the community that a reported payment came from: in the log that they keep, else each member
 * who has decided about its money. The sender is left out, also as one of them; so is everyone where nobody is known,
 * and then the report is the operator's alone.
 */
export async function postReport(
  dependencies: DeliveryDependencies,
  { reportId }: OutboxPayload<'payment_reported'>,
): Promise<void> {
  const { store, now } = dependencies;
  const found = await findReported(store, reportId, now());
  if (found === null) return;
  const { logChat, language } = await settingsOf(store, found.order);
  if (logChat !== null) {
    const view = viewOf(dependencies, found, language ?? found.order.language);
    const onceKey = `reported:${reportId}`;
    const post = { chatId: logChat.id, onceKey, view, ringsRecipients: false, lifetimeSeconds: null };
    return senderFor(dependencies, found.order.transport).post(post);
  }
  const moderators = await moderatorsOf(store, found.order);
  await store.tx(async (db) => {
    for (const userId of moderators)
      await enqueue(db, store.tables, 'report_notice', { reportId, toldTo: payerAccountId(userId) }, now());
  });
}

/** One of them, alone. */
export async function postReportNotice(
  dependencies: DeliveryDependencies,
  { reportId, toldTo }: OutboxPayload<'report_notice'>,
): Promise<void> {
  const { store, now } = dependencies;
  const found = await findReported(store, reportId, now());
  if (found === null) return;
  const userId = (await moderatorsOf(store, found.order)).find((id) => payerAccountId(id) === toldTo);
  if (userId === undefined) return;
  const user = await findChatUser(store, userId);
  const view = viewOf(dependencies, found, user?.language ?? null);
  const onceKey = `reported:${reportId}:${toldTo}`;
  const told = await senderFor(dependencies, found.order.transport).tell?.({ userId, onceKey, view });
  if (told === 'under-way') throw new NotYet(`${onceKey} is not shown yet`);
}

type FoundReport = { report: ReportRow; line: LineRow; order: OrderRow };

/** Null where it came from no community, or where nothing is left to look at. */
async function findReported(store: Store, reportId: string, nowMs: number): Promise<FoundReport | null> {
  const report = await findReport(store, reportId);
  if (report === null || report.closedAtMs !== null) return null;
  const reported = await findLine(store, Number(report.subject), nowMs);
  const tip = reported === null ? null : await findTip(store, reported);
  if (reported === null || tip === null || tip.order.communityId === null) return null;
  return { report, line: reported.line, order: tip.order };
}

async function moderatorsOf(store: Store, { transport, communityId, userId }: OrderRow): Promise<string[]> {
  const walletId = communityId === null ? null : treasuryWalletOf({ transport, communityId });
  const deciders = walletId === null ? [] : await decidersOf(store, walletId, MODERATORS_MAX);
  return deciders.filter((id) => id !== userId);
}

function viewOf(
  { baseUrl }: DeliveryDependencies,
  { report, line, order }: FoundReport,
  language: string | null,
): View {
  const facts = {
    giver: order.userId,
    recipient: order.lines?.[line.position]?.recipient ?? order.recipient,
    amount: microUsdc(line.amountMicroUsdc),
    reason: report.reason,
    receiptUrl: receiptUrl(baseUrl, line.slug),
  };
  return reportNotice(facts, language);
}
