import { createHash } from 'node:crypto';
import { readDiscordChat } from '../../core/discord/chat.ts';
import { namedPeople, toDiscordMessage } from '../../core/discord/message.ts';
import type { View } from '../../core/view.ts';
import type { Log } from '../shared/log.ts';
import { isTokenAlive, NO_MESSAGE, readAnswer, type Answer } from '../../core/discord/answer.ts';
import type { Store } from '../../db/store/store.ts';
import { isRushKey } from '../outbox/rush.ts';
import { shown, UNKNOWN, type Pending, type Turn } from '../outbox/turn.ts';
import type { Calls } from './calls.ts';
import { limitAnswer } from './lifetime.ts';
import { REFUSALS, type Outcome } from './outcome.ts';

export type ShowDeps = { calls: Calls; tokens: Tokens; log: Log };

type TurnDeps = ShowDeps & { store: Store; now: () => number };

type Showing = Pick<Pending, 'key' | 'view' | 'rushId' | 'chatId' | 'messageId' | 'isQuiet'>;

/** One attempt. An edit is repeated as it is, so a lost reply is no reason to show nothing. */
export async function showMessage(deps: TurnDeps, message: Showing): Promise<Turn> {
  const { key, view, rushId } = message;
  if (isRushKey(key)) return showShared(deps, message);
  // Of a merged tip its payer reads the end alone.
  if (rushId !== null && view.state === 'working') return shown();
  const answer = readAnswer(key);
  try {
    await showAnswer(deps, answer, view);
  } catch (error) {
    deps.log.info({ error: String(error) }, 'a message may not be shown on Discord');
    return UNKNOWN;
  }
  await limitAnswer(deps, answer, view);
  return shown();
}

/** Written once, then edited. A moderator may delete it: it is not written again. */
async function showShared({ calls, log }: ShowDeps, message: Showing): Promise<Turn> {
  const { key, chatId, messageId, isQuiet, view } = message;
  const chat = readDiscordChat(chatId);
  if (chat.kind !== 'guild') throw new Error(`a message for all stands in a guild, and not in ${chat.kind}`);
  const content = toDiscordMessage(view);
  try {
    const outcome =
      messageId === null
        ? await calls.write(chat.channelId, nonceOf(key), content, isQuiet ? [] : namedPeople(view))
        : await calls.editMessage(chat.channelId, messageId, content);
    if (outcome.kind === 'done') return shown(typeof outcome.value === 'string' ? { messageId: outcome.value } : {});
    if (outcome.status === 401) throw new Error('Discord does not know the token of the bot');
    log.info({ code: outcome.code }, 'Discord took no message about many tips');
    return shown();
  } catch (error) {
    log.info({ error: String(error) }, 'a message may not be shown on Discord');
    return UNKNOWN;
  }
}

const nonceOf = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 24);

/** How an attempt to show something ended: it is shown · the message was taken away · this way is closed for good. */
type Shown = 'shown' | 'gone' | 'closed';

/**
 * Shows a view where the answer stands. Resolves also where Discord lets nothing be shown any more; rejects where it
 * may work the next time. A message whose token is over is edited like any other of the bot's. One that only its person
 * could see cannot be, so its end goes to the direct channel. So does the end of a public one that is gone: its person
 * may have a link instead, or a moderator has deleted it, and a payer has to hear what became of it.
 */
async function showAnswer(deps: ShowDeps, answer: Answer, view: View): Promise<void> {
  if (answer.via === 'post') return showPosted(deps, answer, view);
  const key = deps.tokens.find(answer);
  if (view.audience === 'person' && answer.audience === 'everyone') return showPersonally(deps, answer, key, view);
  const message = toDiscordMessage(view);
  if (key) {
    const edited = isShown(deps, await deps.calls.editAnswer(key.token, key.messageId, message));
    if (edited !== 'closed') return unlessGone(deps, answer, view, edited);
  }
  if (answer.audience !== 'person') {
    const edited = isShown(deps, await deps.calls.editMessage(answer.channelId, answer.messageId, message));
    if (edited !== 'closed') return unlessGone(deps, answer, view, edited);
  }
  await writeFirstEnd(deps, answer, view);
}

