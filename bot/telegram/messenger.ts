import { isTipTyped } from '../../core/grammar/command.ts';
import type { View } from '../../core/view.ts';
import type { Messenger, Origin } from '../shared/messenger.ts';
import type { Acknowledge } from './acknowledge.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { Rushes } from '../outbox/rush.ts';
import { formatEvent, isGroup, readEvent, readPlace } from './place.ts';

/**
 * Telegram as the core sees it. Nothing here waits for Telegram: what is opened or edited is stored, and shown as soon
 * as Telegram accepts it, so a chat at its limits slows nobody's payment.
 */
export function createTelegramMessenger(
  outbox: Pick<Outbox, 'open' | 'edit'>,
  acknowledge: Acknowledge,
  rushes: Pick<Rushes, 'idFor' | 'isMerged'>,
): Messenger {
  return {
    pressesCommands: true,
    async open(origin, view) {
      const { chatId, eventId, userId, language = null } = origin;
      const key = answerKey(eventId);
      const first = withAudience(origin, view);
      const merged = await mergedInto(rushes, origin, first);
      const { isNew } = await outbox.open({ key, chatId, eventId, userId, language, view: first, ...merged });
      if (isNew) acknowledge(origin, 'rushId' in merged);
      return key;
    },
    async reply({ chatId, tippedMessageId }, view) {
      const { chat } = readPlace(chatId);
      const key = `summary:${chat}:${tippedMessageId}`;
      const eventId = formatEvent({ kind: 'message', chat, message: Number(tippedMessageId) });
      await outbox.open({ key, chatId, eventId, userId: null, language: null, view, isQuiet: true });
      return key;
    },
    isMerged: rushes.isMerged,
    // Of one that is merged its payer alone reads more than the sign.
    isForAll: async (messageId) => !(await rushes.isMerged(messageId)),
    edit: (_chatId, messageId, view) => outbox.edit(messageId, view),
  };
}

/** A tip that others read, where there are too many for a message each: a sign on its command. */
async function mergedInto(
  rushes: Pick<Rushes, 'idFor'>,
  origin: Origin,
  view: View,
): Promise<{ rushId: string; reactsTo: number } | object> {
  const event = readEvent(origin.eventId);
  const isTip = view.state === 'working' && view.audience === 'everyone' && isGroup(readPlace(origin.chatId));
  if (!isTip || event.kind !== 'message') return {};
  const rushId = await rushes.idFor(origin);
  return rushId === null ? {} : { rushId, reactsTo: event.message };
}

export function answerKey(eventId: string): string {
  return `answer:${eventId}`;
}

/** The message that a sign is put on: the tipped one, else the command's. Null where that was seen by its sender alone. */
export function signedMessageOf(order: { messageId: string; tippedMessageId: string | null }): number | null {
  if (order.tippedMessageId !== null) return Number(order.tippedMessageId);
  const event = readEvent(order.messageId.slice(answerKey('').length));
  return event.kind === 'message' ? event.message : null;
}

/** In a group all but a tip is between the bot and one person, from the first word on. */
function withAudience(origin: Origin, view: View): View {
  if (view.state !== 'working' || !isGroup(readPlace(origin.chatId))) return view;
  const isTip = 'text' in origin && typeof origin.text === 'string' && isTipTyped(origin.text);
  return isTip ? view : { ...view, audience: 'person' };
}
