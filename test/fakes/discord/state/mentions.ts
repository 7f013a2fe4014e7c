import { MessageFlags, PermissionFlagsBits } from 'discord-api-types/v10';
import type { AllowedMentions } from '../forms/messages.ts';
import { canView, channelPermissions } from './permissions.ts';
import type { Channel, Mentions, Message, World } from './world.ts';

type Source = {
  texts: readonly string[];
  allowed: AllowedMentions | null;
  /** Messages of a bot mention all kinds by default, answers to interactions only users. */
  byDefault: readonly string[];
  authorId: string;
  replyTo: Message | null;
};

const CODE = /```[\s\S]*?```|`[^`]*`/g;

/** Whom a message mentions: what its text names, as far as `allowed_mentions` and the author's permissions let it. */
export function findMentions(world: World, channel: Channel, source: Source): Mentions {
  const text = source.texts.join('\n').replaceAll(CODE, '');
  const { allowed, byDefault } = source;
  const guild = channel.guildId === null ? undefined : world.guilds.get(channel.guildId);
  const permissions = channelPermissions(world, channel, source.authorId);
  const mayMentionAll = (permissions & PermissionFlagsBits.MentionEveryone) !== 0n;
  const parsed = (kind: 'users' | 'roles' | 'everyone') =>
    allowed === null ? byDefault.includes(kind) : (allowed.parse ?? []).some((type) => String(type) === kind);

  const userIds = idsIn(text, /<@!?(\d+)>/g).filter(
    (id) => world.users.has(id) && (parsed('users') || allowed?.users?.includes(id)),
  );
  const roleIds = idsIn(text, /<@&(\d+)>/g).filter((id) => {
    const role = guild?.roles.get(id);
    return role && (role.mentionable || mayMentionAll) && (parsed('roles') || allowed?.roles?.includes(id));
  });
  // Replies mention their addressee by default, unless allowed_mentions is set without it.
  const pingsAddressee = allowed === null ? source.replyTo !== null : allowed.replied_user === true;
  if (pingsAddressee && source.replyTo !== null && !userIds.includes(source.replyTo.authorId)) {
    userIds.push(source.replyTo.authorId);
  }
  const everyone = mayMentionAll && parsed('everyone') && /@(everyone|here)\b/.test(text);
  return { userIds, roleIds, everyone };
}

function idsIn(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map((match) => match[1] ?? ''))];
}

/** Who is notified of a new message. An ephemeral one notifies nobody, and neither does one with that flag. */
export function findNotified(world: World, channel: Channel, message: Message): string[] {
  if (message.onlyFor !== null || (message.flags & MessageFlags.SuppressNotifications) !== 0) return [];
  const { userIds, roleIds, everyone } = message.mentions;
  const found = new Set(userIds);
  const guild = channel.guildId === null ? undefined : world.guilds.get(channel.guildId);
  for (const member of guild?.members.values() ?? []) {
    if (everyone || roleIds.some((id) => member.roleIds.has(id))) found.add(member.userId);
  }
  found.delete(message.authorId);
  return [...found].filter((id) => !world.users.get(id)?.bot && canView(world, channel, id));
}
