/**
 * How much a bot may send. Telegram publishes rough numbers only: one message a second in a chat, with short bursts let
 * through; 20 a minute in a group; about 30 a second in all. Counted are new messages and edits. Real limits grow harsher
 * for a bot that goes on after a 429; that is not modelled.
 */
import { tooManyRequests } from './refusal.ts';

export type FloodLimits = {
  /** Messages that a chat takes at once before one a second is all there is. */
  burstPerChat: number;
  perChatPerSecond: number;
  perGroupPerMinute: number;
  overallPerSecond: number;
};

export const USUAL_LIMITS: FloodLimits = {
  burstPerChat: 3,
  perChatPerSecond: 1,
  perGroupPerMinute: 20,
  overallPerSecond: 30,
};

export type Flood = {
  /** Counts one message, or refuses with 429 and counts nothing. */
  take: (chat: { id: number; type: string }) => void;
};

type Bucket = { tokens: number; atMs: number };

export function createFlood(limits: FloodLimits | null, nowMs: () => number): Flood {
  const buckets = new Map<number, Bucket>();
  const sentInGroup = new Map<number, number[]>();
  let sentOverall: number[] = [];

  function take(chat: { id: number; type: string }): void {
    if (!limits) return;
    const now = nowMs();
    const bucket = refill(buckets.get(chat.id), limits, now);
    const group = (sentInGroup.get(chat.id) ?? []).filter((at) => at > now - 60_000);
    sentOverall = sentOverall.filter((at) => at > now - 1000);

    const waitsMs = [
      bucket.tokens >= 1 ? 0 : ((1 - bucket.tokens) / limits.perChatPerSecond) * 1000,
      chat.type === 'private' ? 0 : waitMs(group, limits.perGroupPerMinute, 60_000, now),
      waitMs(sentOverall, limits.overallPerSecond, 1000, now),
    ];
    const longestMs = Math.max(...waitsMs);
    if (longestMs > 0) throw tooManyRequests(Math.max(1, Math.ceil(longestMs / 1000)));

    buckets.set(chat.id, { tokens: bucket.tokens - 1, atMs: now });
    if (chat.type !== 'private') sentInGroup.set(chat.id, [...group, now]);
    sentOverall.push(now);
  }

  return { take };
}

function refill(bucket: Bucket | undefined, limits: FloodLimits, now: number): Bucket {
  if (!bucket) return { tokens: limits.burstPerChat, atMs: now };
  const gained = ((now - bucket.atMs) / 1000) * limits.perChatPerSecond;
  return { tokens: Math.min(limits.burstPerChat, bucket.tokens + gained), atMs: now };
}

/** How long until the oldest of a full window has left it. */
function waitMs(sentAt: number[], atMost: number, windowMs: number, now: number): number {
  const oldest = sentAt[sentAt.length - atMost];
  return oldest === undefined ? 0 : oldest + windowMs - now;
}
