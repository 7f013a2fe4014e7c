import { microUsdc, parseDecimalUsdc, type MicroUsdc } from '../../money.ts';

/** `1,500` and `1.500` are one and a half to some, and fifteen hundred to others. */
export const THOUSANDS = /^0*[1-9][0-9]*(?:[,.'’_][0-9]{3})(?:[,.'’_][0-9]+)*$/;
export const DIGITS = /^(?:0|[1-9][0-9]{0,11})?(?:[.,][0-9]+)?$/;

function withPoint(digits: string): string {
  const text = digits.replace(',', '.');
  return text.startsWith('.') ? `0${text}` : text;
}

export const digitsOf = (digits: string) => (DIGITS.test(digits) ? cutDecimals(digits) : '1');

/** `1.5` for `1,500`: the one of its two meanings that a tip can have. */
export function withoutThousands(digits: string): string {
  const [whole = '1', fraction = ''] = digits.split(/[,.'’_]/);
  return whole.length < 2 && /[,.]/.test(digits) ? cutDecimals(`${whole}.${fraction}`) : '1';
}

/** For the corrected example only: drops the decimals that USDC does not have. */
export function cutDecimals(digits: string): string {
  const [whole = '0', fraction = ''] = withPoint(digits).split('.');
  const kept = fraction.slice(0, 6).replace(/0+$/, '');
  return kept === '' ? whole : unambiguous(`${whole}.${kept}`);
}

/** `1.6740`: with three decimals it could be thousands. */
export const unambiguous = (sum: string) => (THOUSANDS.test(sum) ? `${sum}0` : sum);

/** Maps full-width digits and signs (Japanese keyboards) to ASCII, and nothing else. */
export function toAscii(text: string): string {
  return text
    .replace(/[\uFF01-\uFF5E]/g, (character) => String.fromCharCode(character.charCodeAt(0) - 0xfee0))
    .replaceAll('￥', '¥')
    .toLowerCase();
}

/** Null for more decimals than there are. */
export function toMicro(digits: string, inCents: boolean): MicroUsdc | null {
  const amount = parseDecimalUsdc(withPoint(digits));
  if (amount === null || !inCents) return amount;
  return amount % 100n === 0n ? microUsdc(amount / 100n) : null;
}
