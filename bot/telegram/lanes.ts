import type { Turn } from './delivery.ts';
import type { Pace } from './pace.ts';

/**
 * Decides which message is shown next. Each chat has a line of waiting messages; within a line every message gets one
 * turn before any gets a second, so edits and receipts cannot starve each other. First words go first, in their chat
 * and, where all chats together are at the limit, among them, but never more than two in a row. A turn shows the newest
 * view, so an overtaken one is never sent.
 */
export type Lanes = {
  /** This message waits, from `notBeforeMs` on. Said again, the earlier time counts. */
  add: (chat: number, key: string, notBeforeMs: number, isFirstWord?: boolean) => void;
  /** How long the next message of this chat would wait, as things are. */
  waitMs: (chat: number) => number;
  size: () => number;
  /** Resolves when no turn is under way; nothing begins any more. */
  close: () => Promise<void>;
};

type Entry = { key: string; notBeforeMs: number; isFirstWord: boolean };
type Lane = { chat: number; entries: Entry[]; isBusy: boolean; wordsInARow: number };

export type LanesOptions = {
  pace: Pace;
  turn: (key: string) => Promise<Turn>;
  nowMs: () => number;
};

/**
 * One turn a chat, since Telegram may show concurrent messages of one chat in any order. So many chats at once that in
 * a rush nobody waits for the answers of others; the pace limits how much is sent a second.
 */
const BUSY_MAX = 100;
const WAIT_MAX_MS = 60_000;
/** One turn of three is for the message that waits longest, so edits and receipts go on in any rush. */
const WORDS_IN_A_ROW = 2;

export function createLanes({ pace, turn, nowMs }: LanesOptions): Lanes {
  const lanes = new Map<number, Lane>();
  const working = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let wordsInARow = 0;

  function add(chat: number, key: string, notBeforeMs: number, isFirstWord = false): void {
    const lane = lanes.get(chat) ?? { chat, entries: [], isBusy: false, wordsInARow: 0 };
    lanes.set(chat, lane);
    const known = lane.entries.find((entry) => entry.key === key);
    if (known) known.notBeforeMs = Math.min(known.notBeforeMs, notBeforeMs);
    else lane.entries.push({ key, notBeforeMs, isFirstWord });
    schedule();
  }

  /** All that was added in one go is handled by one run. */
  function schedule(inMs = 0): void {
    if (isClosed || inMs === Infinity) return;
    clearTimeout(timer);
    timer = setTimeout(run, Math.min(inMs, WAIT_MAX_MS));
  }

  function run(): void {
    while (!isClosed && working.size < BUSY_MAX) {
      const { lane, inMs } = choose(lanes.values(), { pace, nowMs, isWordsTurn: wordsInARow < WORDS_IN_A_ROW });
      if (lane === null) return schedule(inMs);
      begin(lane);
    }
  }

  function begin(lane: Lane): void {
    const entry = nextOf(lane, nowMs());
    if (!entry) return;
    lane.entries.splice(lane.entries.indexOf(entry), 1);
    lane.wordsInARow = countOn(lane.wordsInARow, entry);
    wordsInARow = countOn(wordsInARow, entry);
    lane.isBusy = true;
    putLast(lanes, lane);
    pace.hold(lane.chat);
    const work = turn(entry.key)
      .then((ended) => settle(lane, entry.key, ended))
      .finally(() => {
        pace.letGo(lane.chat);
        working.delete(work);
        lane.isBusy = false;
        if (lane.entries.length === 0) lanes.delete(lane.chat);
        schedule();
      });
    working.add(work);
  }

  function settle(lane: Lane, key: string, ended: Turn): void {
    if (ended.kind === 'shown' || lane.entries.some((entry) => entry.key === key)) return;
    const inMs = ended.kind === 'later' ? ended.inMs : 0;
    lane.entries.push({ key, notBeforeMs: nowMs() + inMs, isFirstWord: false });
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

/** With many chats waiting for the bot's own limit, each has its turn. */
function putLast(lanes: Map<number, Lane>, lane: Lane): void {
  lanes.delete(lane.chat);
  lanes.set(lane.chat, lane);
}

type ChoiceDeps = Pick<LanesOptions, 'pace' | 'nowMs'> & { isWordsTurn: boolean };

/** The chat whose turn it is, or how long until one can have it. */
function choose(lanes: Iterable<Lane>, { pace, nowMs, isWordsTurn }: ChoiceDeps): { lane: Lane | null; inMs: number } {
  let longest: Lane | null = null;
  let inMs = Infinity;
  for (const lane of lanes) {
    if (lane.isBusy) continue;
    const waitMs = Math.max(earliestOf(lane) - nowMs(), pace.waitMs(lane.chat));
    inMs = Math.min(inMs, waitMs);
    if (waitMs > 0) continue;
    if (!isWordsTurn || nextOf(lane, nowMs())?.isFirstWord) return { lane, inMs };
    longest ??= lane;
  }
  return { lane: longest, inMs };
}

function earliestOf({ entries }: Lane): number {
  return Math.min(...entries.map(({ notBeforeMs }) => notBeforeMs));
}

function nextOf({ entries, wordsInARow }: Lane, nowMs: number): Entry | undefined {
  const due = entries.filter(({ notBeforeMs }) => notBeforeMs <= nowMs);
  const word = wordsInARow < WORDS_IN_A_ROW ? due.find(({ isFirstWord }) => isFirstWord) : undefined;
  return word ?? due[0];
}

/** A message that has waited through so many first words goes next, so the count begins anew. */
function countOn(wordsInARow: number, { isFirstWord }: Entry): number {
  return isFirstWord && wordsInARow < WORDS_IN_A_ROW ? wordsInARow + 1 : 0;
}
