import type { View } from '../../core/view.ts';
import type { GrammarContext } from './grammar-recipient.ts';

/** Where something happened, and who did it, as a transport knows it. */
export type Origin = {
  transport: string;
  /** The platform's own id of the event: delivered again, it is the same one. */
  eventId: string;
  chatId: string;
  userId: string;
  walletId: string;
  /** What the platform says that the person reads (BCP 47). */
  language?: string;
  /** The community that it happened in, by the platform's id; absent where two talk alone. */
  communityId?: string;
  /** The platform says that this person may moderate there. Asked anew with every event. */
  isModerator?: boolean;
};

export type TextEvent = Origin & { text: string; context?: GrammarContext };
export type PressEvent = Origin & { buttonId: string };

/** How a transport shows things. The only part of an adapter that the core knows. */
export type Messenger = {
  /** Shows the answer's first form and says under which id it can be edited. */
  open: (origin: Origin, view: View) => Promise<string>;
  /** Shows another view in its place. Twice the same is the same as once. */
  edit: (chatId: string, messageId: string, view: View) => Promise<void>;
};
