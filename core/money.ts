/**
 * Money inside the program is an integer of micro-USDC (1 USDC = 1,000,000).
 * Decimals exist only where a body is read or an answer is written; nothing here rounds.
 */
declare const microUsdcBrand: unique symbol;
export type MicroUsdc = bigint & { readonly [microUsdcBrand]: true };

const MICRO_PER_USDC = 1_000_000n;
export const USDC_DECIMALS = 6;
const DECIMAL_PATTERN = /^(0|[1-9][0-9]{0,15})(?:\.([0-9]{1,6}))?$/;

/** Brands an integer that is already micro-USDC. Throws on a negative amount: amounts have no sign. */
export function microUsdc(value: bigint): MicroUsdc {
  if (value < 0n) throw new Error(`an amount of micro-USDC cannot be negative, found ${value}`);
  return value as MicroUsdc;
}

export const ZERO_USDC = microUsdc(0n);

/**
 * Reads decimal text such as `1`, `0.01` or `10.000001`. Null for anything else: signs, exponents, a seventh decimal,
 * leading zeros, separators.
 */
export function parseDecimalUsdc(text: string): MicroUsdc | null {
  const match = DECIMAL_PATTERN.exec(text);
  if (!match) return null;
  const fraction = (match[2] ?? '').padEnd(USDC_DECIMALS, '0');
  return microUsdc(BigInt(match[1] ?? '0') * MICRO_PER_USDC + BigInt(fraction));
}

/**
 * Reads a JSON number by its value: its shortest decimal form must have at most six decimals. `1e-2` in a body is 0.01
 * and passes; 0.1 + 0.2 (0.30000000000000004) does not.
 */
export function parseNumberUsdc(value: number): MicroUsdc | null {
  if (!Number.isFinite(value)) return null;
  const text = String(value);
  // Numbers below 1e-6 print with an exponent and cannot be whole micro-USDC; those above 1e21 are refused likewise.
  return parseDecimalUsdc(text);
}

/** `1`, `0.01`, `3.2`: the shortest exact decimal text. */
export function formatUsdc(amount: MicroUsdc): string {
  const whole = amount / MICRO_PER_USDC;
  const fraction = (amount % MICRO_PER_USDC).toString().padStart(USDC_DECIMALS, '0').replace(/0+$/, '');
  return fraction === '' ? whole.toString() : `${whole}.${fraction}`;
}

/** For people: at least two decimals (`3.20`), more only where needed (`0.000001`). */
export function formatUsdcForPeople(amount: MicroUsdc): string {
  const [whole = '0', fraction = ''] = formatUsdc(amount).split('.');
  return `${whole}.${fraction.padEnd(2, '0')}`;
}

/** A JSON number for answers. Exact for every amount below 2^53 micro-USDC (about nine billion USDC). */
export function toJsonAmount(amount: MicroUsdc): number {
  return Number(formatUsdc(amount));
}

export function sumUsdc(amounts: Iterable<MicroUsdc>): MicroUsdc {
  let total = 0n;
  for (const amount of amounts) total += amount;
  return microUsdc(total);
}

/** Fee on top of a sum: basis points rounded up to a whole micro-USDC, plus a flat part. */
export function feeFor(sum: MicroUsdc, feeBps: number, feeFlat: MicroUsdc): MicroUsdc {
  const proportional = (sum * BigInt(feeBps) + 9_999n) / 10_000n;
  return microUsdc(proportional + feeFlat);
}

/** Splits a total into equal parts. The first parts get the remainder, so the sum is kept. */
export function splitEqually(total: MicroUsdc, parts: number): MicroUsdc[] {
  if (!Number.isInteger(parts) || parts < 1) throw new Error(`a split needs at least one part, found ${parts}`);
  const base = total / BigInt(parts);
  const surplus = Number(total % BigInt(parts));
  return Array.from({ length: parts }, (_, index) => microUsdc(base + (index < surplus ? 1n : 0n)));
}
