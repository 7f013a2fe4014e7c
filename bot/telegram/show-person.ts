import { keepForPerson } from '../conversation/kept-answers.ts';
import { languageOf } from '../conversation/speech.ts';
import { noteProgress, UNSURE, type Progress } from '../../db/chats/bot-messages.ts';
import { readGroupLanguage } from '../../db/communities/community-settings.ts';
import { AGAIN, hashOf, shown, type Pending, type Turn } from '../outbox/turn.ts';
import type { Outcome, SendOptions } from './calls.ts';
import { isGone, namesFor, noteLifetime, repliedTo, whenAgain, type Delivery } from './delivery.ts';
import { renderView, type Rendered } from './html.ts';
import { telegramTextsIn } from '../../texts/telegram/languages.ts';
import { readEvent, readPlace, readUser, TELEGRAM_TRANSPORT } from './place.ts';

/** How long a group that refused is not asked again; the bot may be made an admin meanwhile. */
const NO_EPHEMERAL_MS = 10 * 60_000;

/**
 * Shows a view to one person of a group: in the group, as a message that nobody else sees, where Telegram lets the bot;
 * else in their private chat, and the group learns only that there is something; else the group gets the way there.
 */
export async function showPerson(delivery: Delivery, message: Pending): Promise<Turn> {
  const { userId, personPlace, personMessageId } = message;
  if (userId === null) throw new Error(`message ${message.key} is for one person and does not say for whom`);
  const receiver = readUser(userId);
  if (personPlace !== null && personMessageId !== null) {
    return editThere(delivery, message, { receiver, place: personPlace, id: personMessageId });
  }
  for (const ephemeral of ephemeralWays(delivery, message, receiver)) {
    const turn = await sendEphemeral(delivery, message, ephemeral);
    if (turn) return turn;
  }
  // Not worth a second chat: the answer itself follows.
  if (message.view.state === 'working') return shown();
  return sendPrivately(delivery, message, receiver);
}

type There = { receiver: number; place: 'ephemeral' | 'private'; id: number };

async function editThere(delivery: Delivery, message: Pending, { receiver, place, id }: There): Promise<Turn> {
  const { calls, pace, store } = delivery;
  if (message.shownHash === hashOf(message.view)) return shown();
  const { chat } = readPlace(message.chatId);
  const content = renderView(message.view, await namesFor(delivery, message));
  const target = place === 'ephemeral' ? chat : receiver;
  pace.take(target);
  const outcome =
    place === 'ephemeral'
      ? await calls.editEphemeral(chat, receiver, id, content)
      : await calls.edit(receiver, id, content);
  if (outcome.kind === 'done') return shown();
  const turn = whenAgain(delivery, target, outcome);
  if (turn) return turn;
  const mayStand = message.shownHash === UNSURE || message.isRenewed;
  if (isGone(outcome) || message.view.state === 'working' || mayStand) return shown();
  // Such messages vanish, and showing the same again tells nothing twice.
  await noteProgress(store, message, { personPlace: null, personMessageId: null, isRenewed: true });
  return AGAIN;
}

/** None where it would be refused. After a press or a command for the bot alone any bot may for a moment; else only an admin. */
function ephemeralWays(delivery: Delivery, message: Pending, receiver: number): SendOptions[] {
  const event = message.eventId === null ? null : readEvent(message.eventId);
  const refusedUntilMs = delivery.noEphemeral.get(readPlace(message.chatId).chat) ?? 0;
  const asAdmin = refusedUntilMs > delivery.nowMs() ? [] : [{ ephemeral: { receiver }, ...repliedTo(message) }];
  if (event?.kind === 'press') return [{ ephemeral: { receiver, query: event.query } }, ...asAdmin];
  if (event?.kind === 'ephemeral') return [{ ephemeral: { receiver, command: event.message } }, ...asAdmin];
  return asAdmin;
}

/** Null when it is refused. */
async function sendEphemeral(delivery: Delivery, message: Pending, options: SendOptions): Promise<Turn | null> {
  const { calls, pace, noEphemeral, nowMs } = delivery;
  const place = readPlace(message.chatId);
  const content = renderView(message.view, await namesFor(delivery, message));
  pace.take(place.chat);
  const outcome = await calls.send(place, content, options);
  if (outcome.kind === 'done') {
    // Nothing is left to be said to all.
    if (message.messageId !== null) await calls.remove(place.chat, Number(message.messageId));
    const personMessageId = outcome.result.ephemeralId;
    return shown({ messageId: null, personPlace: 'ephemeral', personMessageId });
  }
  const isForAnybody = options.ephemeral?.query !== undefined || options.ephemeral?.command !== undefined;
  if (outcome.kind === 'refused' && !isForAnybody) noEphemeral.set(place.chat, nowMs() + NO_EPHEMERAL_MS);
  return whenAgain(delivery, place.chat, outcome);
}

async function sendPrivately(delivery: Delivery, message: Pending, receiver: number): Promise<Turn> {
  const { calls, pace, botName, store } = delivery;
  const content = renderView(message.view, await namesFor(delivery, message));
  pace.take(receiver);
  const outcome = await calls.send({ chat: receiver, topic: null }, content);
  const turn = whenAgain(delivery, receiver, outcome);
  if (turn) return turn;
  const isTold = outcome.kind === 'done';
  const { userId, language } = message;
  const known = { userId: userId ?? '', ...(language === null ? {} : { language }) };
  const group = { transport: TELEGRAM_TRANSPORT, communityId: String(readPlace(message.chatId).chat) };
  // The hint is there for all to see.
  const texts = telegramTextsIn((await readGroupLanguage(store, group)) ?? (await languageOf({ store }, known)));
  const url = `https://t.me/${botName()}${isTold ? '' : `?start=${await keep(delivery, message)}`}`;
  const hint = {
    text: isTold ? texts.answeredPrivately() : texts.openPrivately(),
    keyboard: [[{ text: texts.openChat(), url }]],
  };
  const hinted = await showHint(delivery, message, hint);
  if (hinted.kind !== 'done' && !isTold) {
    const later = whenAgain(delivery, readPlace(message.chatId).chat, hinted);
    if (later) return later;
  }
  const inGroup = hinted.kind === 'done' ? hinted.result : {};
  const told = isTold ? { personPlace: 'private' as const, personMessageId: outcome.result.messageId } : {};
  return shown({ ...inGroup, ...told });
}

/** The answer waits in the private chat, which nobody but its person can open it in. */
async function keep({ store, ids, nowMs }: Delivery, { userId, view }: Pending): Promise<string> {
  return keepForPerson(store, { key: ids.slug(), userId: userId ?? '', view, nowMs: nowMs() });
}

/** In the place of what the group saw before, so that nobody waits for something there. */
async function showHint(delivery: Delivery, message: Pending, hint: Rendered): Promise<Outcome<Progress>> {
  const { calls, pace } = delivery;
  const place = readPlace(message.chatId);
  pace.take(place.chat);
  if (message.messageId !== null) {
    const edited = await calls.edit(place.chat, Number(message.messageId), hint);
    return edited.kind === 'done' ? { kind: 'done', result: {} } : edited;
  }
  const sent = await calls.send(place, hint, repliedTo(message));
  if (sent.kind !== 'done') return sent;
  return { kind: 'done', result: await noteLifetime(delivery, message, sent.result.messageId) };
}
