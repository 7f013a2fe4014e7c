import { createHash, randomBytes } from 'node:crypto';
import { ADMIN_ROLES, findAdminRole, isAdminName, type AdminRole } from '../../core/admins/admins.ts';
import type { Config } from '../../core/config/config.ts';
import { changeRole, inviteAdmin, listAdmins, removeAdmin } from '../../db/admins/admins.ts';
import { Refused, UsageError, type CommandContext, type OperatorCommand } from './command.ts';
import { timeText } from './text.ts';

const ROLE_WORDS = ADMIN_ROLES.join(' | ');

export const adminCommand: OperatorCommand = {
  name: 'admin',
  usage: `list | invite <name> <${ROLE_WORDS}> | role <name> <${ROLE_WORDS}> | remove <name>`,
  help: 'who may use the console: a link that works once makes somebody an admin, or gives an admin who has lost it a new passkey',
  run: async (context) => {
    const [what = '', name, role, ...more] = context.words;
    if (more.length === 0) {
      if (what === 'list' && name === undefined) return list(context);
      if (what === 'remove' && name !== undefined && role === undefined) return remove(context, name);
      if (what === 'invite' && name !== undefined && role !== undefined) return invite(context, name, readRole(role));
      if (what === 'role' && name !== undefined && role !== undefined) return change(context, name, readRole(role));
    }
    throw new UsageError('Expected list, invite with a name and a role, role with both, or remove with a name.');
  },
};

function readRole(word: string): AdminRole {
  const role = findAdminRole(word);
  if (role === null) throw new UsageError(`A role is ${ADMIN_ROLES.join(', ')}; found ${word}.`);
  return role;
}

async function list({ store, nowMs }: CommandContext) {
  const admins = await listAdmins(store, nowMs);
  if (admins.length === 0)
    return { data: { admins }, lines: ['Nobody may use the console. The first one: admin invite <name> owner'] };
  const lines = admins.map(({ name, role, canSignIn, inviteUntilMs }) => {
    const link = inviteUntilMs === null ? '' : `a link works until ${timeText(inviteUntilMs)}`;
    return `${name}  ${role}  ${[canSignIn ? 'signs in with a passkey' : 'has no passkey', link].filter(Boolean).join('; ')}`;
  });
  return { data: { admins }, lines };
}

async function invite({ store, config, nowMs, who }: CommandContext, name: string, role: AdminRole) {
  const consoleUrl = consoleUrlOf(config);
  if (consoleUrl === null) throw new Refused('There is no console: set ADMIN_PORT, and ADMIN_URL where it has one.');
  if (!isAdminName(name))
    throw new UsageError(
      `A name has at most 32 small letters, digits and dashes, and begins with a letter; found ${name}.`,
    );
  const secret = randomBytes(32).toString('base64url');
  const command = { name: 'admin invite', arguments: [name, role], who };
  const invited = await inviteAdmin(store, { name, role, linkHash: linkHashOf(secret) }, command, nowMs);
  if (invited.kind === 'other_role')
    throw new Refused(`${name} is ${invited.role}. Another role: admin role ${name} ${role}. Nothing was changed.`);
  const url = `${consoleUrl}/invite/${secret}`;
  const lines = [
    url,
    `It works once, until ${timeText(invited.expiresAtMs)}, for ${name} as ${role}. It is shown only here: hand it to nobody else.`,
    'The passkey that is made there replaces one that this name may have, and ends its sessions.',
  ];
  return { data: { name, role, url, expiresAtMs: invited.expiresAtMs }, lines };
}

async function change({ store, nowMs, who }: CommandContext, name: string, role: AdminRole) {
  const command = { name: 'admin role', arguments: [name, role], who };
  if (!(await changeRole(store, { name, role }, command, nowMs))) throw new Refused(`Nobody is admin as ${name}.`);
  return { data: { name, role }, lines: [`${name} is ${role} from now on.`] };
}

async function remove({ store, nowMs, who }: CommandContext, name: string) {
  const command = { name: 'admin remove', arguments: [name], who };
  if (!(await removeAdmin(store, name, command, nowMs))) throw new Refused(`Nobody is admin as ${name}, or invited.`);
  return { data: { removed: name }, lines: [`${name} is no admin any more; what was open for this name is closed.`] };
}

/** What is stored of a link. */
export function linkHashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Where the console is reached; null where there is none, or its port is known only to the process that has it. */
export function consoleUrlOf({ admin: { port, url } }: Config): string | null {
  if (url !== undefined) return url;
  return port === undefined || port === 0 ? null : `http://localhost:${port}`;
}
