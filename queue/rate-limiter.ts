import { createHash } from 'node:crypto';

/** Keys remembered at most by one limit. Beyond it the oldest are forgotten, which can only let a caller through. */
const KEYS_MAX = 100_000;
const MINUTE_MS = 60_000;
/** 132 bits. A key may come from a caller, of any length, and may be an address that is nobody's business. */
const FIELD_LENGTH = 22;

export type RateLimiter = {
  /** Counts one request of this key, or several where it costs more; false when its minute is used up. Never waits. */
  allows: (key: string, cost?: number) => boolean;
  /** Seconds until this request would be allowed, if no other of this key comes before it. */
  retryAfterSeconds: (key: string, cost?: number) => number;
};

/** What this process has counted for one key in one minute, and what the others have, as far as they have told. */
export type Count = {
  field: string;
  minute: number;
  own: number;
  /** The part of `own` that the others have been told. */
  sent: number;
  others: number;
  /** The minute before. */
  earlier: Count | null;
};

/** All limits of a process. Without an exchange with others (rate-exchange.ts) it counts alone. */
export type RateLimits = {
  /** `name` is the same in all processes. Zero switches it off. */
  perMinute: (name: string, countMax: number) => RateLimiter;
  /** The oldest counts that the others have not been told. */
  takeUnsent: (countMax: number) => Count[];
};

type Window = Map<string, Count>;

export function createRateLimits(now: () => number): RateLimits {
  const unsent = new Set<Count>();

  function noteUnsent(count: Count): void {
    unsent.add(count);
    const [oldest] = unsent;
    // For long nobody could be told: what lies before the last minute decides nothing any more.
    if (oldest !== undefined && (unsent.size > KEYS_MAX || oldest.minute < count.minute - 1)) unsent.delete(oldest);
  }

  function takeUnsent(countMax: number): Count[] {
    const taken: Count[] = [];
    for (const count of unsent) {
      if (taken.length === countMax) break;
      unsent.delete(count);
      taken.push(count);
    }
    return taken;
  }

  return { perMinute: (name, countMax) => createLimiter({ name, countMax, now, noteUnsent }), takeUnsent };
}

/** Counts alone. */
export function createRateLimiter(countMax: number, now: () => number): RateLimiter {
  return createRateLimits(now).perMinute('', countMax);
}

type LimiterOptions = { name: string; countMax: number; now: () => number; noteUnsent: (count: Count) => void };

/** At most this many in any minute: this minute's count, and the share of the last one that lies within sixty seconds. */
function createLimiter({ name, countMax, now, noteUnsent }: LimiterOptions): RateLimiter {
  let minute = Math.floor(now() / MINUTE_MS);
  let current: Window = new Map();
  let previous: Window = new Map();

  function turn(): void {
    const today = Math.floor(now() / MINUTE_MS);
    if (today === minute) return;
    previous = today === minute + 1 ? current : new Map();
    current = new Map();
    minute = today;
  }

  function countOf(field: string): Count {
    const known = current.get(field);
    if (known !== undefined) return known;
    const earlier = previous.get(field) ?? newCount(field, minute - 1, null);
    // What is two minutes old decides nothing any more.
    earlier.earlier = null;
    const count = newCount(field, minute, earlier);
    current.set(field, count);
    if (current.size > KEYS_MAX) current.delete(current.keys().next().value ?? field);
    return count;
  }

  return {
    allows(key, cost = 1) {
      if (countMax === 0) return true;
      turn();
      const count = countOf(fieldOf(name, key));
      const shareLeft = 1 - (now() % MINUTE_MS) / MINUTE_MS;
      if (totalOf(count) + totalOf(count.earlier) * shareLeft + cost > countMax) return false;
      count.own += cost;
      noteUnsent(count);
      return true;
    },
    retryAfterSeconds(key, cost = 1) {
      turn();
      const count = countOf(fieldOf(name, key));
      const passed = (now() % MINUTE_MS) / MINUTE_MS;
      const own = totalOf(count);
      const inThisMinute = shareThatFits(totalOf(count.earlier), countMax - own - cost);
      const freeAt = inThisMinute ?? 1 + (shareThatFits(own, countMax - cost) ?? 1);
      return Math.max(1, Math.ceil(((freeAt - passed) * MINUTE_MS) / 1000));
    },
  };
}

/** How much of a minute must pass until so little of the minute before it counts that it fits; null: it never will. */
function shareThatFits(earlier: number, room: number): number | null {
  if (room < 0) return null;
  return earlier <= room ? 0 : 1 - room / earlier;
}

function newCount(field: string, minute: number, earlier: Count | null): Count {
  return { field, minute, own: 0, sent: 0, others: 0, earlier };
}

function totalOf(count: Count | null): number {
  return count === null ? 0 : count.own + count.others;
}

function fieldOf(name: string, key: string): string {
  return createHash('sha256').update(`${name}\n${key}`).digest('base64url').slice(0, FIELD_LENGTH);
}
