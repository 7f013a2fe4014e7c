import type { ProofRefusal } from './refusals.ts';
import type { OrderState, PayLinkState, RewardState } from '../states.ts';

/**
 * What is decided about a charge: something that is paid for once, by a header that one wallet signs. An order of a chat, a
 * reward, a pay link and a payment of the command line are rows here, and differ in nothing else that decides.
 */
export type ChargeRules = {
  /**
   * What ends a header that was sent, so that another one may be signed.
   * `refusal`: any refusal. Others sign it, and what it pays for takes one payment only.
   * `expiry`: a refusal that says its time is over, once that is certain on its network too. Any other refusal is final.
   * `proof`: any refusal that says it is not held, once its time is certainly over. The service is not trusted: before that
   * a refusal ends nothing.
   */
  headerEndsBy: 'refusal' | 'expiry' | 'proof';
  /** Later than this nobody expects it to be paid any more, so nothing is signed for it; null: whoever asks is there. */
  freshMs: number | null;
  /** What a service that does not answer the price means for it. */
  unreachable: 'fail' | 'wait';
};

const FRESH_MS = 15 * 60_000;

export const CHARGES = {
  order: { headerEndsBy: 'expiry', freshMs: FRESH_MS, unreachable: 'fail' },
  reward: { headerEndsBy: 'expiry', freshMs: FRESH_MS, unreachable: 'wait' },
  /** A reward that a visitor pays on the page of its link. */
  rewardLink: { headerEndsBy: 'refusal', freshMs: null, unreachable: 'fail' },
  payLink: { headerEndsBy: 'refusal', freshMs: null, unreachable: 'fail' },
  commandLine: { headerEndsBy: 'proof', freshMs: null, unreachable: 'fail' },
} as const satisfies Record<string, ChargeRules>;

/**
 * What orders, rewards and pay links are to what pays them; their own states stand in core/states.ts.
 * `awaiting_signature`: a visitor may sign it.
 */
export const CHARGE_STATES = ['unsigned', 'awaiting_signature', 'signed', 'paid', 'failed'] as const;
export type ChargeState = (typeof CHARGE_STATES)[number];

export const CHARGE_MOVES = {
  // `paid` here and below also by someone else, where others may pay for the same.
  unsigned: ['awaiting_signature', 'signed', 'paid', 'failed'],
  awaiting_signature: ['signed', 'paid', 'failed'],
  // Back only when the header that was signed is over.
  signed: ['unsigned', 'awaiting_signature', 'paid', 'failed'],
  paid: [],
  // What was paid is the truth, also where it had ended before.
  failed: ['paid'],
} as const satisfies Record<ChargeState, readonly ChargeState[]>;

/** Where each kind stands as a charge. */
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
  // A card takes a visitor's signature while it is `proposed`, and is confirmed by its community meanwhile.
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

/** When a header can no longer land, as its network tells time: Unix seconds, or the last block that it can be in. */
export type HeaderEnd = { validBefore: number } | { lastValidHeight: number };

/** What is past for certain, in the same terms. */
export type Past = { nowSeconds: number } | { finalHeight: number };

/** False where the end is given in the terms of another network. */
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

/** Whether this refusal can end the header, if its time is certainly over. */
export function mayEndHeader({ headerEndsBy }: ChargeRules, { reason, isUnclaimed }: Refusal): boolean {
  switch (headerEndsBy) {
    case 'refusal':
      return false;
    case 'expiry':
      return EXPIRED.includes(reason);
    case 'proof':
      return isUnclaimed;
  }
}

/** The refusals that say a header's time is over and that it never landed. Any other says nothing about that. */
const EXPIRED: readonly string[] = [
  'invalid_exact_evm_payload_authorization_valid_before',
  'payment_expired',
] satisfies ProofRefusal[];

export type AfterRefusal =
  /** The header is over: another one may be signed. */
  | { do: 'give_up' }
  /** The service sees an end some seconds before it is certain. Until then the same header is sent. */
  | { do: 'wait' }
  | { do: 'fail'; reason: string };

/** `isOver`: whether the header was certainly over before this refusal was asked for; null: nobody can say any more. */
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
