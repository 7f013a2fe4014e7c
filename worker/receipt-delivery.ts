import type { Logger } from 'pino';
import { DEFAULT_SETTINGS, type CommunitySettings } from '../core/communities/community-settings.ts';
import type { PassPoint } from '../core/failpoints.ts';
import { canonicalAddress } from '../core/networks.ts';
import type { OutboxPayload } from '../core/outbox.ts';
import type { View } from '../core/view.ts';
import { findChatUser } from '../db/chats/users.ts';
import { readCommunitySettings } from '../db/communities/community-settings.ts';
import { findOrderByTaskPayment } from '../db/pay-links/pay-links.ts';
import { findPayment, type LineWithPayout, type PaymentRow } from '../db/payments/records/find.ts';
import { findOrder, findOrderByTxn, noteNews, type OrderRow } from '../db/tips/orders.ts';
import { countQuietly, forgetLine, tipsOfLine } from '../db/tips/quiet.ts';
import { enqueue } from '../db/store/outbox.ts';
import type { Store } from '../db/store/store.ts';
import { smallTipsView } from '../texts/receipts/receipt.ts';
import type { ChatPost, ChatSender, Told } from './chat/sender.ts';
import type { HolderMail } from './chat/holder-mails.ts';
import { NotYet } from './outbox/not-yet.ts';
import { Unserved } from './outbox/unserved.ts';

export type DeliveryDependencies = {
  store: Store;
  baseUrl: string;
  now: () => number;
  log: Logger;
  senders: Readonly<Record<string, ChatSender>>;
  /** How those are told whose name is an address. */
  mail: HolderMail | null;
  failpoint: PassPoint;
  /** Tells the bot that a message has to be shown once more; absent, it finds that by looking. */
  announceOrders?: (() => void) | undefined;
};

export type Receipt = {
  order: OrderRow;
  paymentId: string;
  onceKey: string;
  viewIn: (language: string | null) => View;
  /** The order's first receipt, which says that it was paid. */
  isFirst: boolean;
  /** The payer has to act on this money, and is notified where the order's own message does not do that. */
  mustBeHeard: boolean;
};

/**
 * One tip is one message: the bot's answer says it all, and is shown once more when something new became true. Besides it
 * come only messages that must notify: what the payer has to know. Each part may run twice.
 */
export async function deliverReceipt(dependencies: DeliveryDependencies, receipt: Receipt): Promise<void> {
  const { store } = dependencies;
  const { order, onceKey, isFirst, paymentId } = receipt;
  const passage = { sinceMs: dependencies.now(), network: order.network, payments: [paymentId] };
  const settings = await settingsOf(store, order);
  if (isFirst && settings.logChat !== null) await askForLogLine(dependencies, receipt);
  const sender = senderFor(dependencies, order.transport);
  dependencies.failpoint('receipt.before-post');
  if (isFirst && settings.receipts === 'reaction') await sender.react?.(order, { onceKey, otherwise: null });
  if (!isFirst && (await noteNews(store, order.id))) dependencies.announceOrders?.();
  if (receipt.mustBeHeard) await tellPayer(sender, receipt, settings);
  dependencies.failpoint('receipt.after-post', passage);
}

/** In their chat where they cannot be reached alone: once for a tip to several people, since others read along. */
async function tellPayer(sender: ChatSender, receipt: Receipt, settings: CommunitySettings): Promise<void> {
  const { order, onceKey, viewIn } = receipt;
  const here = () => viewIn(settings.language ?? order.language);
  if (!sender.tell) return sender.post(postOf({ order, onceKey, view: here() }, settings));
  const asked = sender.tell({ userId: order.userId, onceKey, view: viewIn(order.language) });
  if (await isTold(asked, onceKey)) return;
  const hereKey = order.lines === null ? onceKey : `payer:${order.id}`;
  await sender.post(postOf({ order, onceKey: hereKey, view: here() }, settings));
}

