/** What the bot needs in a server, in Discord's own words: docs/chat.md. */
const RIGHTS = [
  { name: 'View Channels', bit: 1n << 10n },
  { name: 'Send Messages', bit: 1n << 11n },
  { name: 'Read Message History', bit: 1n << 16n },
] as const;
const ADMINISTRATOR = 1n << 3n;

/** Flags of an application by which it may read what this bot never asks for, each with its short form for few servers. */
const PRIVILEGES = [
  { name: 'Presence Intent', bits: (1n << 12n) | (1n << 13n) },
  { name: 'Server Members Intent', bits: (1n << 14n) | (1n << 15n) },
  { name: 'Message Content Intent', bits: (1n << 18n) | (1n << 19n) },
] as const;

export function rightsMissing(permissions: bigint): string[] {
  if ((permissions & ADMINISTRATOR) !== 0n) return [];
  return RIGHTS.filter(({ bit }) => (permissions & bit) === 0n).map(({ name }) => name);
}

export function privilegesOf(flags: bigint): string[] {
  return PRIVILEGES.filter(({ bits }) => (flags & bits) !== 0n).map(({ name }) => name);
}

/** The page on which a moderator adds the bot to a server, with its commands and these rights. */
export function inviteUrl(applicationId: string): string {
  const permissions = RIGHTS.reduce((all, { bit }) => all | bit, 0n);
  return `https://discord.com/oauth2/authorize?client_id=${applicationId}&scope=bot+applications.commands&permissions=${permissions}`;
}
