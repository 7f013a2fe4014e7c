import type { PaceLimits } from '../../core/chats/chats.ts';

/** What is shown one after another: a chat, or a single message where the platform does not order them. */
export type Lane = number | string;

/**
 * How much a platform lets a bot send. The platform counts on arrival and by its own clock, so this stays below its
 * limits, and sends evenly after a burst: of what leaves at one moment, a part may arrive with what leaves a second later.
 */
export type Pace = {
  /**
   * How long until this chat takes another message; 0: now. `isPersonal`: it may use what is kept for answers to one
   * person.
   */
  waitMs: (chat: Lane, isPersonal: boolean) => number;
  /** How many have gone there in the last minute; 0 where that is not counted. */
  sentLately: (chat: Lane) => number;
  /** One message or edit is about to go there: it counts from now on, so that no other is let through beside it. */
  hold: (chat: Lane) => void;
  /** One message or edit goes there now: the one that was held for that chat, if any was. */
  take: (chat: Lane) => void;
  /** What was held for that chat and not taken will not go there. */
  letGo: (chat: Lane) => void;
  /**
   * One call that shows nothing new goes out now: it counts against the limit of the whole bot, not against a chat's.
   */
  takeCall: () => void;
  /** How long until such a call, which nobody waits for, can be made there; half of all is kept for answers. */
  spareMs: (chat: Lane) => number;
  /** Telegram has said that it accepts nothing there for this long. */
  pause: (chat: Lane, ms: number) => void;
};

type Bucket = { tokens: number; atMs: number; pausedUntilMs: number; sentAtMs: number[] };
/** For a platform whose client library waits where it has to. */
export const NO_PACE: Pace = {
  waitMs: () => 0,
  sentLately: () => 0,
  hold: () => {},
  take: () => {},
  letGo: () => {},
  takeCall: () => {},
  spareMs: () => 0,
  pause: () => {},
};

const MINUTE_MS = 61_000;
const SECOND_MS = 1_050;
/** A message sent in it counts against the burst. */
const RUSH_MS = 3 * SECOND_MS;
const CHATS_MAX = 20_000;
/** A refusal may mean the chat or the bot as a whole; Telegram does not say which. */
const PAUSE_OF_ALL_MS = 1_000;

export function createPace(limits: PaceLimits, nowMs: () => number, isShared: (chat: Lane) => boolean): Pace {
  const buckets = new Map<Lane, Bucket>();
  const sentAtMs: number[] = [];
  /** At most one a chat, because a chat is told one thing at a time. */
  const held = new Set<Lane>();
  let allPausedUntilMs = 0;

  function bucketOf(chat: Lane): Bucket {
    const now = nowMs();
    return refill(buckets.get(chat) ?? newBucket(limits, now), limits, now);
  }

  function overallWaitMs(perSecond: number, now: number): number {
    forgetBefore(sentAtMs, now - RUSH_MS);
    const window = windowWaitMs(sentAtMs, perSecond - held.size, SECOND_MS, now);
    const last = sentAtMs.at(-1);
    if (last === undefined || sentAtMs.length + held.size < limits.overallBurst) return window;
    const stepMs = SECOND_MS / perSecond;
    return Math.max(window, Math.ceil(last + stepMs * (1 + held.size) - now));
  }

  function waitMs(chat: Lane, isPersonal: boolean): number {
    const now = nowMs();
    const bucket = bucketOf(chat);
    const heldHere = held.has(chat) ? 1 : 0;
    const tokens = bucket.tokens - heldHere;
    return Math.max(
      0,
      allPausedUntilMs - now,
      bucket.pausedUntilMs - now,
      tokens >= 1 ? 0 : Math.ceil(((1 - tokens) / limits.perChatPerSecond) * 1_000),
      isShared(chat) ? windowWaitMs(bucket.sentAtMs, perMinute(limits, isPersonal) - heldHere, MINUTE_MS, now) : 0,
      overallWaitMs(limits.overallPerSecond, now),
    );
  }

  return {
    waitMs,
    sentLately: (chat) => bucketOf(chat).sentAtMs.length,
    hold: (chat) => void held.add(chat),
    letGo: (chat) => void held.delete(chat),
    take(chat) {
      held.delete(chat);
      const now = nowMs();
      const bucket = bucketOf(chat);
      // Put at the end again, so that the first is the one that was silent longest.
      buckets.delete(chat);
      forgetOldest(buckets);
      if (isShared(chat)) bucket.sentAtMs.push(now);
      // Below zero where a message had to go to another chat than the one that was waited for.
      buckets.set(chat, { ...bucket, tokens: bucket.tokens - 1 });
      sentAtMs.push(now);
    },
    takeCall: () => void sentAtMs.push(nowMs()),
    spareMs(chat) {
      const now = nowMs();
      return Math.max(
        0,
        allPausedUntilMs - now,
        bucketOf(chat).pausedUntilMs - now,
        overallWaitMs(Math.ceil(limits.overallPerSecond / 2), now),
      );
    },
    pause(chat, ms) {
      const now = nowMs();
      buckets.set(chat, { ...bucketOf(chat), pausedUntilMs: now + ms });
      allPausedUntilMs = Math.max(allPausedUntilMs, now + Math.min(ms, PAUSE_OF_ALL_MS));
    },
  };
}

function perMinute({ perGroupPerMinute, keptPerGroupPerMinute }: PaceLimits, isPersonal: boolean): number {
  return perGroupPerMinute - (isPersonal ? 0 : keptPerGroupPerMinute);
}

function newBucket({ burstPerChat }: PaceLimits, now: number): Bucket {
  return { tokens: burstPerChat, atMs: now, pausedUntilMs: 0, sentAtMs: [] };
}

function refill(bucket: Bucket, { burstPerChat, perChatPerSecond }: PaceLimits, now: number): Bucket {
  const gained = ((now - bucket.atMs) / 1_000) * perChatPerSecond;
  forgetBefore(bucket.sentAtMs, now - MINUTE_MS);
  return { ...bucket, tokens: Math.min(burstPerChat, bucket.tokens + gained), atMs: now };
}

/** How long until so much has left a full window that there is room in it; a whole window if nothing may be in it. */
function windowWaitMs(sentAtMs: readonly number[], atMost: number, windowMs: number, now: number): number {
  if (atMost <= 0) return windowMs;
  const oldest = sentAtMs[sentAtMs.length - atMost];
  return oldest === undefined ? 0 : oldest + windowMs - now;
}

/** Times only grow, so what is old stands in front. */
function forgetBefore(sentAtMs: number[], beforeMs: number): void {
  const young = sentAtMs.findIndex((at) => at > beforeMs);
  if (young !== 0) sentAtMs.splice(0, young < 0 ? sentAtMs.length : young);
}

/** A forgotten chat starts with a full bucket, which is what long silence gives anyway. */
function forgetOldest(buckets: Map<Lane, Bucket>): void {
  const [oldest] = buckets.keys();
  if (buckets.size > CHATS_MAX && oldest !== undefined) buckets.delete(oldest);
}
