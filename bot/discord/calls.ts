import { REST, Routes } from 'discord.js';
import { z } from 'zod';
import type { DiscordMessage } from '../../core/discord/message.ts';
import { createAnswerCalls, createCallbacks } from './answer-calls.ts';
import { idOf, messageSchema, outcomeOf, toBody, type Outcome } from './outcome.ts';

export type DiscordAccess = { token: string; applicationId: string; apiUrl?: string | undefined };

const TIMEOUT_MS = 8_000;
const RETRIES = 2;
/**
 * Discord does not count what is said by the token of an interaction among a bot's 50 requests a second, but discord.js
 * does, and receipts and old messages would wait behind it. So answers have an instance of their own. Measured: 600 tips
 * at once are paid and shown after 7 seconds instead of 15.
 */
const ANSWERS_PER_SECOND = 100_000;

const user = z.looseObject({ bot: z.boolean().optional() });

export type Calls = ReturnType<typeof createCalls>;

/** Everything that the bot asks of Discord, beside the gateway. */
export function createCalls({ token, applicationId, apiUrl }: DiscordAccess) {
  const options = { timeout: TIMEOUT_MS, retries: RETRIES, ...(apiUrl === undefined ? {} : { api: apiUrl }) };
  const rest = new REST(options).setToken(token);
  const answers = new REST({ ...options, globalRequestsPerSecond: ANSWERS_PER_SECOND });
  return {
    ...createCallbacks(answers),
    ...createAnswerCalls(answers, applicationId),
    ...createChannelCalls(rest),
    async isProgram(userId: string): Promise<boolean> {
      const outcome = await outcomeOf(rest.get(Routes.user(userId)));
      return outcome.kind === 'done' && user.parse(outcome.value).bot === true;
    },
    registerCommands: (commands: readonly object[]) =>
      outcomeOf(rest.put(Routes.applicationCommands(applicationId), { body: commands })),
    close(): void {
      for (const one of [rest, answers]) {
        one.clearHashSweeper();
        one.clearHandlerSweeper();
      }
    },
  };
}

/** What the bot may do as a member, however old the message is. */
function createChannelCalls(rest: REST) {
  return {
    editMessage: (channelId: string, messageId: string, shown: DiscordMessage) =>
      outcomeOf(rest.patch(Routes.channelMessage(channelId, messageId), { body: toBody(shown) })),
    deleteMessage: (channelId: string, messageId: string) =>
      outcomeOf(rest.delete(Routes.channelMessage(channelId, messageId))),
    /** The same nonce within some minutes is the same message. */
    async writeDirectly(userId: string, nonce: string, shown: DiscordMessage): Promise<Outcome<string>> {
      const opened = await outcomeOf(rest.post(Routes.userChannels(), { body: { recipient_id: userId } }));
      if (opened.kind === 'refused') return opened;
      const route = Routes.channelMessages(messageSchema.parse(opened.value).id);
      const body = { ...toBody(shown), nonce, enforce_nonce: true };
      return idOf(await outcomeOf(rest.post(route, { body })));
    },
  };
}
