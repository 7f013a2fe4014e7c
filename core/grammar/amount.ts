import { microUsdc, parseDecimalUsdc, type MicroUsdc } from '../money.ts';

export type AmountForm = { kind: 'exact'; amount: MicroUsdc } | { kind: 'all' } | { kind: 'half' };

export type AmountMistake =
  | 'thousands_separator'
  | 'shorthand_amount'
  | 'too_many_decimals'
  | 'other_currency'
  | 'unreadable_amount';

export type AmountReading =
  | { kind: 'amount'; form: AmountForm; used: number }
  | { kind: 'mistake'; code: AmountMistake; found: string; instead: string };

const DOLLAR_UNITS = new Set(['usd', 'usdc', 'dollar', 'dollars']);
const CENT_UNITS = new Set(['¢', 'c', 'cent', 'cents']);
/** These words mean another number or other money. Read as a note, they would send the wrong sum. */
const SCALE_WORDS = new Set(['k', 'm', 'mm', 'b', 'bn', 'mio', 'thousand', 'million', 'billion']);
const OTHER_MONEY = new Set(
  'eur euro euros € gbp pound pounds £ jpy yen ¥ eth btc sol usdt sat sats matic doge brl inr ₹ chf cad aud'.split(' '),
);

/** A token that starts like a number is meant as one, except a domain or an e-mail address. */
const NUMBER_LIKE = /^[-+]?[$€£¥₹]?[-+]?[.,]?[0-9]/;
const NAME_LIKE = /[@:]|\/[^0-9]|\.[a-z]/;
const THOUSANDS = /^\$?[1-9][0-9]{0,2}(?:[,'_][0-9]{3})+(?:[.,][0-9]*)?[a-z¢]*$/;
const FORM = /^(\$?)((?:0|[1-9][0-9]{0,11})?(?:[.,][0-9]+)?)([a-z¢]*)$/;

/**
 * Reads the amount that starts at `tokens[at]`; null when that token is not meant as one. A separate unit is a second
 * token (`1 USDC`, `50 ¢`). Nothing is rounded, and an ambiguous amount is refused.
 */
export function readAmount(tokens: readonly string[], at: number): AmountReading | null {
  const found = tokens[at] ?? '';
  const token = toAscii(found);
  if (token === 'all' || token === 'max') return { kind: 'amount', form: { kind: 'all' }, used: 1 };
  if (token === 'half') return { kind: 'amount', form: { kind: 'half' }, used: 1 };
  if (!NUMBER_LIKE.test(token) || NAME_LIKE.test(token)) return null;
  return readNumber(token, found, toAscii(tokens[at + 1] ?? ''));
}

function readNumber(token: string, found: string, next: string): AmountReading {
  const refuse = (code: AmountMistake, instead = '1', shown = found): AmountReading => ({
    kind: 'mistake',
    code,
    found: shown,
    instead,
  });
  if (THOUSANDS.test(token)) return refuse('thousands_separator');
  const match = FORM.exec(token);
  if (!match) return refuse(isOtherMoney(token) ? 'other_currency' : shapeMistake(token));
  const [, dollar = '', digits = '', suffix = ''] = match;
  const unit = suffix === '' ? next : suffix;
  if (suffix === '' && /^[0-9]{3}$/.test(next)) return refuse('thousands_separator', '1', `${found} ${next}`);
  if (SCALE_WORDS.has(unit)) return refuse('shorthand_amount', '10', suffix === '' ? `${found} ${next}` : found);
  if (OTHER_MONEY.has(unit)) return refuse('other_currency', '1', suffix === '' ? `${found} ${next}` : found);
  const isUnit = DOLLAR_UNITS.has(unit) || CENT_UNITS.has(unit);
  if (suffix !== '' && !isUnit) return refuse('unreadable_amount');
  if (dollar !== '' && CENT_UNITS.has(unit)) return refuse('unreadable_amount');
  const amount = toMicro(digits, CENT_UNITS.has(unit));
  if (amount === null) return refuse('too_many_decimals', cutDecimals(digits));
  return { kind: 'amount', form: { kind: 'exact', amount }, used: suffix === '' && isUnit ? 2 : 1 };
}

function toMicro(digits: string, inCents: boolean): MicroUsdc | null {
  const amount = parseDecimalUsdc(withPoint(digits));
  if (amount === null || !inCents) return amount;
  return amount % 100n === 0n ? microUsdc(amount / 100n) : null;
}

function withPoint(digits: string): string {
  const text = digits.replace(',', '.');
  return text.startsWith('.') ? `0${text}` : text;
}

/** For the corrected example only: drops the decimals that USDC does not have. */
function cutDecimals(digits: string): string {
  const [whole = '0', fraction = ''] = withPoint(digits).split('.');
  const kept = fraction.slice(0, 6).replace(/0+$/, '');
  return kept === '' ? whole : `${whole}.${kept}`;
}

function isOtherMoney(token: string): boolean {
  return /[€£¥₹]/.test(token) || OTHER_MONEY.has(token.replace(/^[^a-z]+/, ''));
}

function shapeMistake(token: string): AmountMistake {
  return /^[-+]?\$?[0-9.,]+e[-+]?[0-9]+$/.test(token) ? 'shorthand_amount' : 'unreadable_amount';
}

/** Maps full-width digits and signs (Japanese keyboards) to ASCII, and nothing else. */
function toAscii(text: string): string {
  return text
    .replace(/[\uFF01-\uFF5E]/g, (character) => String.fromCharCode(character.charCodeAt(0) - 0xfee0))
    .toLowerCase();
}
