import type { View } from '../../core/view.ts';
import type { Standing } from '../../db/treasury/treasury-confirm.ts';
import type { GrammarContext } from '../../core/grammar/recipient.ts';

/** Where something happened, and who did it, as a transport knows it. */
export type Origin = {
  transport: string;
  /** The platform's own id of the event; a second delivery has the same. */
  eventId: string;
  chatId: string;
  /** What people call that place, where it has a name: `#rewards`. */
  chatName?: string;
  userId: string;
  walletId: string;
  /** The language that the platform says the person reads (BCP 47). */
  language?: string;
  /** The person's other name there, in the form of a user id: `telegram:alice`. */
  ownNames?: readonly string[];
  /** The bot's own name there, in the same form. */
  botNames?: readonly string[];
  /** The community that it happened in, by the platform's id; absent where two talk alone. */
  communityId?: string;
  /** The platform says that this person may moderate there. Asked anew with every event. */
  isModerator?: boolean;
};

/**
 * What some commands need in a community. `member`: the community has let the bot in. `write`: it may write where that
 * was typed, also later. `read`: it sees what members write to each other.
 */
export type BotRight = 'member' | 'write' | 'read';

export type TextEvent = Origin & { text: string; context?: GrammarContext };
export type PressEvent = Origin & { buttonId: string };

/** A message to reply to, and the community that it was written in. */
export type RepliedMessage = { chatId: string; tippedMessageId: string; communityId: string | null };

/** How a transport shows things. The only part of an adapter that the core knows. */
export type Messenger = {
  /**
   * Whether commands to try are shown as buttons that say them. Left out where a press sends the command itself, or a
   * tap copies it.
   */
  pressesCommands?: true;
  /** Shows the answer's first form, and returns the id by which it can be edited. */
  open: (origin: Origin, view: View) => Promise<string>;
  /**
   * Tells the platform that a press was taken whose answer is an edit of the message that the button stands in. Left out
   * where nobody waits for that.
   */
  accept?: (event: PressEvent) => Promise<void>;
  /**
   * Replies to a tipped message in public, and returns the id under which the reply can be edited. The same message
   * always gets the same reply, however often this is called. It notifies nobody: the worker does that, once for each tip.
   * Left out by transports without such replies.
   */
  reply?: (message: RepliedMessage, view: View) => Promise<string>;
  /** Whether it shows as a part of another message, so that nothing else is to be said in public. Left out: never. */
  isMerged?: (messageId: string) => Promise<boolean>;
  /** Whether everyone in its chat sees an answer. Left out: they see what is shown for everyone. */
  isForAll?: (messageId: string) => Promise<boolean>;
  /**
   * Shows another view in its place. Showing the same twice changes nothing. Resolves also where the platform no longer
   * lets the message be changed: nobody could ever show it then.
   */
  edit: (chatId: string, messageId: string, view: View) => Promise<void>;
  /**
   * What a member of a community is called now. Rejects where the platform does not say. Left out where it never tells,
   * or where names are not asked for.
   */
  usernameOf?: (communityId: string, userId: string) => Promise<string | null>;
  /**
   * Who owns a community, and which of these users moderate it: asked of the platform now, never remembered. Rejects
   * where the platform does not say. Left out by transports without communities. For this one question, everyone with
   * `roleId` counts as a moderator.
   */
  standing?: (communityId: string, userIds: readonly string[], roleId?: string) => Promise<Standing>;
  /**
   * What the bot may not do in a community, asked of the platform now. Rejects where the platform does not say. Left out
   * by transports without communities.
   */
  lacks?: (place: { communityId: string; chatId: string }) => Promise<readonly BotRight[]>;
};
