import type { OrderRow } from '../../db/tips/orders.ts';
import type { View } from '../../core/view.ts';

export type ChatPost = {
  chatId: string;
  /** The same key never shows twice, however often it is posted. */
  onceKey: string;
  view: View;
  /** Whether those who are paid are made aware of it; nobody else ever is. */
  ringsRecipients: boolean;
  /** When others read along, the message is to be deleted after this time; null: it stays. */
  lifetimeSeconds: number | null;
};

/**
 * Whether somebody has been told: it stands in his chat · he can be told neither now nor later · it is written down and not
 * shown yet, so that asking again under the same key answers how far it is.
 */
export type Told = 'told' | 'unreachable' | 'under-way';

/** How the worker speaks in one kind of chat. Each resolves as well where nobody can be reached, now or later. */
export type ChatSender = {
  post: (post: ChatPost) => Promise<void>;
  /** Tells one person what others need not read. Left out where a chat has one reader anyway: then it is posted. */
  tell?: (message: { userId: string; onceKey: string; view: View }) => Promise<Told>;
  /**
   * Puts a sign of the bot on the message that was tipped or else, where others see it, on the one that shows the order's
   * progress. Put there again it is the same sign. Left out where messages carry none.
   */
  react?: (order: Pick<OrderRow, 'chatId' | 'messageId' | 'tippedMessageId'>, sign: ChatSign) => Promise<void>;
};

/** `otherwise` may be posted where the chat takes no signs; null: nothing is. */
export type ChatSign = { onceKey: string; otherwise: ChatPost | null };
