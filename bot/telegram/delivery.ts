import { createHash } from 'node:crypto';
import type { View } from '../../core/view.ts';
import type { TelegramMessage } from '../../db/chats/telegram-messages.ts';
import type { Store } from '../../db/store/store.ts';
import type { Log } from '../shared/log.ts';
import type { Calls, Outcome } from './calls.ts';
import type { Names } from './names.ts';
import type { Pace } from './pace.ts';
import { readEvent, readPlace } from './place.ts';

/** What showing messages works with. */
export type Delivery = {
  store: Store;
  calls: Calls;
  pace: Pace;
  names: Names;
  /** For links into the private chat. */
  botName: () => string;
  /** Groups in which Telegram has refused a message for one person, until when. */
  noEphemeral: Map<number, number>;
  nowMs: () => number;
  log: Log;
  /** Whether this process is the one that shows. */
  isMine: () => boolean;
  /** Tells the one that shows. */
  tell?: (() => void) | undefined;
};

/** A message that waits to show something. */
export type Pending = TelegramMessage & { view: View };

/** How one turn ended: it shows its view · it wants another turn · it wants one, but not at once. */
export type Turn = { kind: 'shown' } | { kind: 'again' } | { kind: 'later'; inMs: number };

export const SHOWN: Turn = { kind: 'shown' };
export const AGAIN: Turn = { kind: 'again' };
/** After a broken connection; how long exactly matters to nobody. */
export const LATER: Turn = { kind: 'later', inMs: 2_000 };

/** The hash of what a view says, not of how it looks: names and words of the markup may differ after a restart. */
export function hashOf(view: View): string {
  return createHash('sha256').update(JSON.stringify(view)).digest('base64url');
}

/** Over: nobody can be told there any more (blocked, thrown out, deleted), and that is nobody's trouble. */
export function isGone(outcome: Outcome<unknown>): boolean {
  return outcome.kind === 'refused' && outcome.code === 403;
}

/** What came back says when to try again; null when it says that trying again is no use. */
export function whenAgain({ pace }: Delivery, chat: number, outcome: Outcome<unknown>): Turn | null {
  if (outcome.kind === 'unknown') return LATER;
  if (outcome.kind !== 'flood') return null;
  pace.pause(chat, outcome.retryAfterMs);
  return AGAIN;
}

/**
 * The message that the answer belongs to; none for receipts, presses and commands that their sender alone sees. Where the
 * group has moved meanwhile, its number is another message's.
 */
export function repliedTo({ eventId, chatId }: TelegramMessage): { replyTo?: number } {
  if (eventId === null) return {};
  const event = readEvent(eventId);
  return event.kind === 'message' && event.chat === readPlace(chatId).chat ? { replyTo: event.message } : {};
}
