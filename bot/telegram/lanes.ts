import type { Turn } from './delivery.ts';
import type { Pace } from './pace.ts';

/**
 * Who is next to be shown. Each chat has a line of messages that wait; within a line everybody gets one turn before
 * anybody gets a second, so a first word, an edit and a receipt cannot starve each other. A turn shows what is newest
 * then, so what was overtaken meanwhile is never sent.
 */
export type Lanes = {
  /** This message waits, from `notBeforeMs` on. Said again, the earlier time counts. */
  add: (chat: number, key: string, notBeforeMs: number) => void;
  /** How long the next message of this chat would wait, as things are. */
  waitMs: (chat: number) => number;
  size: () => number;
  /** Resolves when no turn is under way; nothing begins any more. */
  close: () => Promise<void>;
};

type Entry = { key: string; notBeforeMs: number };
type Lane = { chat: number; entries: Entry[]; isBusy: boolean };

export type LanesOptions = {
  pace: Pace;
  turn: (key: string) => Promise<Turn>;
  nowMs: () => number;
};

/**
 * One turn a chat: Telegram would show the answers of one chat in any order. So many chats at once that in a rush nobody
 * waits for the answers to others; how much is said a second is the pace's to limit.
 */
const BUSY_MAX = 100;
const WAIT_MAX_MS = 60_000;

export function createLanes({ pace, turn, nowMs }: LanesOptions): Lanes {
  const lanes = new Map<number, Lane>();
  const working = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  function add(chat: number, key: string, notBeforeMs: number): void {
    const lane = lanes.get(chat) ?? { chat, entries: [], isBusy: false };
    lanes.set(chat, lane);
    const known = lane.entries.find((entry) => entry.key === key);
    if (known) known.notBeforeMs = Math.min(known.notBeforeMs, notBeforeMs);
    else lane.entries.push({ key, notBeforeMs });
    schedule();
  }

  /** Everything that was added at once is looked at once. */
  function schedule(inMs = 0): void {
    if (isClosed) return;
    clearTimeout(timer);
    timer = setTimeout(run, Math.min(inMs, WAIT_MAX_MS));
  }

  function run(): void {
    let soonestMs = Infinity;
    // A lane that begins goes to the end and is met again there, busy.
    for (const lane of lanes.values()) {
      if (isClosed || working.size >= BUSY_MAX) return;
      if (lane.isBusy) continue;
      const inMs = Math.max(firstOf(lane) - nowMs(), pace.waitMs(lane.chat));
      if (inMs > 0) soonestMs = Math.min(soonestMs, inMs);
      else begin(lane);
    }
    if (soonestMs < Infinity) schedule(soonestMs);
  }

  function begin(lane: Lane): void {
    const at = lane.entries.findIndex((entry) => entry.notBeforeMs <= nowMs());
    const [entry] = lane.entries.splice(at, 1);
    if (!entry) return;
    lane.isBusy = true;
    // At the end of the chats too: with many of them waiting for the bot's own limit, each has its turn.
    lanes.delete(lane.chat);
    lanes.set(lane.chat, lane);
    const work = turn(entry.key)
      .then((ended) => settle(lane, entry.key, ended))
      .finally(() => {
        working.delete(work);
        lane.isBusy = false;
        if (lane.entries.length === 0) lanes.delete(lane.chat);
        schedule();
      });
    working.add(work);
  }

  function settle(lane: Lane, key: string, ended: Turn): void {
    if (ended.kind === 'shown' || lane.entries.some((entry) => entry.key === key)) return;
    lane.entries.push({ key, notBeforeMs: nowMs() + (ended.kind === 'later' ? ended.inMs : 0) });
  }

  return {
    add,
    waitMs: (chat) => (lanes.get(chat)?.entries.length ?? 0) * 1_000 + pace.waitMs(chat),
    size: () => [...lanes.values()].reduce((sum, { entries }) => sum + entries.length, working.size),
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      await Promise.allSettled(working);
    },
  };
}

function firstOf({ entries }: Lane): number {
  return Math.min(...entries.map(({ notBeforeMs }) => notBeforeMs));
}
