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
const title = z.string().max(256);
const chat = z.object({ id, type: z.enum(['private', 'group', 'supergroup', 'channel']), title: title.optional() });
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
  /** Set on another author's words, which this person only passes on; the bot does not act on them. */
  forward_origin: z.object({}).optional(),
  via_bot: z.object({}).optional(),
  sender_business_bot: z.object({}).optional(),
  entities: z.array(entity).max(200).optional(),
  reply_to_message: z
    .object({
      message_id: id,
      from: person.optional(),
      sender_chat: z.object({ id }).optional(),
      /** What opened a topic: whatever is said there without a reply answers it. */
      forum_topic_created: z.object({ name: title }).optional(),
    })
    .optional(),
});

const press = z.object({
  id: z.string().min(1).max(64),
  from: person,
  data: z.string().min(1).max(64),
  message: z.object({ ...place, message_id: id }),
});

const said = z.object({ update_id: id, message });
const pressed = z.object({ update_id: id, callback_query: press });
/** A group has become a supergroup, which is another chat to Telegram. */
const moved = z.object({ update_id: id, message: z.object({ chat, migrate_to_chat_id: id }) });
const membership = z.object({ status: z.string() });
/** What the bot itself is in a chat has changed. `date` in seconds. */
const placed = z.object({
  update_id: id,
  my_chat_member: z.object({ chat, date: id, old_chat_member: membership, new_chat_member: membership }),
});

/** Anything else is confirmed and forgotten. */
export const updateSchema = z.union([said, pressed, moved, placed]);

export type KnownUpdate = z.infer<typeof updateSchema>;
/** What a person did. */
export type PersonalUpdate = z.infer<typeof said> | z.infer<typeof pressed>;
export type MovedUpdate = z.infer<typeof moved>;
export type PlacedUpdate = z.infer<typeof placed>;
export type TelegramPerson = z.infer<typeof person>;
export type TelegramText = z.infer<typeof message>;
export type TelegramPress = z.infer<typeof press>;
export type TelegramEntity = z.infer<typeof entity>;

/** Telegram numbers what it delivers. */
export function updateIdOf({ update_id: id }: Pick<KnownUpdate, 'update_id'>): string {
  return String(id);
}

/** Whose events are taken one after another: where nobody did something, the chat's. */
export function personOf(update: KnownUpdate): string {
  if ('callback_query' in update) return String(update.callback_query.from.id);
  if ('my_chat_member' in update) return String(update.my_chat_member.chat.id);
  const { message } = update;
  return String(('from' in message ? message.from?.id : undefined) ?? message.chat.id);
}

/** As much of what has come as the bot reads. */
export function readUpdates(updates: unknown): KnownUpdate[] {
  return Array.isArray(updates) ? updates.flatMap((update) => updateSchema.safeParse(update).data ?? []) : [];
}

export function isMoved(update: KnownUpdate): update is MovedUpdate {
  return 'message' in update && 'migrate_to_chat_id' in update.message;
}

export function isPlaced(update: KnownUpdate): update is PlacedUpdate {
  return 'my_chat_member' in update;
}

/** The statuses in which the bot can say something. Restricting a bot takes that from it, and nothing else. */
const SPEAKING = ['member', 'administrator', 'creator'];

/** Whether the bot was away before, or silent, and is there now. */
export function hasCome({ my_chat_member: { old_chat_member: before, new_chat_member: now } }: PlacedUpdate): boolean {
  return !SPEAKING.includes(before.status) && SPEAKING.includes(now.status);
}

/** The same kinds, for Telegram: it sends no others. */
export const UPDATE_KINDS = ['message', 'callback_query', 'my_chat_member'] as const;

/** Telegram's own stand-in for administrators who write in the name of their group. */
const GROUP_ANONYMOUS_BOT = 1_087_968_824;

/** Whether the group itself speaks. Only its administrators can do that; anyone may speak in the name of a channel. */
export function isGroupItself({ from, sender_chat: senderChat, chat: { id: chatId } }: TelegramText): boolean {
  return senderChat?.id === chatId && from?.id === GROUP_ANONYMOUS_BOT;
}

/** Nobody could show this "person" anything alone. */
export function isNobody(userId: number): boolean {
  return userId === GROUP_ANONYMOUS_BOT;
}

export function placeOf({
  chat: { id: chatId },
  message_thread_id: topic,
  is_topic_message: isTopic,
}: z.infer<z.ZodObject<typeof place>>): { chat: number; topic: number | null } {
  // A thread of replies has such a number too; only a topic is a place of its own.
  return { chat: chatId, topic: isTopic === true && topic !== undefined ? topic : null };
}

/** Whose message this one answers, where both are people; null for anything else. */
export function answeredIn(update: PersonalUpdate): { message: number; author: number; by: number } | null {
  if (!('message' in update)) return null;
  const { from, sender_chat: senderChat, reply_to_message: original } = update.message;
  const author = original?.from;
  if (!from || !original || !author || senderChat !== undefined || original.sender_chat !== undefined) return null;
  // What is written in a topic answers the message that opened it.
  const isTopic = original.forum_topic_created !== undefined;
  if (isTopic || from.is_bot || author.is_bot || from.id === author.id) return null;
  return { message: original.message_id, author: author.id, by: from.id };
}
