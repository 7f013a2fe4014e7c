import { createHash } from 'node:crypto';
import type { View } from '../../core/view.ts';
import type { BotMessage, Progress } from '../../db/chats/bot-messages.ts';

/** A message that waits to show something. */
export type Pending = BotMessage & { view: View };

/**
 * How one turn ended: its view is shown, and this is to be stored about it · it wants another turn · unknown, because the
 * connection broke.
 */
export type Turn = { kind: 'shown'; progress: Progress } | { kind: 'again' } | { kind: 'unknown' };

export const AGAIN: Turn = { kind: 'again' };
export const UNKNOWN: Turn = { kind: 'unknown' };

export function shown(progress: Progress = {}): Turn {
  return { kind: 'shown', progress };
}

/** The hash of what a view says, not of how it looks: names and words of the markup may differ after a restart. */
export function hashOf(view: View): string {
  return createHash('sha256').update(JSON.stringify(view)).digest('base64url');
}
