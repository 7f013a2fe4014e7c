import { microUsdc, parseDecimalUsdc, type MicroUsdc } from '../money.ts';

/** What one of another money is worth, as the operator says; in micro-USDC, by its code. */
export type Rates = ReadonlyMap<string, MicroUsdc>;

/** As typed: `5 €`. */
export type OtherMoney = { currency: string; amount: MicroUsdc };

/** How long an offer at a rate holds. */
export const RATE_HOLDS_MS = 60_000;

const MICRO = 1_000_000n;

/** In USDC, rounded down to a micro-USDC, which its payer is shown; null where nobody says the rate. */
export function toUsdc({ currency, amount }: OtherMoney, rates: Rates | undefined): MicroUsdc | null {
  const rate = rates?.get(currency);
  return rate === undefined ? null : microUsdc((amount * rate) / MICRO);
}

/** Reads `EUR=1.08`. */
export function parseRate(text: string): readonly [string, MicroUsdc] | null {
  const [, currency, worth = ''] = /^([A-Z]{3})=([0-9.]+)$/.exec(text.trim()) ?? [];
  const rate = parseDecimalUsdc(worth);
  return currency === undefined || rate === null || rate === 0n ? null : [currency, rate];
}
