import { GatewayIntentBits as Intent } from 'discord-api-types/v10';
import { PRIVILEGED_INTENTS, type Settings } from '../settings.ts';
import type { GatewayEvent } from '../state/world.ts';

const KNOWN_INTENTS = Object.values(Intent).reduce<number>(
  (all, bit) => (typeof bit === 'number' ? all | bit : all),
  0,
);

/** Null when a session may have these intents, else the code with which Discord closes. */
export function refuseIntents(settings: Settings, intents: number): 4013 | 4014 | null {
  if ((intents & ~KNOWN_INTENTS) !== 0) return 4013;
  return (intents & PRIVILEGED_INTENTS & ~settings.privilegedIntents) === 0 ? null : 4014;
}

/** Which intent lets an event through: the one for guilds, and the one for direct messages. Interactions need none. */
const NEEDED: Record<string, readonly [inGuild: number, inDirect: number]> = {
  GUILD_CREATE: [Intent.Guilds, 0],
  GUILD_DELETE: [Intent.Guilds, 0],
  CHANNEL_CREATE: [Intent.Guilds, 0],
  CHANNEL_DELETE: [Intent.Guilds, 0],
  GUILD_MEMBER_ADD: [Intent.GuildMembers, 0],
  MESSAGE_CREATE: [Intent.GuildMessages, Intent.DirectMessages],
  MESSAGE_UPDATE: [Intent.GuildMessages, Intent.DirectMessages],
  MESSAGE_DELETE: [Intent.GuildMessages, Intent.DirectMessages],
  MESSAGE_REACTION_ADD: [Intent.GuildMessageReactions, Intent.DirectMessageReactions],
  MESSAGE_REACTION_REMOVE: [Intent.GuildMessageReactions, Intent.DirectMessageReactions],
};

/** What a session with these intents gets of an event, or nothing. */
export function filterEvent(event: GatewayEvent, intents: number): { t: string; d: unknown } | null {
  const needed = NEEDED[event.t]?.[event.guildId === null ? 1 : 0] ?? 0;
  if ((intents & needed) !== needed) return null;
  const mayRead = (intents & Intent.MessageContent) !== 0;
  return { t: event.t, d: event.withoutContent === undefined || mayRead ? event.d : event.withoutContent };
}
