import type { BotRight } from '../../shared/messenger.ts';
import { menuFor, type MenuFacts } from './wanted.ts';

/** The menu that a group was shown, and what the bot was not allowed to do there then. */
export type ShownMenu = { lacks: readonly BotRight[]; menuHash: string };

/** What groups were shown, over restarts. */
export type MenuMemory = {
  read: (chats: readonly number[]) => Promise<Map<number, ShownMenu>>;
  write: (chat: number, shown: ShownMenu) => Promise<void>;
  forget: (chat: number) => Promise<void>;
};

/** The menu of any further group is looked at when something is said there again. */
const WAITING_MAX = 1_000;
const COMPARED_AT_ONCE = 500;
const KNOWN_MAX = 10_000;

/** Which groups' menus have to be looked at. */
export function createLines({ memory, ...facts }: MenuFacts & { memory: MenuMemory }) {
  /** Their rights may have changed. In the order in which that was heard of. */
  const waiting = new Set<number>();
  /** Something was said there for the first time since the start, or since its menu was in doubt. */
  const heard = new Set<number>();
  /** They were shown another menu than they would get now, or it is not known what. */
  const behind = new Set<number>();
  /** The commands that a group's menu is known to name, null where this process has not set it; of none that waits. */
  const known = new Map<number, string | null>();

  function remember(chat: number, commands: string | null): void {
    if (known.size >= KNOWN_MAX) known.clear();
    known.set(chat, commands);
  }

  function leave(chat: number): void {
    waiting.delete(chat);
    behind.delete(chat);
  }

  return {
    waiting,
    behind,
    areEmpty: () => waiting.size + heard.size + behind.size === 0,
    commandsOf: (chat: number) => known.get(chat) ?? null,
    leave,
    /** False where too many wait. */
    wait(chat: number): boolean {
      // What was set may be wrong now, or not kept by a group that threw the bot out for a moment.
      known.delete(chat);
      if (waiting.size >= WAITING_MAX && !waiting.has(chat)) return false;
      waiting.add(chat);
      return true;
    },
    hear(chat: number): void {
      const isSeen = known.has(chat) || waiting.has(chat) || behind.has(chat);
      if (!isSeen && heard.size + behind.size < WAITING_MAX) heard.add(chat);
    },
    /** Of the groups that were heard, those whose menu is as it should be need no look, and no call. */
    async compare(): Promise<void> {
      const chats = [...heard].slice(0, COMPARED_AT_ONCE);
      if (chats.length === 0) return;
      const shown = await memory.read(chats);
      for (const chat of chats) {
        heard.delete(chat);
        if (waiting.has(chat) || known.has(chat)) continue;
        const was = shown.get(chat);
        const isRight = was !== undefined && was.menuHash === menuFor(facts, chat, was.lacks).menuHash;
        if (isRight) remember(chat, null);
        else behind.add(chat);
      }
    },
    /** Its look is over. Where its rights were heard of meanwhile, another follows. */
    async settle(chat: number, end: { kind: 'over' } | { kind: 'set'; commands: string; shown: ShownMenu }) {
      if (waiting.has(chat)) return;
      remember(chat, end.kind === 'set' ? end.commands : null);
      if (end.kind === 'set') await memory.write(chat, end.shown);
    },
  };
}