/** It answers no person, so where it is gone nobody is told elsewhere. */
async function showPosted(deps: ShowDeps, { channelId, messageId }: Answer, view: View): Promise<void> {
  if (messageId === NO_MESSAGE) return;
  isShown(deps, await deps.calls.editMessage(channelId, messageId, toDiscordMessage(view)));
}

/** A private answer that its person has dismissed was seen, so only a public one is written again. */
async function unlessGone(deps: ShowDeps, answer: Answer, view: View, edited: Shown): Promise<void> {
  if (edited === 'gone' && answer.audience === 'everyone') await writeFirstEnd(deps, answer, view);
}

/** Its person has seen an earlier end, and the worker tells them what else they must know. */
async function writeFirstEnd(deps: ShowDeps, answer: Answer, view: View): Promise<void> {
  if (view.isNews !== true) await writeEnd(deps, answer, view);
}

/**
 * For a view that turns out to be private although others see the message: they see it vanish. Discord would put the next
 * message, visible to all, into an answer that is still empty, so the answer is filled first.
 */
async function showPersonally(deps: ShowDeps, answer: Answer, key: Key | null, view: View): Promise<void> {
  const { calls } = deps;
  // Others only see a step on the way, with nothing of the view in it.
  if (view.state === 'working') return;
  if (key === null) {
    await calls.deleteMessage(answer.channelId, answer.messageId);
    return writeEnd(deps, answer, view);
  }
  const emptied = await calls.editAnswer(key.token, key.messageId, { content: '…', components: [] });
  // It has vanished already, so an earlier attempt has shown the view.
  if (emptied.kind === 'refused' && emptied.code === REFUSALS.unknownMessage) return;
  if (isShown(deps, emptied) === 'closed') return writeEnd(deps, answer, view);
  const followed = await calls.followUp(key.token, { ...toDiscordMessage(view), isPrivate: true });
  if (isShown(deps, followed) === 'closed') await writeEnd(deps, answer, view);
  await calls.deleteAnswer(key.token, key.messageId);
}

/** Only the end is worth a direct message; a step on the way is not. */
async function writeEnd({ calls, log }: ShowDeps, { messageId, userId }: Answer, view: View): Promise<void> {
  if (view.state === 'working') return;
  const message = toDiscordMessage(view);
  const outcome = await calls.writeDirectly(userId, nonceOf(`${messageId} ${message.content}`), message);
  // Direct messages of the person are closed for the bot.
  if (outcome.kind === 'refused') log.info({ code: outcome.code }, 'an answer on Discord reaches nobody any more');
}

const OVER: readonly number[] = [REFUSALS.invalidToken, REFUSALS.unknownWebhook];

function isShown({ log }: ShowDeps, outcome: Outcome<unknown>): Shown {
  if (outcome.kind === 'done') return 'shown';
  const { status, code } = outcome;
  if (code === REFUSALS.unknownMessage) return 'gone';
  if (status === 403 || status === 404 || OVER.includes(code)) return 'closed';
  if (status === 401) throw new Error('Discord does not know the token of the bot');
  // A form that Discord refuses now will be refused later too.
  log.error({ status, code }, 'Discord refused a message; it is not shown');
  return 'shown';
}

const KEPT_MAX = 10_000;

/** A token, and what the message is called with it. */
export type Key = { token: string; messageId: string };

/**
 * A press brings a token of its own for its message, which is younger than the one the message was made with. It is
 * lost with the process: then the old one counts, or none.
 */
export type Tokens = {
  note: (messageId: string, press: { id: string; token: string }) => void;
  /** Null when none is left that opens this message. */
  find: (answer: Answer) => Key | null;
};

export function createTokens(now: () => number): Tokens {
  const younger = new Map<string, { id: string; token: string }>();
  return {
    note(messageId, { id, token }) {
      younger.delete(messageId);
      younger.set(messageId, { id, token });
      const [oldest] = younger.keys();
      if (younger.size > KEPT_MAX && oldest !== undefined) younger.delete(oldest);
    },
    find({ messageId, interactionId, token, via }) {
      if (isTokenAlive(interactionId, now())) return { token, messageId: via === 'reply' ? '@original' : messageId };
      const press = younger.get(messageId);
      return press && isTokenAlive(press.id, now()) ? { token: press.token, messageId: '@original' } : null;
    },
  };
}
