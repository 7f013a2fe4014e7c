import { z } from 'zod';

/** The parts of an update that the bot reads. All that Telegram tells beyond them is dropped where it comes in. */
const id = z.int();
const person = z.object({
  id,
  is_bot: z.boolean(),
  first_name: z.string().max(256),
  username: z.string().max(64).optional(),
  language_code: z.string().max(35).optional(),
});
const chat = z.object({ id, type: z.enum(['private', 'group', 'supergroup', 'channel']) });
const place = { chat, message_thread_id: id.optional(), is_topic_message: z.boolean().optional() };

const entity = z.object({ type: z.string(), offset: z.int().min(0), length: z.int().min(0), user: person.optional() });

const message = z.object({
  ...place,
  message_id: id,
  ephemeral_message_id: id.optional(),
  /** Seconds. */
  date: z.int(),
  from: person.optional(),
  sender_chat: z.object({ id }).optional(),
  text: z.string().max(8_192),
  entities: z.array(entity).max(200).optional(),
  reply_to_message: z
    .object({ message_id: id, from: person.optional(), sender_chat: z.object({ id }).optional() })
    .optional(),
});

const press = z.object({
  id: z.string().min(1).max(64),
  from: person,
  data: z.string().min(1).max(64),
  message: z.object({ ...place, message_id: id }),
});

/** Anything else is confirmed and forgotten. */
export const updateSchema = z.union([
  z.object({ update_id: id, message }),
  z.object({ update_id: id, callback_query: press }),
]);

export type KnownUpdate = z.infer<typeof updateSchema>;
export type TelegramPerson = z.infer<typeof person>;
export type TelegramText = z.infer<typeof message>;
export type TelegramPress = z.infer<typeof press>;
export type TelegramEntity = z.infer<typeof entity>;

/** The same kinds, for Telegram: it sends no others. */
export const UPDATE_KINDS = ['message', 'callback_query'] as const;

export function placeOf({
  chat: { id: chatId },
  message_thread_id: topic,
  is_topic_message: isTopic,
}: z.infer<z.ZodObject<typeof place>>): { chat: number; topic: number | null } {
  // A thread of replies has such a number too; only a topic is a place of its own.
  return { chat: chatId, topic: isTopic === true && topic !== undefined ? topic : null };
}
