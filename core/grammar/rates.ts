import { microUsdc, parseDecimalUsdc, USDC_DECIMALS, type MicroUsdc } from '../money.ts';

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

/** What a sum is worth in other money, rounded down to a millionth of it. */
export function worthIn(amount: MicroUsdc, rate: MicroUsdc): MicroUsdc {
  return microUsdc((amount * MICRO) / rate);
}

/** `0.93 EUR`, `156 JPY`: rounded to what its people count in, such as cents or whole yen. */
export function formatOtherMoney({ currency, amount }: OtherMoney): string {
  const { maximumFractionDigits } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions();
  const digits = Math.min(maximumFractionDigits ?? USDC_DECIMALS, USDC_DECIMALS);
  const unit = 10n ** BigInt(USDC_DECIMALS - digits);
  const units = ((amount + unit / 2n) / unit).toString().padStart(digits + 1, '0');
  const whole = units.slice(0, units.length - digits);
  return `${digits === 0 ? whole : `${whole}.${units.slice(-digits)}`} ${currency}`;
}

/** Reads `EUR=1.08`. */
export function parseRate(text: string): readonly [string, MicroUsdc] | null {
  const [, currency, worth = ''] = /^([A-Z]{3})=([0-9.]+)$/.exec(text.trim()) ?? [];
  const rate = parseDecimalUsdc(worth);
  return currency === undefined || rate === null || rate === 0n ? null : [currency, rate];
}
