import { z } from 'zod';
import { PAYMENT_AMOUNT_MAX, PAYMENT_AMOUNT_MIN } from '../amounts.ts';
import { microUsdc, type MicroUsdc } from '../money.ts';

/**
 * What tips may take out of a personal wallet. `tip`: the most per recipient. `ask`: above it the payer is asked first.
 * `day`: the total per day (UTC), fees included, and with it what leaves at once for an address that is not known yet.
 */
export const LIMIT_NAMES = ['tip', 'ask', 'day'] as const;
export type LimitName = (typeof LIMIT_NAMES)[number];
export type SpendingLimits = Readonly<Record<LimitName, MicroUsdc>>;

const usdc = (amount: bigint): MicroUsdc => microUsdc(amount * 1_000_000n);

export const DEFAULT_LIMITS: SpendingLimits = { tip: usdc(10n), ask: usdc(2n), day: usdc(25n) };
/** Someone who takes over a chat account gets no more than this a day, whatever its owner has allowed. */
export const LARGEST_LIMITS: SpendingLimits = { tip: PAYMENT_AMOUNT_MAX, ask: PAYMENT_AMOUNT_MAX, day: usdc(100n) };
/** Limits are not meant to stop all spending, so `tip` and `day` allow one payment. `ask` 0 asks every time. */
export const SMALLEST_LIMITS: SpendingLimits = { tip: PAYMENT_AMOUNT_MIN, ask: usdc(0n), day: PAYMENT_AMOUNT_MIN };

/** Long enough for the owner to notice that another person is raising their limits. */
export const RAISE_WAIT_MS = 24 * 3_600_000;
/** More than this is better kept elsewhere: a thief of our seed could take it. */
export const HELD_WARNING = usdc(50n);

/** Decimal text of micro-USDC: JSON has no integers of that size. */
const amount = z.string().regex(/^[0-9]{1,12}$/);
const storedLimit = z.object({
  now: amount,
  /** A higher limit and the time from which it holds. */
  raise: z.object({ to: amount, atMs: z.int() }).optional(),
});

/** The limits as stored. Unchanged limits are absent. */
export const storedLimitsSchema = z.object({
  tip: storedLimit.optional(),
  ask: storedLimit.optional(),
  day: storedLimit.optional(),
});
export type StoredLimits = z.infer<typeof storedLimitsSchema>;
export type Raise = { name: LimitName; to: MicroUsdc; atMs: number };

/** The limits at this time. A limit above what the installation now allows counts as the largest allowed one. */
export function limitsAt(stored: StoredLimits, nowMs: number): SpendingLimits {
  return { tip: limitAt(stored, 'tip', nowMs), ask: limitAt(stored, 'ask', nowMs), day: limitAt(stored, 'day', nowMs) };
}

function limitAt(stored: StoredLimits, name: LimitName, nowMs: number): MicroUsdc {
  const { now = DEFAULT_LIMITS[name].toString(), raise } = stored[name] ?? {};
  const value = toUsdc(raise !== undefined && nowMs >= raise.atMs ? raise.to : now);
  return value > LARGEST_LIMITS[name] ? LARGEST_LIMITS[name] : value;
}

/** The raises that do not hold yet. */
export function raisesAfter(stored: StoredLimits, nowMs: number): Raise[] {
  return LIMIT_NAMES.flatMap((name) => {
    const raise = stored[name]?.raise;
    return raise !== undefined && raise.atMs > nowMs ? [{ name, to: toUsdc(raise.to), atMs: raise.atMs }] : [];
  });
}

/**
 * Changes one limit: a lower one holds at once, a higher one after the wait. It replaces a pending raise of the same
 * limit, so that the latest change counts and a second raise waits as long as the first.
 */
export function changeLimit(stored: StoredLimits, name: LimitName, value: MicroUsdc, nowMs: number): StoredLimits {
  const now = limitAt(stored, name, nowMs);
  if (value <= now) return { ...stored, [name]: { now: value.toString() } };
  const raise = { to: value.toString(), atMs: nowMs + RAISE_WAIT_MS };
  return { ...stored, [name]: { now: now.toString(), raise } };
}

/** Keeps the present limits and drops all pending raises. */
export function withoutRaises(stored: StoredLimits, nowMs: number): StoredLimits {
  const changed = LIMIT_NAMES.filter((name) => stored[name] !== undefined);
  return Object.fromEntries(changed.map((name) => [name, { now: limitAt(stored, name, nowMs).toString() }]));
}

/** Each raise waits in full again, even one that holds already: nobody knows what happened to it since. */
export function restartRaises(stored: StoredLimits, nowMs: number): StoredLimits {
  const atMs = nowMs + RAISE_WAIT_MS;
  const changed = LIMIT_NAMES.flatMap((name) => {
    const limit = stored[name];
    if (limit?.raise === undefined) return limit === undefined ? [] : [[name, limit] as const];
    return [[name, { ...limit, raise: { ...limit.raise, atMs } }] as const];
  });
  return Object.fromEntries(changed);
}

function toUsdc(text: string): MicroUsdc {
  return microUsdc(BigInt(text));
}
