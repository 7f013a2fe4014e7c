import { z } from 'zod';
import { PAYMENT_AMOUNT_MAX, PAYMENT_AMOUNT_MIN } from '../amounts.ts';
import { microUsdc, type MicroUsdc } from '../money.ts';

/**
 * What tips may take out of a personal wallet. `tip`: at most for each recipient. `ask`: above it the payer is asked first.
 * `day`: in all, with fees, between two midnights in UTC.
 */
export const LIMIT_NAMES = ['tip', 'ask', 'day'] as const;
export type LimitName = (typeof LIMIT_NAMES)[number];
export type SpendingLimits = Readonly<Record<LimitName, MicroUsdc>>;

const usdc = (amount: bigint): MicroUsdc => microUsdc(amount * 1_000_000n);

export const DEFAULT_LIMITS: SpendingLimits = { tip: usdc(10n), ask: usdc(2n), day: usdc(25n) };
/** Whoever takes over a chat account takes no more than this a day, whatever its owner has allowed. */
export const LARGEST_LIMITS: SpendingLimits = { tip: PAYMENT_AMOUNT_MAX, ask: PAYMENT_AMOUNT_MAX, day: usdc(100n) };
/** Nobody is meant to stop spending by these; and never to ask is not offered, so zero is the least there. */
export const SMALLEST_LIMITS: SpendingLimits = { tip: PAYMENT_AMOUNT_MIN, ask: usdc(0n), day: PAYMENT_AMOUNT_MIN };

/** Long enough for somebody to notice that another person is raising what may be taken. */
export const RAISE_WAIT_MS = 24 * 3_600_000;
/** More than this is better kept elsewhere: whoever gets at our seed gets at it. */
export const HELD_WARNING = usdc(50n);

/** Decimal text of micro-USDC: JSON has no integers of that size. */
const amount = z.string().regex(/^[0-9]{1,12}$/);
const storedLimit = z.object({
  now: amount,
  /** What holds from then on. */
  raise: z.object({ to: amount, atMs: z.int() }).optional(),
});

/** As they stand in a row. A limit that nobody has changed is not in there. */
export const storedLimitsSchema = z.object({
  tip: storedLimit.optional(),
  ask: storedLimit.optional(),
  day: storedLimit.optional(),
});
export type StoredLimits = z.infer<typeof storedLimitsSchema>;
export type Raise = { name: LimitName; to: MicroUsdc; atMs: number };

/** What holds at this time. A limit that an installation no longer allows counts as the largest that it does. */
export function limitsAt(stored: StoredLimits, nowMs: number): SpendingLimits {
  return { tip: limitAt(stored, 'tip', nowMs), ask: limitAt(stored, 'ask', nowMs), day: limitAt(stored, 'day', nowMs) };
}

function limitAt(stored: StoredLimits, name: LimitName, nowMs: number): MicroUsdc {
  const { now = DEFAULT_LIMITS[name].toString(), raise } = stored[name] ?? {};
  const value = toUsdc(raise !== undefined && nowMs >= raise.atMs ? raise.to : now);
  return value > LARGEST_LIMITS[name] ? LARGEST_LIMITS[name] : value;
}

/** Raises that do not hold yet. */
export function raisesAfter(stored: StoredLimits, nowMs: number): Raise[] {
  return LIMIT_NAMES.flatMap((name) => {
    const raise = stored[name]?.raise;
    return raise !== undefined && raise.atMs > nowMs ? [{ name, to: toUsdc(raise.to), atMs: raise.atMs }] : [];
  });
}

/**
 * With one limit changed: lower at once, higher after the wait. Whatever was to come for it before is forgotten, so that
 * the last word counts and a second raise waits as long as the first.
 */
export function changeLimit(stored: StoredLimits, name: LimitName, value: MicroUsdc, nowMs: number): StoredLimits {
  const now = limitAt(stored, name, nowMs);
  if (value <= now) return { ...stored, [name]: { now: value.toString() } };
  const raise = { to: value.toString(), atMs: nowMs + RAISE_WAIT_MS };
  return { ...stored, [name]: { now: now.toString(), raise } };
}

/** What holds now stays, and nothing is to come. */
export function withoutRaises(stored: StoredLimits, nowMs: number): StoredLimits {
  const changed = LIMIT_NAMES.filter((name) => stored[name] !== undefined);
  return Object.fromEntries(changed.map((name) => [name, { now: limitAt(stored, name, nowMs).toString() }]));
}

function toUsdc(text: string): MicroUsdc {
  return microUsdc(BigInt(text));
}
