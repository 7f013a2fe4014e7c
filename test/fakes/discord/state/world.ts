import type {
  APIOverwrite,
  InteractionContextType,
  InteractionResponseType,
  InteractionType,
  MessageType,
} from 'discord-api-types/v10';
import type { Command, CommandChoice } from '../forms/commands.ts';
import type { Components } from '../forms/components.ts';
import type { Embeds } from '../forms/embeds.ts';
import type { Modal } from '../forms/modals.ts';
import type { Settings } from '../settings.ts';
import { type Changes, createChanges } from './changes.ts';
import { createSnowflakes } from './snowflakes.ts';

export type User = {
  id: string;
  username: string;
  globalName: string | null;
  bot: boolean;
  /** The language of this person's client. */
  locale: string;
  /** False when direct messages are closed: sending there answers 50007. */
  acceptsMessages: boolean;
  /** Whether this person has added the app to their own account. */
  installed: boolean;
};

export type Role = { id: string; name: string; permissions: bigint; mentionable: boolean; position: number };
export type Member = { userId: string; roleIds: Set<string>; nick: string | null; joinedAt: number };

export type Guild = {
  id: string;
  name: string;
  ownerId: string;
  locale: string;
  /** Whether the app was added with the scope of commands; without the bot it only answers interactions. */
  installed: boolean;
  roles: Map<string, Role>;
  members: Map<string, Member>;
};

export type Channel = {
  id: string;
  kind: 'text' | 'dm' | 'group';
  guildId: string | null;
  name: string | null;
  recipientIds: string[];
  overwrites: APIOverwrite[];
  lastMessageId: string | null;
};

export type Attachment = { id: string; filename: string; contentType: string; bytes: Buffer; description?: string };

/** What a message showed from one moment on. */
export type Version = {
  at: number;
  content: string;
  embeds: Embeds;
  components: Components;
  attachments: Attachment[];
};

export type Mentions = { userIds: string[]; roleIds: string[]; everyone: boolean };

export type Message = Version & {
  id: string;
  type: MessageType;
  channelId: string;
  authorId: string;
  flags: number;
  createdAt: number;
  editedAt: number | null;
  deletedAt: number | null;
  tts: boolean;
  nonce: string | number | null;
  replyToId: string | null;
  interactionId: string | null;
  /** The only person who sees an ephemeral message. */
  onlyFor: string | null;
  mentions: Mentions;
  /** Who got a notification when the message appeared. Edits notify nobody. */
  notifiedIds: string[];
  reactions: Map<string, Set<string>>;
  versions: Version[];
};

export type Answer = { type: InteractionResponseType; at: number; afterMs: number };

export type Interaction = {
  id: string;
  token: string;
  type: InteractionType;
  /** The command's full name, or the component's custom id. */
  name: string;
  userId: string;
  channelId: string;
  guildId: string | null;
  context: InteractionContextType;
  owners: { '0'?: string; '1'?: string };
  createdAt: number;
  answerUntil: number;
  tokenUntil: number;
  answer: Answer | null;
  /** Every further answer, which Discord refused. */
  refusedAnswers: { at: number; code: number }[];
  /** The message that the component or the modal's button is attached to. */
  sourceMessageId: string | null;
  originalMessageId: string | null;
  /** A deferred answer waits for its content: the next message fills it. */
  loading: boolean;
  followUpIds: string[];
  choices: CommandChoice[] | null;
  modal: Modal | null;
  event: GatewayEvent;
};

/** `withoutContent` goes to sessions that may not read what people write. */
export type GatewayEvent = { t: string; d: unknown; guildId: string | null; withoutContent?: unknown };

/** Everything that this Discord knows. It lives as long as the server, not as long as a bot's connection. */
export type World = {
  settings: Settings;
  /** Where attachments are served. */
  origin: string;
  now: () => number;
  nextId: () => string;
  changes: Changes;
  bot: User;
  users: Map<string, User>;
  guilds: Map<string, Guild>;
  channels: Map<string, Channel>;
  messages: Map<string, Message>;
  interactions: Map<string, Interaction>;
  /** The interaction that a token belongs to. */
  tokens: Map<string, Interaction>;
  /** A registered command by its id. */
  commands: Map<string, Command>;
  nonces: Map<string, { messageId: string; at: number }>;
  /** Hands an event to every connected session; the gateway puts itself here. */
  publish: (event: GatewayEvent) => void;
};

export function createWorld(settings: Settings): World {
  const nextId = createSnowflakes(settings.now);
  const bot: User = {
    id: nextId(),
    username: settings.botName,
    globalName: null,
    bot: true,
    locale: 'en-US',
    acceptsMessages: true,
    installed: false,
  };
  return {
    settings,
    origin: '',
    now: settings.now,
    nextId,
    changes: createChanges(),
    bot,
    users: new Map([[bot.id, bot]]),
    guilds: new Map(),
    channels: new Map(),
    messages: new Map(),
    interactions: new Map(),
    tokens: new Map(),
    commands: new Map(),
    nonces: new Map(),
    publish: () => undefined,
  };
}
