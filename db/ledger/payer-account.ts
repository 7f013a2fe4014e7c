import { createHash } from 'node:crypto';

/** An opaque id for a payer in ledger accounts, which are kept for ever, while addresses live in erasable tables. */
export function payerAccountId(payer: string): string {
  return createHash('sha256').update(`pennypost/payer/${payer}`).digest('hex').slice(0, 24);
}
