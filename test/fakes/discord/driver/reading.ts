import { ComponentType, MessageFlags } from 'discord-api-types/v10';
import { partsOf, textsOf } from '../state/contents.ts';
import { attachmentUrl } from '../state/message-shape.ts';
import { canSee } from '../state/messages.ts';
import type { Interaction, Message, Version, World } from '../state/world.ts';
import type { Ref } from './directory.ts';

export type SeenButton = {
  label: string | null;
  customId: string | null;
  url: string | null;
  style: number;
  disabled: boolean;
};

/** A message as one member sees it now. */
export type SeenMessage = {
  id: string;
  channelId: string;
  author: { id: string; username: string; bot: boolean };
  content: string;
  /** The content, and every text of embeds and components, in the order in which they are shown. */
  text: string;
  embeds: Version['embeds'];
  components: Version['components'];
  buttons: SeenButton[];
  attachments: { filename: string; contentType: string; bytes: Buffer; url: string }[];
  isEphemeral: boolean;
  /** The bot "is thinking": a deferred answer without content. */
  isLoading: boolean;
  isEdited: boolean;
  createdAt: number;
  replyToId: string | null;
  interactionId: string | null;
  mentions: Message['mentions'];
  /** Who got a notification when the message appeared. */
  notifiedIds: string[];
  reactions: { emoji: string; userIds: string[] }[];
};

/** How an interaction fared; `afterMs` is null while nobody has answered. */
export type Acknowledgement = {
  interactionId: string;
  name: string;
  createdAt: number;
  type: number | null;
  afterMs: number | null;
  refused: { at: number; code: number }[];
};

export function createReadings(world: World) {
  return {
    /** What a person sees in a channel, oldest first: no deleted messages, and of ephemeral ones only their own. */
    sees: (user: Ref, channel: Ref): SeenMessage[] =>
      [...world.messages.values()]
        .filter((message) => message.channelId === channel.id && canSee(world, message, user.id))
        .map((message) => toSeen(world, message)),

    /** Everything that was ever posted in a channel, deleted and ephemeral messages included. */
    everything: (channel: Ref): SeenMessage[] =>
      [...world.messages.values()]
        .filter(({ channelId }) => channelId === channel.id)
        .map((message) => toSeen(world, message)),

    /** What the message showed, from its creation to its last edit. */
    history: (message: Ref): Version[] => [...(world.messages.get(message.id)?.versions ?? [])],

    /** Messages that notified this person. */
    notifications: (user: Ref): SeenMessage[] =>
      [...world.messages.values()]
        .filter(({ notifiedIds }) => notifiedIds.includes(user.id))
        .map((message) => toSeen(world, message)),

    /** The answer to an interaction as it is shown now, or null: none yet, deleted, or no message. */
    answerTo: (interaction: Interaction): SeenMessage | null => {
      const message = world.messages.get(interaction.originalMessageId ?? '');
      return message && message.deletedAt === null ? toSeen(world, message) : null;
    },

    followUpsTo: (interaction: Interaction): SeenMessage[] =>
      interaction.followUpIds
        .flatMap((id) => world.messages.get(id) ?? [])
        .filter(({ deletedAt }) => deletedAt === null)
        .map((message) => toSeen(world, message)),

    interactions: (): Interaction[] => [...world.interactions.values()],

    acknowledgements: (): Acknowledgement[] =>
      [...world.interactions.values()].map(({ id, name, createdAt, answer, refusedAnswers }) => ({
        interactionId: id,
        name,
        createdAt,
        type: answer?.type ?? null,
        afterMs: answer?.afterMs ?? null,
        refused: refusedAnswers,
      })),
  };
}

function toSeen(world: World, message: Message): SeenMessage {
  const author = world.users.get(message.authorId);
  if (!author) throw new Error(`expected the author of the message ${message.id}`);
  return {
    id: message.id,
    channelId: message.channelId,
    author: { id: author.id, username: author.username, bot: author.bot },
    content: message.content,
    text: [...textsOf(message), ...message.embeds.flatMap(embedTexts)].filter((part) => part !== '').join('\n'),
    embeds: message.embeds,
    components: message.components,
    buttons: buttonsOf(message),
    attachments: message.attachments.map((attachment) => ({
      filename: attachment.filename,
      contentType: attachment.contentType,
      bytes: attachment.bytes,
      url: attachmentUrl(world, message.channelId, attachment),
    })),
    isEphemeral: message.onlyFor !== null,
    isLoading: (message.flags & MessageFlags.Loading) !== 0,
    isEdited: message.editedAt !== null,
    createdAt: message.createdAt,
    replyToId: message.replyToId,
    interactionId: message.interactionId,
    mentions: message.mentions,
    notifiedIds: message.notifiedIds,
    reactions: [...message.reactions].map(([emoji, userIds]) => ({ emoji, userIds: [...userIds] })),
  };
}

function embedTexts({ author, title, description, fields, footer }: Version['embeds'][number]): string[] {
  const named = (fields ?? []).flatMap(({ name, value }) => [name, value]);
  return [author?.name ?? '', title ?? '', description ?? '', ...named, footer?.text ?? ''];
}

function buttonsOf(message: Message): SeenButton[] {
  return partsOf(message.components).flatMap((part) =>
    part.type === ComponentType.Button
      ? [
          {
            label: 'label' in part ? (part.label ?? null) : null,
            customId: 'custom_id' in part ? part.custom_id : null,
            url: 'url' in part ? part.url : null,
            style: part.style,
            disabled: part.disabled ?? false,
          },
        ]
      : [],
  );
}
