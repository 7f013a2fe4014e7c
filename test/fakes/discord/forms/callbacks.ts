import { InteractionResponseType as Answer, InteractionType } from 'discord-api-types/v10';
import { z } from 'zod';
import { choices } from './commands.ts';
import { formFailure, readForm } from './form.ts';
import { deferral, interactionMessage, messageEdit } from './messages.ts';
import { modal } from './modals.ts';

const envelope = z.strictObject({ type: z.int(), data: z.unknown().optional() });
const MESSAGE_ANSWERS = [Answer.ChannelMessageWithSource, Answer.DeferredChannelMessageWithSource];
const UPDATES = [Answer.DeferredMessageUpdate, Answer.UpdateMessage];

/** An answer that has been read: its type decides what its data is. */
export type Callback = ReturnType<typeof readCallback>;

/** Which answers an interaction allows: updates need a message to update, and a modal cannot open the next one. */
function allowedAnswers(type: InteractionType, hasMessage: boolean): Answer[] {
  switch (type) {
    case InteractionType.ApplicationCommandAutocomplete:
      return [Answer.ApplicationCommandAutocompleteResult];
    case InteractionType.MessageComponent:
      return [...MESSAGE_ANSWERS, ...UPDATES, Answer.Modal];
    case InteractionType.ModalSubmit:
      return hasMessage ? [...MESSAGE_ANSWERS, ...UPDATES] : MESSAGE_ANSWERS;
    case InteractionType.ApplicationCommand:
      return [...MESSAGE_ANSWERS, Answer.Modal];
    case InteractionType.Ping:
      return [Answer.Pong];
  }
}

export function readCallback(sent: unknown, interaction: InteractionType, hasMessage: boolean) {
  const { type, data } = readForm(envelope, sent);
  const allowed = allowedAnswers(interaction, hasMessage);
  if (!allowed.some((answer) => Number(answer) === type)) {
    const message = `Value must be one of {${allowed.join(', ')}}.`;
    throw formFailure([{ path: ['type'], code: 'BASE_TYPE_CHOICES', message }]);
  }
  const at = ['data'];
  switch (type) {
    case Answer.ChannelMessageWithSource:
      return { type, data: readForm(interactionMessage, data ?? {}, at) } as const;
    case Answer.DeferredChannelMessageWithSource:
      return { type, data: readForm(deferral, data ?? {}, at) } as const;
    case Answer.DeferredMessageUpdate:
      return { type, data: readForm(z.strictObject({}).nullish(), data, at) } as const;
    case Answer.UpdateMessage:
      return { type, data: readForm(messageEdit, data ?? {}, at) } as const;
    case Answer.ApplicationCommandAutocompleteResult:
      return { type, data: readForm(z.strictObject({ choices }), data, at) } as const;
    case Answer.Modal:
      return { type, data: readForm(modal, data, at) } as const;
    default:
      throw new Error(`expected an answer's type, found ${type}`);
  }
}
