import { ApplicationFlags, GatewayIntentBits, PermissionFlagsBits } from 'discord-api-types/v10';
import { z } from 'zod';
import { snowflake } from '../forms/basics.ts';
import { failure } from '../forms/failure.ts';
import { readForm } from '../forms/form.ts';
import { guildPermissions } from '../state/permissions.ts';
import { directChannel } from '../state/places.ts';
import { toChannel, toGuild, toMember, toRole, toUser } from '../state/shapes.ts';
import type { Guild, Member, Role } from '../state/world.ts';
import { type Call, param, type Reply, type Route } from './route.ts';

const GUILD = { method: 'GET', bucket: 'guild', auth: 'bot' } as const;
const ROLE = { path: '/guilds/:guild/members/:user/roles/:role', bucket: 'guild', auth: 'bot' } as const;
const USER = { bucket: 'user', auth: 'bot' } as const;

/** People, guilds, and how the gateway is found. */
export const PLACE_ROUTES: Route[] = [
  { ...USER, method: 'GET', path: '/users/@me', handle: ({ world }) => ({ status: 200, body: self(world.bot) }) },
  { ...USER, method: 'GET', path: '/users/@me/guilds', handle: getOwnGuilds },
  { ...USER, method: 'GET', path: '/users/:user', handle: getUser },
  { method: 'POST', path: '/users/@me/channels', bucket: 'open-dm', auth: 'bot', handle: openDirectChannel },
  { ...USER, method: 'GET', path: '/applications/@me', handle: getApplication },
  { ...USER, method: 'GET', path: '/oauth2/applications/@me', handle: getApplication },
  { ...GUILD, path: '/guilds/:guild', query: ['with_counts'], handle: getGuild },
  { ...GUILD, path: '/guilds/:guild/members/:user', handle: getMember },
  { ...ROLE, method: 'PUT', handle: (call) => changeRole(call, (roleIds, id) => roleIds.add(id)) },
  { ...ROLE, method: 'DELETE', handle: (call) => changeRole(call, (roleIds, id) => roleIds.delete(id)) },
  { ...GUILD, path: '/guilds/:guild/roles', handle: getRoles },
  { ...GUILD, path: '/guilds/:guild/roles/:role', handle: getRole },
  { ...GUILD, path: '/guilds/:guild/channels', handle: getChannels },
  { method: 'GET', path: '/gateway/bot', bucket: 'gateway', auth: 'bot', handle: getGateway },
];

function self(bot: Parameters<typeof toUser>[0]) {
  return { ...toUser(bot), mfa_enabled: false, verified: true, email: null, flags: 0, locale: 'en-US' };
}

/** At most 200, as without a cursor. What a channel changes is not in it. */
function getOwnGuilds({ world }: Call): Reply {
  const own = [...world.guilds.values()].filter(({ members }) => members.has(world.bot.id)).slice(0, 200);
  const body = own.map((guild) => ({
    id: guild.id,
    name: guild.name,
    icon: null,
    banner: null,
    owner: guild.ownerId === world.bot.id,
    permissions: guildPermissions(guild, world.bot.id).toString(),
    features: [],
  }));
  return { status: 200, body };
}

function getUser(call: Call): Reply {
  const user = call.world.users.get(param(call, 'user'));
  if (!user) throw failure('unknownUser');
  return { status: 200, body: toUser(user) };
}

const recipient = z.strictObject({ recipient_id: snowflake });

/** The same channel every time. That it opens does not say that a message will reach the person. */
function openDirectChannel(call: Call): Reply {
  const { world } = call;
  const user = world.users.get(readForm(recipient, call.body).recipient_id);
  if (!user) throw failure('invalidRecipient');
  if (user.bot) throw failure('cannotMessageUser');
  return { status: 200, body: toChannel(world, directChannel(world, user.id)) };
}

/** Of an application in few servers; in many, the flag is the bit below it. */
const PRIVILEGE_FLAGS = [
  [GatewayIntentBits.GuildPresences, ApplicationFlags.GatewayPresenceLimited],
  [GatewayIntentBits.GuildMembers, ApplicationFlags.GatewayGuildMembersLimited],
  [GatewayIntentBits.MessageContent, ApplicationFlags.GatewayMessageContentLimited],
] as const;

function getApplication({ world }: Call): Reply {
  const { id, username } = world.bot;
  const { privilegedIntents, application } = world.settings;
  const granted = PRIVILEGE_FLAGS.filter(([intent]) => (privilegedIntents & intent) !== 0);
  return {
    status: 200,
    body: {
      id,
      name: username,
      icon: null,
      description: '',
      bot_public: application.isPublic,
      bot_require_code_grant: application.needsCodeGrant,
      verify_key: '0'.repeat(64),
      team: null,
      flags: granted.reduce((flags, [, flag]) => flags | flag, 0),
      bot: toUser(world.bot),
      integration_types_config: Object.fromEntries(application.installs.map((type) => [type, {}])),
    },
  };
}

/** A guild that the bot is not in does not exist for it. */
function findGuild(call: Call): Guild {
  const guild = call.world.guilds.get(param(call, 'guild'));
  if (!guild) throw failure('unknownGuild');
  if (!guild.members.has(call.world.bot.id)) throw failure('missingAccess');
  return guild;
}

function getGuild(call: Call): Reply {
  return { status: 200, body: toGuild(findGuild(call)) };
}

function findMember(call: Call, guild: Guild): Member {
  const id = param(call, 'user');
  const member = guild.members.get(id);
  if (!member) throw failure(call.world.users.has(id) ? 'unknownMember' : 'unknownUser');
  return member;
}

function getMember(call: Call): Reply {
  return { status: 200, body: toMember(call.world, findMember(call, findGuild(call))) };
}

/** A bot gives and takes roles only below its own highest one, whatever else it may do. */
function changeRole(call: Call, change: (roleIds: Set<string>, roleId: string) => void): Reply {
  const { world } = call;
  const guild = findGuild(call);
  const member = findMember(call, guild);
  const role = findRole(call, guild);
  const own = [...(guild.members.get(world.bot.id)?.roleIds ?? [])].map((id) => guild.roles.get(id)?.position ?? 0);
  const mayManage = (guildPermissions(guild, world.bot.id) & PermissionFlagsBits.ManageRoles) !== 0n;
  if (!mayManage || role.position >= Math.max(0, ...own)) throw failure('missingPermissions');
  change(member.roleIds, role.id);
  world.changes.happened();
  return { status: 204 };
}

function getRoles(call: Call): Reply {
  return { status: 200, body: [...findGuild(call).roles.values()].map(toRole) };
}

function findRole(call: Call, guild: Guild): Role {
  const role = guild.roles.get(param(call, 'role'));
  if (!role) throw failure('unknownRole');
  return role;
}

function getRole(call: Call): Reply {
  return { status: 200, body: toRole(findRole(call, findGuild(call))) };
}

function getChannels(call: Call): Reply {
  const { world } = call;
  const { id } = findGuild(call);
  const found = [...world.channels.values()].filter(({ guildId }) => guildId === id);
  return { status: 200, body: found.map((channel) => toChannel(world, channel)) };
}

function getGateway({ world }: Call): Reply {
  return {
    status: 200,
    body: {
      url: `${world.origin.replace('http:', 'ws:')}/`,
      shards: 1,
      session_start_limit: { total: 1000, remaining: 1000, reset_after: 86_400_000, max_concurrency: 1 },
    },
  };
}
