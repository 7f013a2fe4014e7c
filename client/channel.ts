import type { Challenge } from '../core/payments/challenge.ts';
import type { Refused } from './refusal.ts';

/** What was paid. Each kind of payment says it in its own fields. */
export type PaidAnswer = { kind: 'paid' };

export type Price<Paid extends PaidAnswer> =
  | { kind: 'price'; challenge: Challenge }
  /** Someone else has paid for it. */
  | Paid
  /** Someone else is paying for it now, which may still come to nothing. */
  | { kind: 'busy' }
  | Refused
  /** Nothing usable came back, or it said to ask again: then `refusal` holds its word. Nothing was signed. */
  | { kind: 'unreachable'; refusal: Refused | null };

export type Sent<Paid extends PaidAnswer> =
  | Paid
  | Refused
  /** Not known yet. Only the same header may be sent again, after `waitMs` where the service says so. */
  | { kind: 'pending'; waitMs: number | null };

/** The way to one thing that is paid for once. Each call is one request. */
export type Channel<Paid extends PaidAnswer> = {
  askPrice: () => Promise<Price<Paid>>;
  send: (header: string) => Promise<Sent<Paid>>;
};

export type Clock = { now: () => number; sleep: (milliseconds: number) => Promise<void> };

const PAUSE_MIN_MS = 500;
const PAUSE_MAX_MS = 15_000;
const PRICE_TRIES = 6;

/** Asks until there is an answer, some seconds at most. */
export async function askPrice<Paid extends PaidAnswer>(
  channel: Pick<Channel<Paid>, 'askPrice'>,
  { sleep }: Pick<Clock, 'sleep'>,
): Promise<Price<Paid>> {
  for (let tries = 1; ; tries++) {
    const price = await channel.askPrice();
    if (price.kind !== 'unreachable' || tries === PRICE_TRIES) return price;
    await sleep(pauseFor(null, tries));
  }
}

export type Patience = {
  clock: Clock;
  /** How long to go on; 0: one try. */
  limitMs: number;
  /** Called once, when the first answer leaves the fate open. */
  onWaiting?: () => Promise<void>;
};

/**
 * Sends one header until its fate is known or the time is up. Whatever is not a clear answer (a lost answer, 429, 500, a
 * 200 that cannot be read) leaves the fate open, and then only this header may come again.
 */
export async function sendUntilKnown<Paid extends PaidAnswer>(
  send: () => Promise<Sent<Paid>>,
  { clock, limitMs, onWaiting }: Patience,
): Promise<Sent<Paid>> {
  const deadline = clock.now() + limitMs;
  for (let tries = 1; ; tries++) {
    const sent = await send();
    if (sent.kind !== 'pending') return sent;
    const pauseMs = pauseFor(sent.waitMs, tries);
    if (clock.now() + pauseMs >= deadline) return sent;
    if (tries === 1) await onWaiting?.();
    await clock.sleep(pauseMs);
  }
}

function pauseFor(askedMs: number | null, tries: number): number {
  return Math.min(Math.max(askedMs ?? PAUSE_MIN_MS * 2 ** (tries - 1), PAUSE_MIN_MS), PAUSE_MAX_MS);
}
