import type { Logger } from 'pino';
import { DEFAULT_SETTINGS, type CommunitySettings } from '../core/communities/community-settings.ts';
import type { Failpoint } from '../core/failpoints.ts';
import type { View } from '../core/view.ts';
import { readCommunitySettings } from '../db/communities/community-settings.ts';
import type { OrderRow } from '../db/tips/orders.ts';
import { enqueue } from '../db/store/outbox.ts';
import type { Store } from '../db/store/store.ts';
import type { ChatPost, ChatSender } from './chat/sender.ts';
import { Unserved } from './outbox/unserved.ts';

export type DeliveryDependencies = {
  store: Store;
  baseUrl: string;
  now: () => number;
  log: Logger;
  senders: Readonly<Record<string, ChatSender>>;
  failpoint: (name: Failpoint) => void;
};

export type Receipt = {
  order: OrderRow;
  paymentId: string;
  onceKey: string;
  view: View;
  /** The order's first receipt, which says that it was paid. */
  isFirst: boolean;
  /** Another message has already said it, in communities whose receipts are messages. */
  isToldElsewhere: boolean;
  /** The payer is told even where the community wants no messages, because the payer has to look after this money. */
  mustBeHeard: boolean;
};

/**
 * Shows a receipt in the way that its community has chosen. Where the community wants no messages, only the payer is
 * told, and only what the payer must know. Each part may run twice.
 */
export async function deliverReceipt(dependencies: DeliveryDependencies, receipt: Receipt): Promise<void> {
  const { order, onceKey, view, isFirst } = receipt;
  const settings = await settingsOf(dependencies.store, order);
  if (isFirst && settings.logChat !== null) await askForLogLine(dependencies, receipt);
  const sender = senderFor(dependencies, order.transport);
  const post = postOf(receipt, settings);
  const otherwise = receipt.isToldElsewhere ? null : post;
  dependencies.failpoint('receipt.before-post');
  if (settings.receipts === 'message') {
    if (otherwise !== null) await sender.post(otherwise);
  } else {
    if (isFirst && settings.receipts === 'reaction') await sender.react?.(order, { onceKey, otherwise });
    if (receipt.mustBeHeard) await (sender.tell?.({ userId: order.userId, onceKey, view }) ?? sender.post(post));
  }
  dependencies.failpoint('receipt.after-post');
}

/** The log line is an event of its own, so that a community whose log channel is gone still gets its receipts. */
function askForLogLine({ store, now }: DeliveryDependencies, { order, paymentId }: Receipt): Promise<number | null> {
  return store.tx((db) => enqueue(db, store.tables, 'order_logged', { paymentId, orderId: order.id }, now()));
}

function postOf({ order, onceKey, view, isFirst }: Receipt, settings: CommunitySettings): ChatPost {
  const { messageLifetimeSeconds: lifetimeSeconds } = settings;
  // The first receipt notifies the recipients; what happens later concerns the payer.
  return { chatId: order.chatId, onceKey, view, ringsRecipients: isFirst, lifetimeSeconds };
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