/** Rejects as long as the result is unknown. */
async function isTold(asked: Promise<Told>, onceKey: string): Promise<boolean> {
  const told = await asked;
  if (told === 'under-way') throw new NotYet(`${onceKey} is not told yet`);
  return told === 'told';
}

/** `userId`: a member of the order's community, who is told what was sent to them. */
export type Ring = Pick<Receipt, 'order' | 'onceKey'> & {
  userId: string;
  txnId: number;
  isSmall: boolean;
  inPrivate: (language: string | null) => Promise<View>;
  /** Null: nobody is notified in public. */
  here: (language: string | null) => Promise<View | null>;
};

/**
 * Notifies a recipient, once: in private where they talk to the bot, else where they were tipped, unless the community
 * wants no messages there. Who wants no message for each small tip gets one line for all of a day.
 */
export async function ringRecipient(dependencies: DeliveryDependencies, ring: Ring): Promise<void> {
  const { store, now } = dependencies;
  const { order, userId, txnId, onceKey } = ring;
  if (ring.isSmall && (await countQuietly(store, { txnId, userId, giverId: order.userId }, now()))) return;
  const sender = senderFor(dependencies, order.transport);
  const user = await findChatUser(store, userId);
  if (user !== null && sender.tell) {
    const asked = sender.tell({ userId, onceKey, view: await ring.inPrivate(user.language) });
    if (await isTold(asked, onceKey)) return;
  }
  const settings = await settingsOf(store, order);
  if (settings.receipts !== 'message') return;
  const view = await ring.here(settings.language ?? order.language);
  if (view === null) return;
  await sender.post({ ...postOf({ order, onceKey, view }, settings), ringsRecipients: true });
}

/** The line of a day, for a person who wants no message for each small tip. Whom nobody can reach alone is not told. */
export async function postSmallTips(
  dependencies: DeliveryDependencies,
  { lineId }: OutboxPayload<'small_tips_due'>,
): Promise<void> {
  const { store } = dependencies;
  const tips = await tipsOfLine(store, lineId);
  const [first] = tips;
  if (first !== undefined) {
    const { userId } = first;
    const user = await findChatUser(store, userId);
    const sender = senderFor(dependencies, userId.slice(0, userId.indexOf(':')));
    const onceKey = `small:${lineId}`;
    dependencies.failpoint('receipt.before-post');
    if (sender.tell)
      await isTold(sender.tell({ userId, onceKey, view: smallTipsView(tips, user?.language ?? null) }), onceKey);
    dependencies.failpoint('receipt.after-post');
  }
  // Only now: a crash before this line tells it again under the same key, which shows it once.
  await forgetLine(store, lineId);
}

/** The log line is an event of its own, so that a community whose log channel is gone still gets its receipts. */
function askForLogLine({ store, now }: DeliveryDependencies, { order, paymentId }: Receipt): Promise<number | null> {
  return store.tx((db) => enqueue(db, store.tables, 'order_logged', { paymentId, orderId: order.id }, now()));
}

function postOf(
  { order, onceKey, view }: Pick<Receipt, 'order' | 'onceKey'> & { view: View },
  settings: CommunitySettings,
): ChatPost {
  const { messageLifetimeSeconds: lifetimeSeconds } = settings;
  return { chatId: order.chatId, onceKey, view, ringsRecipients: false, lifetimeSeconds };
}

/** The settings of the order's community. A direct chat has the defaults. */
export async function settingsOf(store: Store, { transport, communityId }: OrderRow): Promise<CommunitySettings> {
  return communityId === null ? DEFAULT_SETTINGS : readCommunitySettings(store, { transport, communityId });
}

export function senderFor({ senders }: Pick<DeliveryDependencies, 'senders'>, transport: string): ChatSender {
  const sender = senders[transport];
  if (sender === undefined) throw new Unserved(`chats on ${transport}`);
  return sender;
}

export type Tip = { payment: PaymentRow; order: OrderRow };

/** Null for a payment that no chat sent, or whose chat is forgotten. */
export async function findTip(store: Store, { line }: Pick<LineWithPayout, 'line'>): Promise<Tip | null> {
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
