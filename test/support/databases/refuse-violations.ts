import { BOOKS_FAIL } from '../../../scripts/whole-tests.mjs';

/** Throws where ledger, rows and chain do not say the same. A run of all tests does not forgive that (`whole-tests.mjs`). */
export function refuseViolations(violations: readonly { rule: string; detail: string }[]): void {
  if (violations.length === 0) return;
  throw new Error([`${BOOKS_FAIL}:`, ...violations.map(({ rule, detail }) => `${rule}: ${detail}`)].join('\n'));
}
