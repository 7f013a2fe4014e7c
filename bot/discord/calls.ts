import { REST, Routes } from 'discord.js';
import { z } from 'zod';
import type { DiscordMessage } from '../../core/discord/message.ts';
import { createAnswerCalls, createCallbackLine, createCallbacks } from './answer-calls.ts';
import { createGuildCalls } from './guild-calls.ts';
import { idOf, messageSchema, outcomeOf, toBody, type Outcome, untilKnown } from './outcome.ts';

export type DiscordAccess = { token: string; applicationId: string; apiUrl?: string | undefined };

const TIMEOUT_MS = 8_000;
/**
 * Discord does not count answers by an interaction's token among the bot's 50 requests a second, but discord.js does,
 * and receipts and old messages would wait behind them. So answers have their own instance.
 */
const ANSWERS_PER_SECOND = 100_000;

const user = z.looseObject({ bot: z.boolean().optional(), username: z.string(), global_name: z.string().nullish() });

type CallOptions = {
  timeoutMs?: number;
  /** Discord has received the first word to this interaction. */
  onSaid?: (interactionId: string) => void;
};

export type Calls = ReturnType<typeof createCalls>;

/** Everything that the bot asks of Discord, beside the gateway. */
export function createCalls({ token, applicationId, apiUrl }: DiscordAccess, chosen: CallOptions = {}) {
  const { timeoutMs = TIMEOUT_MS, onSaid = () => {} } = chosen;
  // The library would silently repeat a call that may still take effect, and something newer could be shown between
  // the two.
  const options = { timeout: timeoutMs, retries: 0, ...(apiUrl === undefined ? {} : { api: apiUrl }) };
  const rest = new REST(options).setToken(token);
  const answers = new REST({ ...options, globalRequestsPerSecond: ANSWERS_PER_SECOND });
  const line = createCallbackLine(apiUrl);
  return {
    ...createCallbacks(line, onSaid),
    ...createAnswerCalls(answers, applicationId),
    ...createChannelCalls(rest),
    ...createGuildCalls(rest),
    /** Null where Discord knows nobody by that number. */
    async readAccount(userId: string): Promise<{ isBot: boolean; name: string } | null> {
      const outcome = await untilKnown(() => outcomeOf(rest.get(Routes.user(userId))));
      if (outcome.kind !== 'done') return null;
      const { bot, username, global_name: shown } = user.parse(outcome.value);
      return { isBot: bot === true, name: shown ?? username };
    },
    registerCommands: (commands: readonly object[]) =>
      untilKnown(() => outcomeOf(rest.put(Routes.applicationCommands(applicationId), { body: commands }))),
    close(): void {
      line.close();
      for (const one of [rest, answers]) {
        one.clearHashSweeper();
        one.clearHandlerSweeper();
      }
    },
  };
}

/** What the bot may do as a member, however old the message is. */
function createChannelCalls(rest: REST) {
  /** The same nonce within some minutes is the same message. */
  async function post(channelId: string, nonce: string, message: object): Promise<Outcome<string>> {
    const body = { ...message, nonce, enforce_nonce: true };
    return idOf(await untilKnown(() => outcomeOf(rest.post(Routes.channelMessages(channelId), { body }))));
  }
  return {
    /** Once, like `editAnswer`. */
    editMessage: (channelId: string, messageId: string, shown: DiscordMessage) =>
      outcomeOf(rest.patch(Routes.channelMessage(channelId, messageId), { body: toBody(shown) })),
    deleteMessage: (channelId: string, messageId: string) =>
      untilKnown(() => outcomeOf(rest.delete(Routes.channelMessage(channelId, messageId)))),
    /** Replies to a message, once for each, and notifies nobody. */
    async answerMessage(channelId: string, tippedMessageId: string, shown: DiscordMessage) {
      const reply = { message_reference: { message_id: tippedMessageId, fail_if_not_exists: false } };
      return post(channelId, `tips:${tippedMessageId}`.slice(0, 25), { ...notifying(shown, []), ...reply });
    },
    /** A message that answers nobody, under a nonce of its own. */
    write: (channelId: string, nonce: string, shown: DiscordMessage, people: readonly string[]) =>
      post(channelId, nonce, notifying(shown, people)),
    async writeDirectly(userId: string, nonce: string, shown: DiscordMessage): Promise<Outcome<string>> {
      const channel = { body: { recipient_id: userId } };
      const opened = await untilKnown(() => outcomeOf(rest.post(Routes.userChannels(), channel)));
      if (opened.kind === 'refused') return opened;
      return post(messageSchema.parse(opened.value).id, nonce, toBody(shown));
    },
  };
}

/** Only these people are notified, and the author of the message that is answered only as one of them. */
function notifying(shown: DiscordMessage, people: readonly string[]): object {
  return { ...toBody(shown), allowed_mentions: { parse: [], users: people, replied_user: false } };
}
