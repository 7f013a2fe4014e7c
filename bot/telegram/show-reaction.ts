import { noteProgress } from '../../db/chats/telegram-messages.ts';
import { AGAIN, whenAgain, type Delivery, type Pending, type Turn } from './delivery.ts';
import { readPlace } from './place.ts';
import { finish } from './show-here.ts';

/** One of those that Telegram allows everywhere, unless a group has chosen its own. */
const SIGN = '🎉';

/**
 * Puts the bot's sign on a message. Telegram keeps one sign of a bot on each message, so a repeat does nothing. Where
 * it is refused (reactions are off, or the message is gone) the text is sent instead, if there is one.
 */
export async function showReaction(delivery: Delivery, message: Pending, reactsTo: number): Promise<Turn> {
  const { calls, pace, store } = delivery;
  const { chat } = readPlace(message.chatId);
  pace.takeCall();
  const outcome = await calls.react(chat, reactsTo, SIGN);
  if (outcome.kind === 'done') return finish(delivery, message);
  const turn = whenAgain(delivery, chat, outcome);
  if (turn) return turn;
  if (message.view.paragraphs.length === 0) return finish(delivery, message);
  await noteProgress(store, message.key, { reactsTo: null });
  return AGAIN;
}
