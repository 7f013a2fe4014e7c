/** sendMessage, sendPhoto, sendDocument. */
import { z } from 'zod';
import { checkEphemeral, withReceiver } from '../ephemeral.ts';
import { toDocument, toPhotoSizes } from '../files.ts';
import { readKeyboard, replyMarkup } from '../keyboard.ts';
import { writableChat } from '../members.ts';
import { type ReplyParameters, chatId, ephemeralParameters, flag, integer, replyParameters } from '../parameters.ts';
import type { Platform } from '../platform.ts';
import { badRequest } from '../refusal.ts';
import type { Parsed } from '../text/html.ts';
import { type ChatMessage, type FakeChat, type StoredMessage, asReplied, store } from '../world.ts';
import { method } from './method.ts';
import { captionOf, captionParameters, textOf, textParameters } from './texts.ts';

const destination = {
  chat_id: chatId,
  message_thread_id: integer.optional(),
  ephemeral_message_parameters: ephemeralParameters.optional(),
  disable_notification: flag.optional(),
  protect_content: flag.optional(),
  reply_parameters: replyParameters.optional(),
  reply_markup: replyMarkup.optional(),
};
const destinationSchema = z.strictObject(destination);
type Destination = z.infer<typeof destinationSchema>;
type Content = Pick<ChatMessage, 'text' | 'entities' | 'caption' | 'caption_entities' | 'photo' | 'document'> &
  Pick<ChatMessage, 'link_preview_options'>;

export const sendMessage = method(z.strictObject({ ...destination, ...textParameters }), (platform, parameters) => {
  const { text, entities } = textOf(platform, parameters);
  return send(platform, parameters, {
    text,
    ...(entities.length > 0 ? { entities } : {}),
    ...(parameters.link_preview_options ? { link_preview_options: parameters.link_preview_options } : {}),
  });
});

export const sendPhoto = method(
  z.strictObject({
    ...destination,
    ...captionParameters,
    photo: z.string().optional(),
    has_spoiler: flag.optional(),
    show_caption_above_media: flag.optional(),
  }),
  (platform, parameters, { uploads }) => {
    const caption = captionOf(platform, parameters);
    const file = platform.files.resolve(parameters.photo, 'photo', uploads, 'photo');
    return send(platform, parameters, { photo: toPhotoSizes(file), ...toCaption(caption) });
  },
);

export const sendDocument = method(
  z.strictObject({
    ...destination,
    ...captionParameters,
    document: z.string().optional(),
    disable_content_type_detection: flag.optional(),
  }),
  (platform, parameters, { uploads }) => {
    const caption = captionOf(platform, parameters);
    const file = platform.files.resolve(parameters.document, 'document', uploads, 'document');
    return send(platform, parameters, { document: toDocument(file), ...toCaption(caption) });
  },
);

function toCaption(caption: Parsed | null): Content {
  if (!caption) return {};
  return { caption: caption.text, ...(caption.entities.length > 0 ? { caption_entities: caption.entities } : {}) };
}

/** Everything is checked before the flood limit counts: what is refused has not been sent. */
function send(platform: Platform, wanted: Destination, content: Content): ChatMessage {
  const { world } = platform;
  const chat = writableChat(world, wanted.chat_id);
  const addressed = checkEphemeral(platform, chat, wanted.ephemeral_message_parameters, wanted.reply_parameters);
  const original = repliedTo(chat, wanted.reply_parameters, world.bot.id);
  const topic = topicOf(chat, wanted.message_thread_id, original);
  const keyboard = readKeyboard(wanted.reply_markup);
  platform.flood.take(chat.info);

  const stored = store(
    world,
    chat,
    {
      from: world.bot,
      ...topic,
      ...(original ? { reply_to_message: asReplied(original.message) } : {}),
      ...content,
      ...(wanted.protect_content ? { has_protected_content: true as const } : {}),
      ...(keyboard ? { reply_markup: keyboard } : {}),
    },
    addressed?.receiverId ?? null,
  );
  if (addressed) {
    withReceiver(platform, stored, addressed.receiverId);
    addressed.replaces?.hiddenFor.add(addressed.receiverId);
  }
  return stored.message;
}

function repliedTo(chat: FakeChat, reply: ReplyParameters | undefined, botId: number): StoredMessage | null {
  if (!reply) return null;
  if (reply.chat_id !== undefined && reply.chat_id !== chat.info.id) {
    throw badRequest('replies to another chat are not modelled here');
  }
  const original =
    reply.message_id === undefined
      ? chat.ephemeral.get(reply.ephemeral_message_id ?? 0)
      : chat.messages.get(reply.message_id);
  if (original && original.deletedAtMs === null && (original.onlyFor === null || original.message.from.id !== botId)) {
    return original;
  }
  if (reply.allow_sending_without_reply) return null;
  throw badRequest('message to be replied not found');
}

/** Without a topic of its own, a reply stands in the topic of its original. */
function topicOf(chat: FakeChat, threadId: number | undefined, original: StoredMessage | null) {
  const wanted = threadId ?? original?.message.message_thread_id;
  if (wanted === undefined || chat.topics.size === 0) {
    // Groups without topics ignore the parameter, as the real ones do.
    return {};
  }
  if (![...chat.topics.values()].includes(wanted)) throw badRequest('message thread not found');
  return { message_thread_id: wanted, is_topic_message: true };
}
