import { noteProgress } from '../../db/chats/bot-messages.ts';
import { AGAIN, shown, type Pending, type Turn } from '../outbox/turn.ts';
import { whenAgain, type Delivery } from './delivery.ts';
import { isGroup, readPlace, readUser } from './place.ts';
import { showHere } from './show-here.ts';
import { showPerson } from './show-person.ts';
import { isNobody } from './update.ts';

/** One attempt to show what a message has to show: as a sign, to everyone in its chat, or to one person. */
export function showMessage(delivery: Delivery, message: Pending): Promise<Turn> {
  // Of a tip that is a part of a rush, others see the sign alone, and its payer hears what went wrong.
  if (message.rushId !== null && isForPayer(message)) return showPerson(delivery, message);
  if (message.reactsTo !== null) return showReaction(delivery, message, message.reactsTo);
  return isForAll(message) ? showHere(delivery, message) : showPerson(delivery, message);
}

function isForPayer({ view }: Pending): boolean {
  return view.audience === 'person' || view.state === 'error';
}

/** A sender in the name of the group is answered there: there is no other place, and everyone saw the command. */
function isForAll({ view, chatId, userId }: Pending): boolean {
  if (view.audience === 'everyone' || !isGroup(readPlace(chatId))) return true;
  return userId !== null && isNobody(readUser(userId));
}

/** One of those that Telegram allows everywhere, unless a group has chosen its own. */
const SIGN = '🎉';
/** In the place of a hash: the sign was given. */
const SIGNED = 'signed';

/**
 * Puts the bot's sign on a message. Telegram keeps one sign of a bot on each message, so a repeat does nothing. Where
 * it is refused (reactions are off, or the message is gone) the text is sent instead, if there is one.
 */
async function showReaction(delivery: Delivery, message: Pending, reactsTo: number): Promise<Turn> {
  const { calls, pace, store } = delivery;
  const { chat } = readPlace(message.chatId);
  // It was seen to come; the sign says that it is paid. Nothing later changes it.
  if (message.rushId !== null && (message.view.state === 'working' || message.triedHash !== null)) return shown();
  pace.takeCall();
  const outcome = await calls.react(chat, reactsTo, SIGN);
  if (outcome.kind === 'done') return shown({ triedHash: SIGNED });
  const turn = whenAgain(delivery, chat, outcome);
  if (turn) return turn;
  // What is merged stands in the message for all.
  if (message.view.paragraphs.length === 0 || message.rushId !== null) return shown({ triedHash: SIGNED });
  await noteProgress(store, message, { reactsTo: null });
  return AGAIN;
}
