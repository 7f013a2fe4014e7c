import { createHash, timingSafeEqual } from 'node:crypto';
import type { RandomBytes } from '../../core/ids.ts';

/** Contract, section 8. The caller counts and times; both are per claim. */
export const MAIL_CODE_MS = 10 * 60_000;
export const MAIL_CODE_TRIES_MAX = 5;
export const MAIL_CODE_DIGITS = 8;

const CODES = 10 ** MAIL_CODE_DIGITS;
/** The largest multiple of the number of codes that four bytes hold: beyond it, low codes would come more often. */
const FAIR_BELOW = Math.floor(2 ** 32 / CODES) * CODES;

/** Eight digits, each code as likely as any other. */
export function newCode(random: RandomBytes): string {
  for (;;) {
    const value = Buffer.from(random(4)).readUInt32BE();
    if (value < FAIR_BELOW) return String(value % CODES).padStart(MAIL_CODE_DIGITS, '0');
  }
}

/**
 * What is stored in place of a code. It holds for one claim only, so that a code moved to another claim is none. A hash
 * of eight digits can be searched; its use is that nobody who sees a row or a backup later reads codes in it.
 */
export function hashCode({ claimId, code }: { claimId: string; code: string }): string {
  return createHash('sha256').update(`pennypost/mail-code/${claimId}/${code}`).digest('hex');
}

/** Takes what a person typed: spaces and hyphens are how people copy digits. In the same time for every wrong code. */
export function isSameCode(typed: string, stored: { claimId: string; hash: string }): boolean {
  const code = typed.length > 40 ? '' : typed.normalize('NFKC').replace(/[\s\p{Pd}]/gu, '');
  const found = Buffer.from(hashCode({ claimId: stored.claimId, code }), 'hex');
  const expected = Buffer.from(stored.hash, 'hex');
  return found.length === expected.length && timingSafeEqual(found, expected);
}
