/** How fast a bot may speak: the platform's own limits, less a margin. */
export type PaceLimits = {
  burstPerChat: number;
  perChatPerSecond: number;
  perGroupPerMinute: number;
  /** How much of that is kept for answers to one person, so that moderators are answered in any rush. */
  keptPerGroupPerMinute: number;
  overallPerSecond: number;
  /** How much may go at once after a silence; after that evenly. */
  overallBurst: number;
};

/** What a chat can do, and how much of it. Code asks the row, and never compares a chat's name. */
export type ChatRow = {
  /** Moderators give members roles; elsewhere the platform itself lists who moderates. */
  hasRoles: boolean;
  /** The bot sees who writes in a community, so it knows who is there. */
  seesMembers: boolean;
  /**
   * The wallet of a community: its id is the prefix and the platform's own id. `isLasting`: that id never changes. Null
   * where there are no communities.
   */
  treasury: { prefix: string; idForm: RegExp; isLasting: (communityId: string) => boolean } | null;
  /** One person's commands per minute: more would only keep others waiting. */
  commandsPerMinute: number;
  /** True: a failed event is worked on again. False: its person has been told that it failed, and types it again. */
  repeatsFailedEvents: boolean;
  /** How long the number of an event is remembered: longer than the platform may deliver it again. */
  eventKnownMs: number;
  outbox: {
    /** The platform's limits, less a margin. Null: the client library waits by itself. */
    pace: PaceLimits | null;
    /** A step that is over sooner needs no edit of its own; `shared`: where others read along, an edit costs more. */
    stepLastsMs: { private: number; shared: number };
    /** The platform itself shows that the bot is working, until there is an answer. */
    showsWork: boolean;
    /** How many messages at once, so that in a rush nobody waits for the answers of others. */
    turnsAtOnce: number;
    /** How long the platform may still carry out a call that the bot gave up. */
    lateMs: number;
  };
  /** A bot can delete nothing older than this. Null: it can delete anything it wrote. */
  deletableMs: number | null;
};

const HOUR_MS = 3_600_000;

/** The one list of chats that the bot is in. */
export const CHATS = {
  web: {
    hasRoles: false,
    seesMembers: false,
    treasury: null,
    commandsPerMinute: 60,
    repeatsFailedEvents: true,
    eventKnownMs: 24 * HOUR_MS,
    // Its pages follow the stored chat, and that is all the showing there is.
    outbox: { pace: null, stepLastsMs: { private: 0, shared: 0 }, showsWork: false, turnsAtOnce: 100, lateMs: 0 },
    deletableMs: null,
  },
  discord: {
    hasRoles: true,
    seesMembers: false,
    treasury: { prefix: 'discord-guild', idForm: /^[1-9][0-9]{0,19}$/, isLasting: () => true },
    commandsPerMinute: 30,
    repeatsFailedEvents: false,
    // Discord repeats an event within minutes or never.
    eventKnownMs: 24 * HOUR_MS,
    outbox: {
      pace: null,
      stepLastsMs: { private: 700, shared: 700 },
      showsWork: true,
      // More at once would only wait on Discord's side, where their time limit is running.
      turnsAtOnce: 50,
      // Discord promises nothing, but its proxies give up after some seconds, and an edit takes a tenth of one.
      lateMs: 15_000,
    },
    deletableMs: null,
  },
  telegram: {
    hasRoles: false,
    seesMembers: true,
    treasury: {
      prefix: 'telegram-group',
      idForm: /^-[1-9][0-9]{0,15}$/,
      // Telegram renumbers a small group when it grows; ids below this never change (Bot API, "Chat").
      isLasting: (communityId) => Number(communityId) < -1_000_000_000_000,
    },
    commandsPerMinute: 30,
    repeatsFailedEvents: true,
    // Telegram keeps what is not confirmed for a day.
    eventKnownMs: 72 * HOUR_MS,
    outbox: {
      // Telegram: about one message a second in a chat with short bursts, 20 sends and edits a minute in a group, about 30
      // a second in all. It counts on arrival and by its own clock.
      pace: {
        burstPerChat: 3,
        perChatPerSecond: 0.9,
        perGroupPerMinute: 19,
        keptPerGroupPerMinute: 4,
        overallPerSecond: 26,
        overallBurst: 13,
      },
      stepLastsMs: { private: 700, shared: 2_500 },
      showsWork: false,
      turnsAtOnce: 100,
      lateMs: 0,
    },
    deletableMs: 48 * HOUR_MS,
  },
} as const satisfies Record<string, ChatRow>;

export type ChatName = keyof typeof CHATS;

// A map, because "constructor" is no chat.
const rows = new Map<string, ChatRow>(Object.entries(CHATS));

/** The row without its literal types; null for a transport that is none of ours. */
export function findChatRow(transport: string): ChatRow | null {
  return rows.get(transport) ?? null;
}

/** Every row, for what concerns all chats alike. */
export const CHAT_ROWS: readonly ChatRow[] = [...rows.values()];
