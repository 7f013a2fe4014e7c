import type { Challenge } from '../core/payments/challenge.ts';
import type { Refused } from './refusal.ts';

/** The answer to a payment. Each kind of payment adds its own fields. */
export type PaidAnswer = { kind: 'paid' };

export type Price<Paid extends PaidAnswer> =
  | { kind: 'price'; challenge: Challenge }
  /** Another payer has paid for it. */
  | Paid
  /** Another payer is paying for it now, which may still fail. */
  | { kind: 'busy' }
  | Refused
  /** No usable answer, or one that says to ask again: `refusal` has its reason. Nothing was signed. */
  | { kind: 'unreachable'; refusal: Refused | null };

export type Sent<Paid extends PaidAnswer> =
  | Paid
  | Refused
  /** Not known yet. Only the same header may be sent again, after `waitMs` where the service names it. */
  | { kind: 'pending'; waitMs: number | null };

/** The way to one charge. Each call is one request. */
export type Channel<Paid extends PaidAnswer> = {
  askPrice: () => Promise<Price<Paid>>;
  send: (header: string) => Promise<Sent<Paid>>;
};

export type Clock = { now: () => number; sleep: (milliseconds: number) => Promise<void> };

const PAUSE_MIN_MS = 500;
const PAUSE_MAX_MS = 15_000;
const PRICE_TRIES = 6;

/** Asks until there is an answer, for some seconds at most. */
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
  /** How long to keep trying; 0: one try. */
  limitMs: number;
  /** Called once, when the first answer leaves the fate open. */
  onWaiting?: () => Promise<void>;
};

/**
 * Sends one header until its fate is known or the time is up. An unclear answer (lost, 429, 500, an unreadable 200)
 * leaves the fate open; then only this header may be sent again.
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
