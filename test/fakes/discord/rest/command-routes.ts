import { ApplicationCommandType } from 'discord-api-types/v10';
import { z } from 'zod';
import { type Command, type CommandBody, command, commandList } from '../forms/commands.ts';
import { failure } from '../forms/failure.ts';
import { readForm } from '../forms/form.ts';
import type { World } from '../state/world.ts';
import { type Call, param, type Reply, type Route } from './route.ts';

const COMMON = { bucket: 'commands', auth: 'bot' } as const;
const QUERY = ['with_localizations'];
const GLOBAL_MAX = { slash: 100, menu: 15 };

/** The same routes for all guilds and for one. */
export const COMMAND_ROUTES: Route[] = [
  '/applications/:application',
  '/applications/:application/guilds/:guild',
].flatMap((owner): Route[] => [
  { ...COMMON, method: 'GET', path: `${owner}/commands`, query: QUERY, handle: list },
  { ...COMMON, method: 'PUT', path: `${owner}/commands`, handle: overwrite },
  { ...COMMON, method: 'POST', path: `${owner}/commands`, handle: create },
  { ...COMMON, method: 'GET', path: `${owner}/commands/:command`, handle: getOne },
  { ...COMMON, method: 'PATCH', path: `${owner}/commands/:command`, handle: patch },
  { ...COMMON, method: 'DELETE', path: `${owner}/commands/:command`, handle: remove },
]);

/** Null for the global list. */
function ownerOf(call: Call): string | null {
  const { world } = call;
  if (param(call, 'application') !== world.bot.id) throw failure('unknownApplication');
  const guildId = call.params['guild'] ?? null;
  if (guildId === null) return null;
  if (!world.guilds.get(guildId)?.installed) throw failure('missingAccess');
  return guildId;
}

function commandsOf(world: World, guildId: string | null): Command[] {
  return [...world.commands.values()].filter((one) => one.guildId === guildId);
}

function list(call: Call): Reply {
  const found = commandsOf(call.world, ownerOf(call));
  const isFull = call.query.get('with_localizations') === 'true';
  return { status: 200, body: found.map((one) => (isFull ? toCommand(call.world, one) : bare(call.world, one))) };
}

/** What is missing from the new list is gone; what keeps its name and type keeps its id. */
function overwrite(call: Call): Reply {
  const { world } = call;
  const guildId = ownerOf(call);
  const bodies = readForm(commandList, call.body);
  const before = commandsOf(world, guildId);
  for (const { id } of before) world.commands.delete(id);
  const saved = bodies.map((body) => save(world, guildId, body, before));
  return { status: 200, body: saved.map((one) => toCommand(world, one)) };
}

function create(call: Call): Reply {
  const { world } = call;
  const guildId = ownerOf(call);
  const body = readForm(command, call.body);
  const before = commandsOf(world, guildId);
  const isKnown = before.some(({ name, type }) => name === body.name && type === body.type);
  const most = body.type === ApplicationCommandType.ChatInput ? GLOBAL_MAX.slash : GLOBAL_MAX.menu;
  if (!isKnown && before.filter(({ type }) => type === body.type).length >= most) throw failure('tooManyCommands');
  const saved = save(world, guildId, body, before);
  return { status: isKnown ? 200 : 201, body: toCommand(world, saved) };
}

function save(world: World, guildId: string | null, body: CommandBody, before: readonly Command[]): Command {
  const known = before.find(({ name, type }) => name === body.name && type === body.type);
  const saved: Command = { ...body, id: known?.id ?? world.nextId(), guildId, version: world.nextId() };
  world.commands.set(saved.id, saved);
  world.changes.happened();
  return saved;
}

function find(call: Call): Command {
  const found = call.world.commands.get(param(call, 'command'));
  if (!found || found.guildId !== ownerOf(call)) throw failure('unknownCommand');
  return found;
}

function getOne(call: Call): Reply {
  return { status: 200, body: toCommand(call.world, find(call)) };
}

function patch(call: Call): Reply {
  const { world } = call;
  const { id, guildId, version: _version, ...old } = find(call);
  const changes = readForm(z.record(z.string(), z.unknown()), call.body);
  const body = readForm(command, { ...old, ...changes, type: old.type });
  const saved: Command = { ...body, id, guildId, version: world.nextId() };
  world.commands.set(id, saved);
  return { status: 200, body: toCommand(world, saved) };
}

function remove(call: Call): Reply {
  call.world.commands.delete(find(call).id);
  return { status: 204 };
}

function toCommand(world: World, { guildId, ...found }: Command): object {
  const shared = {
    ...found,
    application_id: world.bot.id,
    description: found.description ?? '',
    name_localizations: found.name_localizations ?? null,
    description_localizations:
      found.type === ApplicationCommandType.ChatInput ? (found.description_localizations ?? null) : null,
    default_member_permissions: found.default_member_permissions ?? null,
    nsfw: found.nsfw ?? false,
  };
  // Where a command works is a property of global ones only.
  if (guildId !== null) return { ...shared, guild_id: guildId, contexts: undefined, integration_types: undefined };
  return { ...shared, contexts: found.contexts ?? null, integration_types: found.integration_types ?? [0] };
}

/** Lists leave translations out unless they are asked for. */
function bare(world: World, found: Command): object {
  return { ...toCommand(world, found), name_localizations: undefined, description_localizations: undefined };
}
