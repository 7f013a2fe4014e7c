import type { View } from '../../core/view.ts';
import { formatAnswer, NO_MESSAGE, readAnswer, type Answer } from '../../core/discord/answer.ts';
import { DISCORD_TRANSPORT, readDiscordChat } from '../../core/discord/chat.ts';
import { toDiscordMessage } from '../../core/discord/message.ts';
import type { Messenger, RepliedMessage } from '../shared/messenger.ts';
import type { Calls } from './calls.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { Rushes } from '../outbox/rush.ts';
import type { Tokens } from './show.ts';
import type { Log } from '../shared/log.ts';

/** How an event was acknowledged, which decides how it can be answered. */
export type Acknowledged =
  /** Discord shows that the bot is thinking; the message is there and empty. `rushId`: others read of it elsewhere. */
  | { kind: 'deferred'; answer: Answer; rushId: string | null }
  /** The pressed message stays as it is; an answer is another message. */
  | { kind: 'press'; answer: Omit<Answer, 'messageId'> };

export type DiscordMessenger = Messenger & {
  /** Sets how this event is answered, for as long as `work` goes on. */
  during: <T>(eventId: string, acknowledged: Acknowledged, work: () => Promise<T>) => Promise<T>;
  tokens: Tokens;
};

type Deps = {
  calls: Calls;
  outbox: Pick<Outbox, 'edit'>;
  rushes: Pick<Rushes, 'isMerged'>;
  tokens: Tokens;
  log: Log;
};

/** Discord as the core sees it. The id that the core keeps contains all it takes to find and change a message. */
export function createDiscordMessenger(deps: Deps): DiscordMessenger {
  const underWay = new Map<string, Acknowledged>();
  /** There is no row until something has to be shown: Discord itself shows that the bot is working. */
  const show = (answer: Answer, view: View, rushId: string | null = null) => {
    const { channelId: chatId, interactionId: eventId, userId } = answer;
    const message = { chatId, eventId, userId: `${DISCORD_TRANSPORT}:${userId}`, language: null, rushId };
    return deps.outbox.edit(formatAnswer(answer), view, message);
  };
  return {
    tokens: deps.tokens,
    pressesCommands: true,
    async during(eventId, acknowledged, work) {
      underWay.set(eventId, acknowledged);
      try {
        return await work();
      } finally {
        underWay.delete(eventId);
      }
    },
    async open({ eventId }, view) {
      const acknowledged = underWay.get(eventId);
      if (!acknowledged) throw new Error(`the event ${eventId} is answered, and was not acknowledged`);
      if (acknowledged.kind === 'press') return formatAnswer(await follow(deps, acknowledged.answer, view));
      const { answer, rushId } = acknowledged;
      // Discord itself shows that it is being worked on, in the person's language. A rush counts whom it waits for.
      if (view.state !== 'working' || rushId !== null) await show(answer, view, rushId);
      return formatAnswer(answer);
    },
    reply: async (message, view) => formatAnswer(await answerMessage(deps, message, view)),
    isMerged: deps.rushes.isMerged,
    isForAll: async (messageId) => readAnswer(messageId).audience === 'everyone',
    edit: (_chatId, messageId, view) => show(readAnswer(messageId), view),
  };
}

/**
 * The answer to a press in public is still for the person alone: none of our buttons asks something of everyone.
 */
async function follow({ calls }: Pick<Deps, 'calls'>, answer: Omit<Answer, 'messageId'>, view: View): Promise<Answer> {
  const isPrivate = answer.audience !== 'direct';
  const outcome = await calls.followUp(answer.token, { ...toDiscordMessage(view), isPrivate });
  if (outcome.kind === 'refused') throw new Error(`Discord took no answer to a press: ${outcome.code}`);
  return { ...answer, messageId: outcome.value };
}

/** Answers no interaction: the bot writes this message as a member, under another member's. */
const NOBODY = { userId: '0', interactionId: '0', token: '-' } as const;

/**
 * Replies to each message once: Discord remembers the nonce for a while, the core from then on. Where Discord allows no
 * reply, the answer stands for a message that nobody sees.
 */
async function answerMessage(
  { calls, log }: Pick<Deps, 'calls' | 'log'>,
  { chatId, tippedMessageId, communityId }: RepliedMessage,
  view: View,
): Promise<Answer> {
  const chat = readDiscordChat(chatId);
  if (chat.kind !== 'guild') throw new Error(`a message is answered in a guild only, and not in ${chatId}`);
  const outcome = await calls.answerMessage(chat.channelId, tippedMessageId, toDiscordMessage(view));
  if (outcome.kind === 'refused') log.info({ code: outcome.code }, 'a tipped message cannot be answered');
  const messageId = outcome.kind === 'done' ? outcome.value : NO_MESSAGE;
  return { ...NOBODY, audience: 'everyone', via: 'post', channelId: chat.channelId, messageId, communityId };
}
