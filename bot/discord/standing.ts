import { PermissionFlagsBits } from 'discord.js';
import { readDiscordChat } from '../../core/discord/chat.ts';
import type { Messenger } from '../shared/messenger.ts';
import type { Calls } from './calls.ts';
import type { GuildFacts, MemberFacts } from './guild-calls.ts';

const MODERATING = PermissionFlagsBits.ManageGuild | PermissionFlagsBits.Administrator;

/** The time of joining is remembered this long; a shorter absence hardly matters. */
const JOINED_MS = 5 * 60_000;
const GUILDS_MAX = 10_000;

type Deps = { calls: Pick<Calls, 'readGuild' | 'readMember'>; applicationId: string; now: () => number };

/**
 * Who runs a guild, asked now. Listing a role's members would mean reading all members, so the owner counts as alone
 * only where no role that a person could have makes a moderator. Discord answers few such questions a second.
 */
export function createStanding({ calls, applicationId, now }: Deps): NonNullable<Messenger['standing']> {
  const joinedIn = createJoined({ calls, applicationId, now });
  return async (communityId, userIds, roleId) => {
    const [guild, botSinceMs] = await Promise.all([calls.readGuild(communityId), joinedIn(communityId)]);
    const ownerId = `discord:${guild.owner_id}`;
    const members = await Promise.all(
      userIds
        .filter((userId) => userId !== ownerId)
        .map(async (userId) => ({ userId, member: await calls.readMember(communityId, toNumber(userId)) })),
    );
    const moderators = members.filter(
      ({ member }) => member !== null && (moderates(guild, member) || hasRole(guild, member, roleId)),
    );
    return {
      ownerId,
      moderatorIds: moderators.map(({ userId }) => userId),
      isOwnerAlone: !guild.roles.some((role) => role.tags?.bot_id === undefined && isModerating(role.permissions)),
      botSinceMs,
    };
  };
}

/**
 * Its chat is a person's where the bot may not write: in a channel that is closed to it, or in a guild that one of its members
 * has brought it to.
 */
export function createRights({
  calls,
  applicationId,
}: Pick<Deps, 'calls' | 'applicationId'>): NonNullable<Messenger['lacks']> {
  return async ({ communityId, chatId }) => {
    if (readDiscordChat(chatId).kind !== 'person') return [];
    // Discord tells about a guild to nobody but its members.
    const self = await calls.readMember(communityId, applicationId).catch(() => null);
    return self === null ? ['member', 'write'] : ['write'];
  };
}

/** When the bot came to a guild. */
function createJoined({ calls, applicationId, now }: Deps): (guildId: string) => Promise<number> {
  const known = new Map<string, { joinedAtMs: number; askedAtMs: number }>();
  return async (guildId) => {
    const last = known.get(guildId);
    if (last !== undefined && now() - last.askedAtMs < JOINED_MS) return last.joinedAtMs;
    const self = await calls.readMember(guildId, applicationId);
    const joinedAtMs = Date.parse(self?.joined_at ?? '');
    if (Number.isNaN(joinedAtMs)) throw new Error('the bot is no member of a guild that it was asked in');
    if (known.size >= GUILDS_MAX) known.clear();
    known.set(guildId, { joinedAtMs, askedAtMs: now() });
    return joinedAtMs;
  };
}

/** Every member has the role with the guild's own id. */
function moderates({ id, roles }: GuildFacts, member: MemberFacts): boolean {
  return roles.some((role) => (role.id === id || member.roles.includes(role.id)) && isModerating(role.permissions));
}

/** Every member has the role with the guild's own id, so it singles out nobody. */
function hasRole({ id }: GuildFacts, { roles }: MemberFacts, roleId: string | undefined): boolean {
  return roleId !== undefined && roleId !== id && roles.includes(roleId);
}

function isModerating(permissions: bigint): boolean {
  return (permissions & MODERATING) !== 0n;
}

function toNumber(userId: string): string {
  const [, number] = /^discord:([1-9][0-9]{0,19})$/.exec(userId) ?? [];
  if (number === undefined) throw new Error(`a user of Discord is discord:{id}; found ${userId}`);
  return number;
}
