import { findChatRow } from '../../core/chats/chats.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';

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

export const givesRewards = ({ rewards, readsPosts }: Equipment): boolean =>
  rewards !== undefined && readsPosts !== false;
