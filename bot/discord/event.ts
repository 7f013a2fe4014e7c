import { z } from 'zod';

/** Who did something, and where. `id` and `token` answer it. */
const askedSchema = z.object({
  id: z.string(),
  token: z.string(),
  user: z.object({ id: z.string(), name: z.string() }),
  locale: z.string(),
  channelId: z.string(),
  /** A chat of two, so nothing has to be hidden. */
  isDirect: z.boolean(),
  chatId: z.string(),
  chatName: z.string().nullable(),
  communityId: z.string().nullable(),
  isModerator: z.boolean(),
});
export type Asked = z.infer<typeof askedSchema>;

const personSchema = z.object({ id: z.string(), name: z.string(), isBot: z.boolean() });
export type Person = z.infer<typeof personSchema>;

/** Everything with an effect, so it is stored first: a command or form, as the text of the grammar, and a press. */
export const taskSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('command'),
    asked: askedSchema,
    text: z.string(),
    /** The people and roles that the text names by number, as Discord knows them. */
    people: z.array(personSchema),
    roles: z.array(z.object({ id: z.string(), name: z.string() })),
    /** The message on which the form was opened. */
    tippedMessageId: z.string().optional(),
  }),
  z.object({
    kind: z.literal('press'),
    asked: askedSchema,
    buttonId: z.string(),
    messageId: z.string(),
    isPrivate: z.boolean(),
  }),
]);
export type Task = z.infer<typeof taskSchema>;

/** Only asks for something to be shown at once. A member who gets no answer asks again. */
export type Question = { asked: Asked } & (
  | { kind: 'menu'; person: Person; messageId: string | null }
  | { kind: 'suggest'; typed: string }
);

export type Incoming = Task | Question;
