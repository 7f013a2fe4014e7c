import type { Lane, Pace } from './pace.ts';

export type { Lane } from './pace.ts';

/**
 * Decides which message is shown next. Each chat has a line of waiting messages, one of them under way at a time, because
 * a platform may show concurrent ones in any order. Within a line every message gets one turn before any gets a second, so
 * edits and receipts cannot starve each other. Messages for one person go first, then first words, in their chat and,
 * when all chats together reach the limit, among the chats; but after two in a row the one that waited longest goes. A turn
 * shows the newest view, so an overtaken one is never sent.
 */
export type Lanes = {
  /** This message waits, from `notBeforeMs` on. Of two calls the earlier time counts. */
  add: (chat: Lane, key: string, notBeforeMs: number, rank?: Rank) => void;
  /** The same, unless it already waits or is under way: then it keeps its time, and may become more urgent. */
  addMissing: (chat: Lane, key: string, notBeforeMs: number, rank?: Rank) => void;
  /** How long the next message of this chat would wait, as things are. */
  waitMs: (chat: Lane) => number;
  size: () => number;
  /** How many messages wait there. */
  sizeOf: (chat: Lane) => number;
  /** Resolves when no turn is under way; nothing begins any more. */
  close: () => Promise<void>;
};

/** For one person, who may be a moderator in a rush · the first answer to a command · an edit or receipt. */
export type Rank = 'personal' | 'first_word' | 'later';

type Entry = { key: string; notBeforeMs: number; rank: Rank };
type Line = { chat: Lane; entries: Entry[]; busyWith: string | null; wordsInARow: number };

export type LanesOptions = {
  pace: Pace;
  turn: (key: string) => Promise<LaneTurn>;
  /** How many chats at once. */
  turnsAtOnce: number;
  nowMs: () => number;
};

/** How a turn ended: nothing is left to show · another turn at once · another at that time. */
export type LaneTurn = { kind: 'over' } | { kind: 'again' } | { kind: 'later'; atMs: number };

const WAIT_MAX_MS = 60_000;
/** One turn of three is for the message that waits longest, so edits and receipts go on in any rush. */
const WORDS_IN_A_ROW = 2;

export function createLanes({ pace, turn, turnsAtOnce, nowMs }: LanesOptions): Lanes {
  const lanes = new Map<Lane, Line>();
  const working = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let wordsInARow = 0;

  function add(chat: Lane, key: string, notBeforeMs: number, rank: Rank = 'later'): void {
    const lane = lanes.get(chat) ?? newLine(chat);
    lanes.set(chat, lane);
    putInLine(lane, { key, notBeforeMs, rank });
    schedule();
  }

  /** All that was added in one go is handled by one run. */
  function schedule(inMs = 0): void {
    if (isClosed || inMs === Infinity) return;
    clearTimeout(timer);
    timer = setTimeout(run, Math.min(inMs, WAIT_MAX_MS));
  }

  function run(): void {
    while (!isClosed && working.size < turnsAtOnce) {
      const { lane, inMs } = choose(lanes.values(), { pace, nowMs, isWordsTurn: wordsInARow < WORDS_IN_A_ROW });
      if (lane === null) return schedule(inMs);
      begin(lane);
    }
  }

  function begin(lane: Line): void {
    const entry = nextOf(lane, pace, nowMs());
    if (!entry) return;
    lane.entries.splice(lane.entries.indexOf(entry), 1);
    lane.wordsInARow = countOn(lane.wordsInARow, entry);
    wordsInARow = countOn(wordsInARow, entry);
    lane.busyWith = entry.key;
    putLast(lanes, lane);
    pace.hold(lane.chat);
    const work = turn(entry.key)
      .then((ended) => settle(lane, entry, ended, nowMs()))
      .finally(() => {
        pace.letGo(lane.chat);
        working.delete(work);
        lane.busyWith = null;
        if (lane.entries.length === 0) lanes.delete(lane.chat);
        schedule();
      });
    working.add(work);
  }

  return {
    add,
    addMissing(chat, key, notBeforeMs, rank) {
      const lane = lanes.get(chat);
      if (!isThere(lane, key)) return add(chat, key, notBeforeMs, rank);
      if (rank === 'personal') makePersonal(lane, key);
      schedule();
    },
    waitMs: (chat) => (lanes.get(chat)?.entries.length ?? 0) * 1_000 + pace.waitMs(chat, false),
    size: () => working.size + countOf(lanes.values()),
    sizeOf: (chat) => lanes.get(chat)?.entries.length ?? 0,
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      await Promise.allSettled(working);
    },
  };
}

