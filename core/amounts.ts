import { quoteText } from './characters.ts';
import { AppError } from './errors.ts';
import { formatUsdc, microUsdc, parseDecimalUsdc, parseNumberUsdc, type MicroUsdc } from './money.ts';

/** 0.01 and 10 USDC, for a single payment and for each line of a batch. */
export const PAYMENT_AMOUNT_MIN = microUsdc(10_000n);
export const PAYMENT_AMOUNT_MAX = microUsdc(10_000_000n);
/** A payer with this many unsettled payments has to wait, so that one payer cannot fill every batch. */
export const UNSETTLED_PAYMENTS_MAX = 20;

const WANTED = `wanted: ${formatUsdc(PAYMENT_AMOUNT_MIN)} to ${formatUsdc(PAYMENT_AMOUNT_MAX)} USDC with at most 6 decimals, such as 0.5 or "0.50"`;

/**
 * Reads an amount from a body: a JSON number by its value (`1e-2` is 0.01), or a string with a plain decimal. `field`
 * is the body key that an error names, such as `receivers[3].amount`.
 * Throws AppError `invalid_amount` for everything else: an amount is refused, never rounded.
 */
export function parsePaymentAmount(value: unknown, field: string): MicroUsdc {
  const amount = readAmount(value);
  const problem = amount === null ? describeWrong(value) : checkRange(amount, value);
  if (amount === null || problem !== null) {
    throw new AppError('invalid_amount', { field, detail: `${problem}; ${WANTED}` });
  }
  return amount;
}

function readAmount(value: unknown): MicroUsdc | null {
  if (typeof value === 'number') return parseNumberUsdc(value);
  return typeof value === 'string' ? parseDecimalUsdc(value) : null;
}

function checkRange(amount: MicroUsdc, value: unknown): string | null {
  if (amount < PAYMENT_AMOUNT_MIN) return `${show(value)} is too small`;
  if (amount > PAYMENT_AMOUNT_MAX) return `${show(value)} is too large`;
  return null;
}

function describeWrong(value: unknown): string {
  if (value === undefined) return 'the amount is missing';
  if (typeof value === 'number') return describeWrongNumber(value);
  if (typeof value !== 'string') return `the amount is ${nameType(value)}, not a number`;
  if (value.trim() === '') return 'the amount is empty';
  if (/^[+-]?[0-9.]+e[+-]?[0-9]+$/i.test(value)) return `${show(value)} has an exponent`;
  if (/^[0-9]+\.[0-9]{7,}$/.test(value)) return `${show(value)} has more than 6 decimals`;
  if (/^[0-9]+,[0-9]+$/.test(value)) return `${show(value)} has a comma where a point is wanted`;
  if (value.startsWith('-')) return `${show(value)} is negative`;
  return `${show(value)} is not a plain decimal number`;
}

function describeWrongNumber(value: number): string {
  if (!Number.isFinite(value)) return 'the amount is not a finite number';
  if (value < 0) return `${value} is negative`;
  // JavaScript prints an exponent only for numbers below a millionth or above 10^21.
  if (value * 1_000_000 < Number(PAYMENT_AMOUNT_MIN)) return `${value} is too small`;
  if (value * 1_000_000 > Number(PAYMENT_AMOUNT_MAX)) return `${value} is too large`;
  return `${value} has more than 6 decimals`;
}

function show(value: unknown): string {
  return typeof value === 'string' ? quoteText(value) : String(value);
}

function nameType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
