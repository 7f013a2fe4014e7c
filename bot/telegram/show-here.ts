import { changePlace, noteProgress, UNSURE, type MessageName, type Progress } from '../../db/chats/bot-messages.ts';
import { AGAIN, hashOf, shown, type Pending, type Turn } from '../outbox/turn.ts';
import { isGone, namesFor, noteLifetime, repliedTo, whenAgain, type Delivery } from './delivery.ts';
import { renderView, type Rendered } from './html.ts';
import type { Names } from './people.ts';
import { formatPlace, isGroup, readPlace, readUser } from './place.ts';

/**
 * Shows a view in the chat that the message is for. Telegram knows no key for "the same message", so when the reply to
 * a sending is lost nobody can say whether it is there. So only an edit, which may be repeated, ever tells that money
 * has moved; what may be there twice is a placeholder that says nothing.
 */
export async function showHere(delivery: Delivery, message: Pending): Promise<Turn> {
  return message.messageId === null
    ? sendHere(delivery, message)
    : editHere(delivery, message, Number(message.messageId));
}

const PLACEHOLDER: Rendered = { text: '⏳ …', keyboard: [] };
const RECEIPT_PLACEHOLDER: Rendered = { text: '🧾 …', keyboard: [] };

async function sendHere(delivery: Delivery, message: Pending): Promise<Turn> {
  const { store, calls, pace, log } = delivery;
  const { view, key } = message;
  const place = readPlace(message.chatId);
  const needsPlaceholder = view.audience === 'everyone' && view.state !== 'working';
  const names = await namesFor(delivery, message);
  const content = needsPlaceholder ? opening(names, message) : renderView(view, names, message);
  pace.take(place.chat);
  // In a private chat every message is meant to be heard, so none is silent.
  const isQuiet = message.isQuiet && isGroup(place);
  const outcome = await calls.send(place, content, { ...repliedTo(message), isQuiet });
  if (outcome.kind === 'done') {
    const sent = await noteLifetime(delivery, message, outcome.result.messageId);
    return needsPlaceholder ? note(delivery, message, sent) : shown(sent);
  }
  if (outcome.kind === 'moved') {
    await changePlace(store, message, formatPlace({ chat: outcome.chat, topic: null }));
    return AGAIN;
  }
  // A topic may have been closed or deleted; the group is still there.
  if (outcome.kind === 'refused' && !isGone(outcome) && place.topic !== null) {
    await changePlace(store, message, formatPlace({ chat: place.chat, topic: null }));
    return AGAIN;
  }
  const turn = whenAgain(delivery, place.chat, outcome);
  if (turn) return turn;
  if (!isGone(outcome)) log.warn({ key }, 'a message was refused for good');
  return shown();
}

/** Rings on a phone, so it says whom it is from where the view has words for that. */
function opening(names: Pick<Names, 'find'>, message: Pending): Rendered {
  const { view, eventId } = message;
  if (view.opening === undefined) return eventId === null ? RECEIPT_PLACEHOLDER : PLACEHOLDER;
  return renderView({ ...view, paragraphs: [view.opening], actions: [] }, names, message);
}

async function editHere(delivery: Delivery, message: Pending, messageId: number): Promise<Turn> {
  const { store, calls, pace, nowMs } = delivery;
  const { view, key } = message;
  const { chat } = readPlace(message.chatId);
  const hash = hashOf(view);
  if (message.expiresAtMs !== null && message.expiresAtMs <= nowMs()) return renew(delivery, message);
  if (message.shownHash === hash) return shown();
  // Where another process may have shown this view, a refusal may mean that it is there already.
  const wasTried = message.triedHash === hash || message.shownHash === UNSURE;
  // Stored before the edit: after a crash in between, a refusal is known to mean that the view is there already.
  if (!wasTried && view.state !== 'working') await noteProgress(store, message, { triedHash: hash });
  const names = await namesFor(delivery, message);
  pace.take(chat);
  const outcome = await calls.edit(chat, messageId, renderView(view, names, message));
  if (outcome.kind === 'done') {
    return shown(await settlePerson(delivery, message));
  }
  if (outcome.kind === 'moved') {
    await changePlace(store, message, formatPlace({ chat: outcome.chat, topic: null }));
    return note(delivery, message, { messageId: null, triedHash: null });
  }
  const turn = whenAgain(delivery, chat, outcome);
  if (turn && outcome.kind === 'flood' && !wasTried) await noteProgress(store, message, { triedHash: null });
  if (turn) return turn;
  if (isGone(outcome) || view.state === 'working' || wasTried) return shown();
  if (message.isRenewed) {
    delivery.log.warn({ key }, 'an edit was refused for good');
    return shown();
  }
  // Refused at the first try: the message cannot show this view already, so it has been deleted.
  return note(delivery, message, { messageId: null, isRenewed: true, triedHash: null });
}

/** The bot has deleted it, or is about to. A step is not worth a message of its own; how it ended is. */
async function renew(delivery: Delivery, message: Pending): Promise<Turn> {
  const nothing = { messageId: null, triedHash: null, expiresAtMs: null };
  return message.view.state === 'working' ? shown(nothing) : note(delivery, message, nothing);
}

/**
 * What one person was asked in private goes on where all may see it: the private message ends too, without its buttons.
 */
async function settlePerson(delivery: Delivery, message: Pending): Promise<Progress> {
  const { calls, pace } = delivery;
  const { personPlace, personMessageId, userId, chatId, view } = message;
  if (personPlace === null || personMessageId === null || userId === null) return {};
  const receiver = readUser(userId);
  if (personPlace === 'ephemeral') {
    const outcome = await calls.removeEphemeral(readPlace(chatId).chat, receiver, personMessageId);
    // Refused, it is gone already.
    const isOver = outcome.kind === 'done' || outcome.kind === 'refused';
    return isOver ? { personPlace: null, personMessageId: null } : {};
  }
  const names = await namesFor(delivery, message);
  pace.take(receiver);
  await calls.edit(receiver, personMessageId, renderView(view, names));
  return {};
}

async function note({ store }: Delivery, message: MessageName, progress: Progress): Promise<Turn> {
  await noteProgress(store, message, progress);
  return AGAIN;
}
