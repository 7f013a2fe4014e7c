import { Routes, type REST } from 'discord.js';
import { z } from 'zod';
import type { DiscordMessage } from '../../core/discord/message.ts';
import { untilKnown } from './attempts.ts';
import type { CallbackLine } from './callback-line.ts';
import { EPHEMERAL, idOf, messageSchema, outcomeOf, toBody, type NewMessage, type Outcome } from './outcome.ts';

/** What it takes to answer an interaction. */
export type Reply = { id: string; token: string };

const deferred = z.object({
  interaction: z.object({
    response_message_id: z.string(),
    response_message_ephemeral: z.boolean().optional(),
  }),
});

const CALLBACK = { reply: 4, deferReply: 5, deferUpdate: 6, suggestions: 8, modal: 9 } as const;

/** The first word about an interaction, for which Discord waits 3 seconds. */
export function createCallbacks(line: CallbackLine, onSaid: (interactionId: string) => void) {
  const callback = async (reply: Reply, type: number, data?: object): Promise<Outcome<unknown>> => {
    const path = `${Routes.interactionCallback(reply.id, reply.token)}?with_response=true`;
    const body = { type, ...(data && { data }) };
    const outcome = await untilKnown(() => line.post(path, body));
    onSaid(reply.id);
    return outcome;
  };
  return {
    async deferReply(reply: Reply, isPrivate: boolean): Promise<Outcome<{ messageId: string; isPrivate: boolean }>> {
      const outcome = await callback(reply, CALLBACK.deferReply, isPrivate ? { flags: EPHEMERAL } : undefined);
      if (outcome.kind === 'refused') return outcome;
      const { response_message_id, response_message_ephemeral } = deferred.parse(outcome.value).interaction;
      // Where apps may not speak in public, Discord makes an answer private by itself.
      const value = { messageId: response_message_id, isPrivate: response_message_ephemeral ?? isPrivate };
      return { kind: 'done', value };
    },
    deferUpdate: (reply: Reply) => callback(reply, CALLBACK.deferUpdate),
    replyPrivately: (reply: Reply, shown: DiscordMessage) =>
      callback(reply, CALLBACK.reply, toBody({ ...shown, isPrivate: true })),
    showModal: (reply: Reply, modal: object) => callback(reply, CALLBACK.modal, modal),
    suggest: (reply: Reply, choices: { name: string; value: string }[]) =>
      callback(reply, CALLBACK.suggestions, { choices }),
  };
}

/** What the token of an interaction opens for 15 minutes. `@original` is the answer itself. */
export function createAnswerCalls(rest: REST, applicationId: string) {
  const route = (token: string, messageId: string) => Routes.webhookMessage(applicationId, token, messageId);
  return {
    async readAnswer(token: string, messageId: string): Promise<Outcome<{ messageId: string; isPrivate: boolean }>> {
      const outcome = await untilKnown(() => outcomeOf(rest.get(route(token, messageId), { auth: false })));
      if (outcome.kind === 'refused') return outcome;
      const { id, flags } = messageSchema.parse(outcome.value);
      return { kind: 'done', value: { messageId: id, isPrivate: ((flags ?? 0) & EPHEMERAL) !== 0 } };
    },
    /** Made once: a caller that repeats it has to know what may still come of the first (latest-edits.ts). */
    editAnswer: (token: string, messageId: string, shown: DiscordMessage) =>
      outcomeOf(rest.patch(route(token, messageId), { body: toBody(shown), auth: false })),
    deleteAnswer: (token: string, messageId: string) =>
      untilKnown(() => outcomeOf(rest.delete(route(token, messageId), { auth: false }))),
    async followUp(token: string, shown: NewMessage): Promise<Outcome<string>> {
      const request = { body: toBody(shown), auth: false };
      return idOf(await untilKnown(() => outcomeOf(rest.post(Routes.webhook(applicationId, token), request))));
    },
  };
}
