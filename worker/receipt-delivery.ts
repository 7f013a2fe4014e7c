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
  /** The first one of the order, which says that it was paid. */
  isFirst: boolean;
  /** Another message has said it already, where receipts are messages. */
  isToldElsewhere: boolean;
  /** The payer has to hear it, also where the community wants no messages: it is about money that is his to look after. */
  mustBeHeard: boolean;
};

/**
 * Shows a receipt in the way that the community has chosen where its tip was sent. Where it wants no messages, the payer
 * alone is told what he must hear. Each part of it may be done twice.
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

/** A community that has lost its log channel still has its receipts, so the line is a piece of work of its own. */
function askForLogLine({ store, now }: DeliveryDependencies, { order, paymentId }: Receipt): Promise<number | null> {
  return store.tx((db) => enqueue(db, store.tables, 'receipt', `logged:${paymentId}:${order.id}`, now()));
}

function postOf({ order, onceKey, view, isFirst }: Receipt, settings: CommunitySettings): ChatPost {
  const { messageLifetimeSeconds: lifetimeSeconds } = settings;
  // The first receipt tells the recipients; what becomes of it later concerns the payer.
  return { chatId: order.chatId, onceKey, view, ringsRecipients: isFirst, lifetimeSeconds };
}

/** What the order's community has decided; where two talk alone, all is as it always was. */
export async function settingsOf(store: Store, { transport, communityId }: OrderRow): Promise<CommunitySettings> {
  return communityId === null ? DEFAULT_SETTINGS : readCommunitySettings(store, { transport, communityId });
}

export function senderFor({ senders }: Pick<DeliveryDependencies, 'senders'>, transport: string): ChatSender {
  const sender = senders[transport];
  if (sender === undefined) throw new Unserved(`chats on ${transport}`);
  return sender;
}
