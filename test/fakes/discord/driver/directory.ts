import { OverwriteType, type Locale, PermissionFlagsBits } from 'discord-api-types/v10';
import { toGuildCreate } from '../gateway/greetings.ts';
import { EVERYONE_PERMISSIONS } from '../state/permissions.ts';
import { addChannel, directChannel } from '../state/places.ts';
import { toChannel } from '../state/shapes.ts';
import type { Channel, Guild, Role, User, World } from '../state/world.ts';

/** Anything with an id stands for itself. */
export type Ref = { readonly id: string };

export type Directory = ReturnType<typeof createDirectory>;

export type NewUser = Partial<Pick<User, 'globalName' | 'bot' | 'acceptsMessages' | 'installed'>> & {
  locale?: `${Locale}`;
};
export type NewGuild = {
  name?: string;
  owner?: User;
  locale?: `${Locale}`;
  /** Whether the bot is a member (true); a guild may also have its commands only, or nothing. */
  bot?: boolean;
  installed?: boolean;
  /** What the bot's own role allows beside what everybody may do. */
  botPermissions?: bigint;
};

/** Makes the people and places of a test. What changes while a bot is connected reaches it as an event. */
export function createDirectory(world: World) {
  const user = (username: string, chosen: NewUser = {}): User => {
    const made: User = {
      id: world.nextId(),
      username,
      globalName: chosen.globalName ?? null,
      bot: chosen.bot ?? false,
      locale: chosen.locale ?? 'en-US',
      acceptsMessages: chosen.acceptsMessages ?? true,
      installed: chosen.installed ?? false,
    };
    world.users.set(made.id, made);
    return made;
  };

  /** Roles made later stand higher, unless told otherwise; a bot manages those below its own. */
  const role = (guild: Guild, name: string, chosen: Partial<Omit<Role, 'id' | 'name'>> = {}): Role => {
    const made: Role = {
      id: world.nextId(),
      name,
      permissions: chosen.permissions ?? 0n,
      mentionable: chosen.mentionable ?? false,
      position: chosen.position ?? guild.roles.size,
    };
    guild.roles.set(made.id, made);
    return made;
  };

  const join = (guild: Guild, who: Ref, roles: readonly Role[] = []): void => {
    guild.members.set(who.id, {
      userId: who.id,
      roleIds: new Set(roles.map(({ id }) => id)),
      nick: null,
      joinedAt: world.now(),
    });
  };

  const guild = (chosen: NewGuild = {}): Guild => {
    const id = world.nextId();
    const made: Guild = {
      id,
      name: chosen.name ?? 'guild',
      ownerId: chosen.owner?.id ?? user('owner').id,
      locale: chosen.locale ?? 'en-US',
      installed: chosen.installed ?? chosen.bot ?? true,
      roles: new Map([
        [id, { id, name: '@everyone', permissions: EVERYONE_PERMISSIONS, mentionable: false, position: 0 }],
      ]),
      members: new Map(),
    };
    join(made, { id: made.ownerId });
    world.guilds.set(id, made);
    if (chosen.bot ?? true) {
      const own =
        chosen.botPermissions === undefined
          ? []
          : [role(made, 'bot', { permissions: chosen.botPermissions, position: 100 })];
      join(made, world.bot, own);
      world.publish({ t: 'GUILD_CREATE', d: toGuildCreate(world, made), guildId: id });
    }
    return made;
  };

  const channel = (where: Guild, name = 'general'): Channel => {
    const made = addChannel(world, { kind: 'text', guildId: where.id, name, recipientIds: [] });
    if (where.members.has(world.bot.id)) {
      world.publish({ t: 'CHANNEL_CREATE', d: toChannel(world, made), guildId: where.id });
    }
    return made;
  };

  const deleteChannel = (where: Channel): void => {
    world.channels.delete(where.id);
    for (const message of world.messages.values()) if (message.channelId === where.id) message.deletedAt = world.now();
    world.publish({ t: 'CHANNEL_DELETE', d: toChannel(world, where), guildId: where.guildId });
  };

  /** Takes the bot out of a guild, and its commands with it. */
  const removeBot = (where: Guild): void => {
    world.publish({ t: 'GUILD_DELETE', d: { id: where.id }, guildId: where.id });
    where.members.delete(world.bot.id);
    where.installed = false;
  };

  const overwrite = (where: Channel, who: Role | User, deny: bigint, allow = 0n): void => {
    const type = world.users.has(who.id) ? OverwriteType.Member : OverwriteType.Role;
    where.overwrites = [
      ...where.overwrites.filter(({ id }) => id !== who.id),
      { id: who.id, type, deny: deny.toString(), allow: allow.toString() },
    ];
  };

  return {
    bot: world.bot,
    permissions: PermissionFlagsBits,
    user,
    guild,
    role,
    join,
    leave: (where: Guild, who: Ref): void => void where.members.delete(who.id),
    channel,
    deleteChannel,
    removeBot,
    /** Denies and allows in one channel; `who` is a role (the guild's own id means everybody) or a user. */
    overwrite,
    /** The direct channel between this person and the bot. */
    direct: (who: Ref): Channel => directChannel(world, who.id),
    /** A direct channel of people without the bot: commands work there by user install only. */
    privateChannel: (people: readonly Ref[]): Channel =>
      addChannel(world, {
        kind: people.length > 2 ? 'group' : 'dm',
        guildId: null,
        name: null,
        recipientIds: people.map(({ id }) => id),
      }),
  };
}
