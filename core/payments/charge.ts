import type { ProofRefusal } from './refusals.ts';
import type { OrderState, PayLinkState, RewardState } from '../states.ts';

/**
 * The rules of a charge: something that is paid for once, by a header that one wallet signs. A chat order, a reward, a
 * pay link, a payment of the command line or of the library differ in these fields only.
 */
export type ChargeRules = {
  /**
   * What ends a header that was sent, so that another one may be signed.
   * `refusal`: any refusal. Visitors sign it, and what it pays for takes one payment only.
   * `expiry`: a refusal for an expired header, or for one of a fee payer that was replaced, once its network confirms the
   * expiry. Any other refusal is final.
   * `proof`: a refusal that says the service holds no payment under it, once it has certainly expired. The service is
   * not trusted, so before that a refusal ends nothing.
   */
  headerEndsBy: 'refusal' | 'expiry' | 'proof';
  /** Nothing is signed for an older charge, because its payer no longer expects it; null: the payer is present. */
  freshMs: number | null;
  /** What happens when the service does not answer with a price. */
  unreachable: 'fail' | 'wait';
  /** What happens while the service does not offer the network that pays: it comes back by itself. */
  networkOut: 'fail' | 'wait';
};

const FRESH_MS = 15 * 60_000;

export const CHARGES = {
  order: { headerEndsBy: 'expiry', freshMs: FRESH_MS, unreachable: 'fail', networkOut: 'wait' },
  reward: { headerEndsBy: 'expiry', freshMs: FRESH_MS, unreachable: 'wait', networkOut: 'wait' },
  /** A reward that a visitor pays on the page of its link. */
  rewardLink: { headerEndsBy: 'refusal', freshMs: null, unreachable: 'fail', networkOut: 'fail' },
  payLink: { headerEndsBy: 'refusal', freshMs: null, unreachable: 'fail', networkOut: 'fail' },
  commandLine: { headerEndsBy: 'proof', freshMs: null, unreachable: 'fail', networkOut: 'fail' },
  library: { headerEndsBy: 'proof', freshMs: null, unreachable: 'fail', networkOut: 'fail' },
} as const satisfies Record<string, ChargeRules>;

/**
 * The states of orders, rewards and pay links as charges; their own states are in core/states.ts.
 * `awaiting_signature`: a visitor may sign it.
 */
export const CHARGE_STATES = ['unsigned', 'awaiting_signature', 'signed', 'paid', 'failed'] as const;
export type ChargeState = (typeof CHARGE_STATES)[number];

export const CHARGE_MOVES = {
  // `paid`, here and below, also when another payer has paid for the same.
  unsigned: ['awaiting_signature', 'signed', 'paid', 'failed'],
  // Back only while no visitor has begun to pay.
  awaiting_signature: ['unsigned', 'signed', 'paid', 'failed'],
  // Back only when the signed header is over.
  signed: ['unsigned', 'awaiting_signature', 'paid', 'failed'],
  paid: [],
  // A payment counts even where the charge had already failed.
  failed: ['paid'],
} as const satisfies Record<ChargeState, readonly ChargeState[]>;

/** The charge state of each state of each kind. */
export const CHARGE_OF = {
  order: {
    proposed: 'unsigned',
    drafted: 'unsigned',
    priced: 'unsigned',
    linked: 'awaiting_signature',
    signed: 'signed',
    answered: 'paid',
    failed: 'failed',
  },
  // While a card is `proposed` a visitor may sign for it, and its community may confirm it.
  reward: {
    proposed: 'unsigned',
    confirmed: 'unsigned',
    signed: 'signed',
    paid: 'paid',
    failed: 'failed',
    rejected: 'failed',
    expired: 'failed',
    replaced: 'failed',
  },
  payLink: { open: 'awaiting_signature', presented: 'signed', paid: 'paid', expired: 'failed' },
} as const satisfies {
  order: Record<OrderState, ChargeState>;
  reward: Record<RewardState, ChargeState>;
  payLink: Record<PayLinkState, ChargeState>;
};

/** The end of a header in its network's time: Unix seconds, or the last block that can contain it. */
export type HeaderEnd = { validBefore: number } | { lastValidHeight: number };

/** What is certainly past, in the same terms. */
export type Past = { nowSeconds: number } | { finalHeight: number };

/** False where the end is in the terms of the other family. */
export function isPast(
  { validBefore, lastValidHeight }: { validBefore: number | null; lastValidHeight: number | null },
  past: Past,
): boolean {
  if ('nowSeconds' in past) return validBefore !== null && validBefore < past.nowSeconds;
  return lastValidHeight !== null && lastValidHeight < past.finalHeight;
}

/** `sinceMs`: when it was agreed to; null: never, so nothing may be signed. */
export function isFresh({ freshMs }: ChargeRules, sinceMs: number | null, nowMs: number): boolean {
  return freshMs === null || (sinceMs !== null && nowMs - sinceMs < freshMs);
}

type Refusal = { reason: string; isUnclaimed: boolean };

/** Whether this refusal can end the header once it has certainly expired. */
export function mayEndHeader({ headerEndsBy }: ChargeRules, { reason, isUnclaimed }: Refusal): boolean {
  switch (headerEndsBy) {
    case 'refusal':
      return false;
    case 'expiry':
      return UNLANDED.includes(reason);
    case 'proof':
      return isUnclaimed;
  }
}

/** The refusals that mean a header has not landed and never will once it has expired. Any other says nothing about that. */
const UNLANDED: readonly string[] = [
  'invalid_exact_evm_payload_authorization_valid_before',
  'payment_expired',
  // One that a fee payer may have signed is known, and gets its own answer. So the old one never signed this, and the new
  // one cannot.
  'invalid_exact_svm_fee_payer_mismatch',
] satisfies ProofRefusal[];

export type AfterRefusal =
  /** The header is over: another one may be signed. */
  | { do: 'give_up' }
  /** The service refuses it before its expiry is certain. Until then the same header is sent. */
  | { do: 'wait' }
  | { do: 'fail'; reason: string };

/**
 * `isOver`: whether the header was certainly over before the request that was refused; null: it can no longer be known.
 */
export function afterRefusal(
  rules: ChargeRules,
  refusal: Refusal,
  { isOver, isFresh: canRenew }: { isOver: boolean | null; isFresh: boolean },
): AfterRefusal {
  if (rules.headerEndsBy === 'refusal') return { do: 'give_up' };
  const { reason } = refusal;
  if (!mayEndHeader(rules, refusal) || isOver === null) return { do: 'fail', reason };
  if (isOver) return canRenew ? { do: 'give_up' } : { do: 'fail', reason: 'took_too_long' };
  return rules.headerEndsBy === 'expiry' ? { do: 'wait' } : { do: 'fail', reason };
}
