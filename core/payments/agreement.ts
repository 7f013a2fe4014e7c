import { microUsdc, type MicroUsdc } from '../money.ts';
import { familyOf, sameAddress, type Family } from '../networks.ts';
import type { AgreedTerms, Challenge } from './challenge.ts';
import { findPinnedTerms, type TermsFound } from './pinned.ts';
import type { PinnedPayer } from './signer.ts';

/** What a payer knows beforehand of what they pay for. */
export type Wanted = { requestHash: string; sum: MicroUsdc };

/** The terms to sign. */
export type AgreedPrice = {
  challenge: Challenge;
  terms: AgreedTerms;
  payTo: string;
  /** Pays for the transaction and signs it last; null where none is needed. */
  feePayer: string | null;
  fee: MicroUsdc;
  total: MicroUsdc;
};

export type PriceFault =
  | { why: 'not_pinned'; found: Extract<TermsFound, { kind: 'refused' }> }
  | { why: 'lost' | 'own_account' | 'other_request' | 'no_fee_payer' | 'below_sum' }
  | { why: 'fee'; fee: MicroUsdc };

export type PriceRules = { pinned: PinnedPayer; from: string; maxFee: MicroUsdc };

/** Whether the service pays for the transaction by signing it too. */
const HAVE_FEE_PAYERS = { evm: false, svm: true } as const satisfies Record<Family, boolean>;

/**
 * Checks a price against the request and the pinned values, for a payer who does not trust the service. Any difference
 * is refused: another token, a fee above the limit, or a price for another request, which an attacker in between would
 * have to send.
 */
export function agreeOn(challenge: Challenge, wanted: Wanted, rules: PriceRules): AgreedPrice | PriceFault {
  const { pinned, from, maxFee } = rules;
  const found = findPinnedTerms(challenge, pinned);
  if (found.kind === 'refused') return { why: 'not_pinned', found };
  const { terms } = found;
  const { payTo, extra } = terms;
  if (!pinned.isPayable(payTo)) return { why: 'lost' };
  if (sameAddress(pinned.network, payTo, from)) return { why: 'own_account' };
  if (extra.requestHash !== wanted.requestHash) return { why: 'other_request' };
  const needsFeePayer = HAVE_FEE_PAYERS[familyOf(pinned.network)];
  const feePayer = needsFeePayer ? findFeePayer(pinned, extra, [from, payTo]) : null;
  if (needsFeePayer && feePayer === null) return { why: 'no_fee_payer' };
  const total = microUsdc(BigInt(terms.amount));
  if (total < wanted.sum) return { why: 'below_sum' };
  const fee = microUsdc(total - wanted.sum);
  if (fee > maxFee) return { why: 'fee', fee };
  return { challenge, terms, payTo, feePayer, fee, total };
}

function findFeePayer(
  { isPayable }: PinnedPayer,
  extra: Record<string, unknown>,
  others: readonly string[],
): string | null {
  const { feePayer } = extra;
  return typeof feePayer === 'string' && isPayable(feePayer) && !others.includes(feePayer) ? feePayer : null;
}

/** In words, for the payer. */
export const FAULT_WORDS = {
  lost: 'money would be lost where it is to be paid to',
  own_account: 'it would be paid to the account that pays',
  other_request: 'it is for another request than the one that was sent',
  no_fee_payer: 'nobody else is named who pays for the transaction',
  below_sum: 'it is lower than what is to be sent',
} as const satisfies Record<Exclude<PriceFault['why'], 'not_pinned' | 'fee'>, string>;