/** Of two the earlier time counts, and the higher rank. */
function putInLine({ entries }: Line, { key, notBeforeMs, rank }: Entry): void {
  const known = entries.find((entry) => entry.key === key);
  if (known === undefined) return void entries.push({ key, notBeforeMs, rank });
  known.notBeforeMs = Math.min(known.notBeforeMs, notBeforeMs);
  known.rank = higher(known.rank, rank);
}

/** What the turn left to show waits again. */
function settle(lane: Line, { key, rank: before }: Entry, ended: LaneTurn, nowMs: number): void {
  if (ended.kind === 'over' || isWaiting(lane, key)) return;
  const rank = before === 'personal' ? before : 'later';
  lane.entries.push({ key, notBeforeMs: ended.kind === 'later' ? ended.atMs : nowMs, rank });
}

function newLine(chat: Lane): Line {
  return { chat, entries: [], busyWith: null, wordsInARow: 0 };
}

function countOf(lanes: Iterable<Line>): number {
  return [...lanes].reduce((sum, { entries }) => sum + entries.length, 0);
}

/** It waits, or its turn is under way, whose outcome decides whether it wants another. */
function isThere(lane: Line | undefined, key: string): boolean {
  return lane?.busyWith === key || isWaiting(lane, key);
}

function makePersonal(lane: Line | undefined, key: string): void {
  const known = lane?.entries.find((entry) => entry.key === key);
  if (known) known.rank = 'personal';
}

function isWaiting(lane: Line | undefined, key: string): boolean {
  return lane?.entries.some((entry) => entry.key === key) ?? false;
}

/** With many chats waiting for the bot's own limit, each gets its turn. */
function putLast(lanes: Map<Lane, Line>, lane: Line): void {
  lanes.delete(lane.chat);
  lanes.set(lane.chat, lane);
}

type ChoiceDeps = Pick<LanesOptions, 'pace' | 'nowMs'> & { isWordsTurn: boolean };

/** The chat whose turn it is, or how long until one can have it. */
function choose(lanes: Iterable<Line>, { pace, nowMs, isWordsTurn }: ChoiceDeps): { lane: Line | null; inMs: number } {
  let longest: Line | null = null;
  let inMs = Infinity;
  for (const lane of lanes) {
    if (lane.busyWith !== null) continue;
    const waitMs = untilNext(lane, pace, nowMs());
    inMs = Math.min(inMs, waitMs);
    if (waitMs > 0) continue;
    if (!isWordsTurn || isUrgent(nextOf(lane, pace, nowMs()))) return { lane, inMs };
    longest ??= lane;
  }
  return { lane: longest, inMs };
}

/** How long until one of its messages can go. It is asked of each chat at each turn of any. */
function untilNext({ chat, entries }: Line, pace: Pace, nowMs: number): number {
  const soonest = { personal: Infinity, other: Infinity };
  for (const { rank, notBeforeMs } of entries) {
    const kind = rank === 'personal' ? 'personal' : 'other';
    soonest[kind] = Math.min(soonest[kind], notBeforeMs);
  }
  const untilMs = (atMs: number, isPersonal: boolean) =>
    atMs === Infinity ? Infinity : Math.max(atMs - nowMs, pace.waitMs(chat, isPersonal));
  return Math.min(untilMs(soonest.personal, true), untilMs(soonest.other, false));
}

/** When the pace has room left only for messages to one person, nothing else goes. */
function nextOf({ chat, entries, wordsInARow }: Line, pace: Pace, nowMs: number): Entry | undefined {
  const due = entries.filter(({ notBeforeMs }) => notBeforeMs <= nowMs);
  const personal = due.find(({ rank }) => rank === 'personal');
  if (pace.waitMs(chat, false) > 0) return personal;
  if (wordsInARow >= WORDS_IN_A_ROW) return due[0];
  return personal ?? due.find(({ rank }) => rank === 'first_word') ?? due[0];
}

function isUrgent(entry: Entry | undefined): boolean {
  return entry !== undefined && entry.rank !== 'later';
}

/** A step of a message may have been waiting when its content turns out to be for one person. */
function higher(one: Rank, other: Rank): Rank {
  if (one === 'personal' || other === 'personal') return 'personal';
  return one === 'first_word' ? one : other;
}

/** A message that has waited through this many urgent ones goes next, so the count starts again. */
function countOn(wordsInARow: number, entry: Entry): number {
  return isUrgent(entry) && wordsInARow < WORDS_IN_A_ROW ? wordsInARow + 1 : 0;
}
