import { PAYMENT_AMOUNT_MAX, PAYMENT_AMOUNT_MIN } from '../../../../core/amounts.ts';
import { DROP_TIME_DEFAULT_S } from '../../../../core/drops/drops.ts';
import { parseDuration } from '../../../../core/grammar/duration.ts';
import { toUsdc } from '../../../../core/grammar/rates.ts';
import { formatUsdc, microUsdc, parseDecimalUsdc, splitEqually, type MicroUsdc } from '../../../../core/money.ts';
import { findPlatform } from '../../../../core/platforms/platforms.ts';
import { formatRecipient, parseRecipient } from '../../../../core/platforms/recipient.ts';
import type { Line, Meaning, Person } from './line.ts';
import { RATES } from './place.ts';

/**
 * What has to come of a line, in the words of the judge: its meaning, and where the contract forbids that, the reason that
 * has to be given. Whoever wrote the lines knew neither the limits nor that names of a chat count only inside a group.
 */
export function expectedOf(line: Line): readonly string[] {
  const { meaning, comment = '' } = line;
  switch (meaning.kind) {
    case 'ask':
      return questionsOf(line);
    case 'refuse':
      return reasonsFor(comment);
    case 'tip':
      return [...tipOf(line, meaning), ...(line.clear ? [] : ['asks two', 'asks which'])];
    case 'request':
      return requestOf(line, meaning);
    case 'drop':
      return dropOf(meaning);
    case 'withdraw':
      return ['withdraw', 'withdraw_help', 'no withdraw'];
    case 'cancel':
      return ['no undo'];
    case 'balance':
    case 'block':
    case 'claim':
    case 'help':
    case 'history':
    case 'limits':
    case 'link':
    case 'settings':
    case 'top':
      return [meaning.kind];
  }
}

function questionsOf({ line, where, comment = '' }: Line): string[] {
  if (/how many people/i.test(comment)) return ['drop asks people'];
  // A member's name, typed where nobody is a member.
  const isElsewhere = where === 'private' && /\bwhom?\b/i.test(comment) && /(?:^|\s)@\w/.test(line);
  return [
    ...questionsFor(comment),
    ...(/^\/drop\b/.test(line) ? ['drop asks unreadable'] : []),
    ...(isElsewhere ? ['no names here'] : []),
  ];
}

/** The one question of a line that leaves something open. A comment that names nothing of these leaves it to the answer. */
function questionsFor(comment: string): string[] {
  const isWho = /\bwho/i.test(comment);
  if (/how much/i.test(comment)) return [...(isWho ? ['asks who'] : []), 'asks how much', 'asks which'];
  if (/two (?:amounts|sums)|two people/i.test(comment)) return ['asks how much', 'asks two', 'asks share'];
  if (/each|in all|share/i.test(comment)) return ['asks share', 'asks how much'];
  if (/\bevery\b|once|repeat/i.test(comment)) return ['asks once'];
  if (/currenc|money/i.test(comment)) return ['asks money', 'asks how much'];
  if (/link/i.test(comment)) return ['asks owner', 'asks which'];
  return ['asks who', 'asks which'];
}

function reasonsFor(comment: string): string[] {
  if (/wallet/i.test(comment)) return ['no wallet'];
  if (/phone/i.test(comment)) return ['no phone'];
  if (/separator/i.test(comment)) return ['asks thousand'];
  if (/zero/i.test(comment)) return ['no range'];
  if (/negative/i.test(comment)) return ['asks how much', 'no range'];
  if (/too (?:much|large|small|little)|limit/i.test(comment)) return ['no range'];
  if (/every|once|repeat|week|month/i.test(comment)) return ['asks once'];
  if (/not sen[dt]|call.* off|cancel|don.t/i.test(comment)) return ['asks whether', 'no undo'];
  if (/currenc|bitcoin|crypto/i.test(comment)) return ['asks money'];
  if (/bank|IBAN|pix/i.test(comment)) return ['no account'];
  if (/channel/i.test(comment)) return ['asks which', 'no platform'];
  return ['asks which', 'asks how much', 'asks two'];
}

type Sums = { amount_usd?: string | null | undefined; total_usd?: string | null | undefined };
type Other = { amount?: string | undefined; currency?: string | undefined };

function usdOf(sums: Sums & Other): MicroUsdc | null {
  const written = sums.amount_usd ?? sums.total_usd ?? null;
  if (written !== null) return parseDecimalUsdc(written.replace(/\.?0+$/, (end) => (end.includes('.') ? '' : end)));
  const amount = parseDecimalUsdc(sums.amount ?? '');
  return amount === null ? null : toUsdc({ currency: sums.currency ?? '', amount }, RATES);
}

