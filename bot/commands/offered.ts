import { findChatRow } from '../../core/chats/chats.ts';
import { isRenumbered } from '../../core/treasury/treasury.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import type { BotRight, Origin } from '../shared/messenger.ts';

/** What an installation has, as far as this process knows it. */
export type Equipment = Pick<CoreDeps, 'rewards' | 'readsPosts' | 'links'>;

type Needs = (equipment: Equipment, transport: string) => boolean;

/** Where groups can be, the private chat tells of what they can do as well. */
const hasGroups: Needs = (_equipment, transport) => (findChatRow(transport)?.treasury ?? null) !== null;

/** The commands that not every chat of every installation has. */
const NEEDS: ReadonlyMap<string, Needs> = new Map<string, Needs>([
  ['pay', ({ links }) => links !== undefined],
  ['request', hasGroups],
  ['drop', hasGroups],
  ['top', hasGroups],
  ['settings', hasGroups],
  ['treasury', hasGroups],
  ['reward', (equipment, transport) => givesRewards(equipment) && hasGroups(equipment, transport)],
]);

/** The one place that says which commands menus and help name, and which of them are as unknown as any other word. */
export function isOffered(equipment: Equipment, transport: string, command: string): boolean {
  return NEEDS.get(command)?.(equipment, transport) ?? true;
}

/** What the bot has to be allowed to do in a community for these. */
const RIGHTS: ReadonlyMap<string, readonly BotRight[]> = new Map<string, readonly BotRight[]>([
  ['request', ['write']],
  // Who may take a share is known from what members wrote to each other, or from a role.
  ['drop', ['member', 'write', 'read']],
  ['top', ['member']],
  ['settings', ['member']],
  ['treasury', ['member']],
  ['reward', ['member', 'write']],
]);
/** They need a wallet of the community, which one that will get another id does not have yet. */
const OF_TREASURY: readonly string[] = ['treasury', 'reward'];

type Place = Pick<Origin, 'transport' | 'communityId' | 'chatId'>;

/** The same for one place: what the bot lacks the right for in a group is not offered there. */
export async function offeredIn(
  deps: Equipment & Pick<CoreDeps, 'messengers' | 'log'>,
  { transport, communityId, chatId }: Place,
): Promise<(command: string) => boolean> {
  const isHere = (command: string) => isOffered(deps, transport, command);
  if (communityId === undefined) return isHere;
  const lacks = await lackedIn(deps, transport, { communityId, chatId });
  const isAllowed = allowedBy(lacks, !isRenumbered({ transport, communityId }));
  return (command) => isHere(command) && isAllowed(command);
}

/** What a group has where the bot lacks these rights: the same for help and for the menu. */
export function allowedBy(lacks: readonly BotRight[], hasTreasury: boolean): (command: string) => boolean {
  return (command) =>
    (hasTreasury || !OF_TREASURY.includes(command)) &&
    !(RIGHTS.get(command) ?? []).some((right) => lacks.includes(right));
}

/** Without an answer everything is offered: a command that cannot be carried out says so itself. */
async function lackedIn(
  { messengers, log }: Pick<CoreDeps, 'messengers' | 'log'>,
  transport: string,
  place: { communityId: string; chatId: string },
): Promise<readonly BotRight[]> {
  try {
    return (await messengers[transport]?.lacks?.(place)) ?? [];
  } catch (error) {
    log.warn({ error: String(error) }, 'could not read what the bot may do in a group');
    return [];
  }
}

export const givesRewards = ({ rewards, readsPosts }: Equipment): boolean =>
  rewards !== undefined && readsPosts !== false;
