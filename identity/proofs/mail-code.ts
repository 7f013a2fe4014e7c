import { createHash, timingSafeEqual } from 'node:crypto';
import type { RandomBytes } from '../../core/ids.ts';

/** Contract, section 8. The caller counts tries and checks the time; both are per claim. */
export const MAIL_CODE_MS = 10 * 60_000;
export const MAIL_CODE_TRIES_MAX = 5;
export const MAIL_CODE_DIGITS = 8;

const CODES = 10 ** MAIL_CODE_DIGITS;
/** The largest multiple of the number of codes in four bytes; values above it would favour low codes. */
const FAIR_BELOW = Math.floor(2 ** 32 / CODES) * CODES;

/** Eight digits; all codes are equally likely. */
export function newCode(random: RandomBytes): string {
  for (;;) {
    const value = Buffer.from(random(4)).readUInt32BE();
    if (value < FAIR_BELOW) return String(value % CODES).padStart(MAIL_CODE_DIGITS, '0');
  }
}

/**
 * Stored in place of a code, and bound to one claim, so that a code is worthless for another. A hash of eight digits
 * can be searched; it only keeps readers of a row or a backup from seeing codes.
 */
export function hashCode({ claimId, code }: { claimId: string; code: string }): string {
  return createHash('sha256').update(`pennypost/mail-code/${claimId}/${code}`).digest('hex');
}

/** Accepts spaces and hyphens between the digits. Takes the same time for every wrong code. */
export function isSameCode(typed: string, stored: { claimId: string; hash: string }): boolean {
  const code = typed.length > 40 ? '' : typed.normalize('NFKC').replace(/[\s\p{Pd}]/gu, '');
  const found = Buffer.from(hashCode({ claimId: stored.claimId, code }), 'hex');
  const expected = Buffer.from(stored.hash, 'hex');
  return found.length === expected.length && timingSafeEqual(found, expected);
}
