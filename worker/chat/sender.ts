import type { OrderRow } from '../../db/tips/orders.ts';
import type { View } from '../../core/view.ts';

export type ChatPost = {
  chatId: string;
  /** A key shows at most once, however often it is posted. */
  onceKey: string;
  view: View;
  /** Whether the chat notifies the recipients; other members are never notified. */
  ringsRecipients: boolean;
  /** Where others read along, the message is deleted after this time; null: it stays. */
  lifetimeSeconds: number | null;
};

/**
 * Whether a member has been told: the message is in their chat · they cannot be reached, now or later · the message is
 * stored and not shown yet, and asking again under the same key tells its state.
 */
export type Told = 'told' | 'unreachable' | 'under-way';

/** How the worker posts in one kind of chat. Each also resolves where the recipient can never be reached. */
export type ChatSender = {
  post: (post: ChatPost) => Promise<void>;
  /** Tells one person privately. Left out where a chat has only one reader: then it is posted. */
  tell?: (message: { userId: string; onceKey: string; view: View }) => Promise<Told>;
  /**
   * Puts the bot's reaction on the tipped message or, where there is none that others see, on the one that shows the
   * order's progress. Repeating it changes nothing. Left out where messages carry no reactions.
   */
  react?: (order: Pick<OrderRow, 'chatId' | 'messageId' | 'tippedMessageId'>, sign: ChatSign) => Promise<void>;
  /** Whether only the giver reads the order's own message, so that others there do not know of them. Left out: never. */
  hidesGiver?: (order: Pick<OrderRow, 'messageId'>) => boolean;
};

/** `otherwise` is posted where the chat takes no reactions; null: nothing is. */
export type ChatSign = { onceKey: string; otherwise: ChatPost | null };