function isOutOfRange(parts: readonly MicroUsdc[]): boolean {
  return parts.some((part) => part < PAYMENT_AMOUNT_MIN || part > PAYMENT_AMOUNT_MAX);
}

const isSaid = <Value>(value: Value | null | undefined): value is Value => value !== null && value !== undefined;

/** A member; a person elsewhere; null for one whom nobody could pay by that name. */
function nameOf({ platform, name }: Person): string | null {
  if (platform === 'member') return `telegram:${name.toLowerCase()}`;
  const known = findPlatform(platform);
  if (known === null || known === 'discord') return null;
  return formatRecipient(parseRecipient(known, name));
}

function tipOf(line: Line, meaning: Extract<Meaning, { kind: 'tip' }>): string[] {
  const { recipients } = meaning;
  if (recipients.some(({ platform }) => platform === 'discord')) return ['no number'];
  const sum = usdOf(meaning);
  const isSplit = isSaid(meaning.total_usd);
  // Whether `1,000` is a thousand is asked, with the limits.
  if (sum !== null && isOutOfRange(isSplit ? splitEqually(sum, recipients.length) : [sum]))
    return ['no range', ...(/[0-9][.,][0-9]{3}(?![0-9])/.test(line.line) ? ['asks thousand'] : [])];
  const inChat = recipients.some(({ platform }) => platform === 'member' || platform === 'telegram');
  const asked = meaning.currency === undefined ? [] : ['asks money'];
  if (inChat && line.where === 'private') return ['no names here', 'asks which', ...asked];
  // Somebody whom the group has not seen.
  if (recipients.some(({ platform }) => platform === 'telegram')) return ['no names here', 'no member'];
  const names = recipients.map(nameOf).join(' ');
  const note = !isSaid(meaning.note) ? '' : ` "${meaning.note}"`;
  if (meaning.currency !== undefined) {
    if (sum === null) return ['asks money'];
    return [
      `asks ${names} ${formatUsdc(parseDecimalUsdc(meaning.amount ?? '') ?? microUsdc(0n))} ${meaning.currency}${note}`,
    ];
  }
  return [
    `${names} ${sum === null ? meaning.amount_usd : formatUsdc(sum)}${isSplit && recipients.length > 1 ? ' split' : ''}${note}`,
  ];
}

function requestOf(line: Line, meaning: Extract<Meaning, { kind: 'request' }>): string[] {
  const { from, includes_sender: withAsker = false } = meaning;
  const sum = usdOf(meaning);
  const isSplit = isSaid(meaning.total_usd);
  const count = from.length + (withAsker ? 1 : 0);
  const isTooMuch = sum !== null && isOutOfRange(isSplit ? splitEqually(sum, Math.max(count, 1)) : [sum]);
  if (line.where === 'private') return ['request no names here', 'request explain', ...(isTooMuch ? ['no range'] : [])];
  // Only one who is named can be asked.
  if (from.length === 0) return ['asks who'];
  if (isTooMuch) return ['no range'];
  // In whatever order they stand: each pays the same.
  const names = [...from.map(nameOf), ...(withAsker ? ['telegram:7'] : [])].join(' ');
  const reason = !isSaid(meaning.reason) ? '' : ` "${meaning.reason}"`;
  const said = `${names} ${sum === null ? '' : formatUsdc(sum)}${isSplit ? ' split' : ''}${reason}`;
  return [`request ${said}`];
}

/** As the writers said it. */
function secondsIn(duration: string): number {
  const isHalfAnHour = /^(?:(?:an?|eine|una|uma) )?(?:half(?: an)? hour|halbe stunde|media hora|meia hora)$/i.test(
    duration,
  );
  return isHalfAnHour ? 1_800 : (parseDuration(duration) ?? 0);
}

function dropOf(meaning: Extract<Meaning, { kind: 'drop' }>): string[] {
  const said = usdOf(meaning);
  if (!isSaid(meaning.people)) return ['drop asks people'];
  const sum = said !== null && isSaid(meaning.amount_usd) ? microUsdc(said * BigInt(meaning.people)) : said;
  if (sum === null) return ['drop asks unreadable'];
  const seconds = !isSaid(meaning.duration) ? DROP_TIME_DEFAULT_S : secondsIn(meaning.duration);
  return [`drop ${formatUsdc(sum)} for ${meaning.people} in ${seconds}`];
}
