/**
 * Every state of money on its way, and the allowed moves (ARCHITECTURE.md, "Money"). A state change in the database
 * names the old state in the same statement, and may name only what these tables allow.
 */
export const PAYMENT_STATES = ['received', 'settling', 'settled', 'final', 'rejected'] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];

/** `void`: it pays nothing, because its payment never came or its money went back to escrow. */
export const TRANSFER_STATES = ['held', 'queued', 'assigned', 'broadcast', 'confirmed', 'final', 'void'] as const;
export type TransferState = (typeof TRANSFER_STATES)[number];

/**
 * `resolving`: accepted without an answer from the platform, so it is not yet known whom the name means. `returning`:
 * owed to the payer again. `void`: the payment never came, so there is nothing to pay.
 */
export const LINE_STATES = ['accepted', 'resolving', 'escrowed', 'paying', 'returning', 'void'] as const;
export type LineState = (typeof LINE_STATES)[number];

export const LINE_MOVES = {
  accepted: ['escrowed', 'paying', 'void'],
  // A resolved line is credited to escrow and paid from there, in one transaction.
  resolving: ['escrowed', 'returning', 'void'],
  escrowed: ['paying', 'returning', 'void'],
  // `escrowed` again when a payout on another network died and our own money there is gone, or when the operator gives a
  // held one back; `void` (also from `returning`) when a reorganisation undid the payment before anything was sent.
  paying: ['escrowed', 'void'],
  returning: ['void'],
  void: [],
} as const satisfies Record<LineState, readonly LineState[]>;

/**
 * Why a line went back. After a late look-up: nobody has the name, the platform never answered, another person had it
 * before, its owner has it only since the payment, or its owner wants no payments. `declined`: its owner refused this
 * one. `taken_back`: its payer did. `wind_down`: the service ends. `not_paid_out`: it was held, and given back.
 */
export const RETURN_REASONS = [
  'not_found',
  'no_answer',
  'had_another_owner',
  'newer_than_payment',
  'opted_out',
  'declined',
  'taken_back',
  'wind_down',
  'not_paid_out',
] as const;
export type ReturnReason = (typeof RETURN_REASONS)[number];

/** Why money came back to its payer: the line's own reason, or that its time was over. */
export type ReturnedBecause = ReturnReason | 'not_collected';

export const PAYMENT_MOVES = {
  // `rejected` from here only while no transaction containing the authorization was ever signed.
  received: ['settling', 'settled', 'rejected'],
  // `settling` again means the same signed authorization in another transaction.
  settling: ['settling', 'settled', 'rejected'],
  // Back to `settling` only when the block that settled it was reorganised away.
  settled: ['final', 'settling'],
  final: [],
  // A refused payment proof may come again; a dead one that lands after all is returned, not revived.
  rejected: ['received', 'settling'],
} as const satisfies Record<PaymentState, readonly PaymentState[]>;

export const TRANSFER_MOVES = {
  held: ['queued', 'void'],
  // Straight to `broadcast` on Solana, where signing makes the only transaction that can carry it. `final` from here,
  // `assigned` and `broadcast` only for a wallet withdrawal: its end is asked of the chain, and no scan sees it land.
  queued: ['assigned', 'broadcast', 'held', 'final', 'void'],
  // `held` and `void` only when nothing that contains it was ever signed. `queued` is the next generation, allowed only
  // when what was signed in this one can provably never land.
  assigned: ['broadcast', 'held', 'confirmed', 'queued', 'final', 'void'],
  // `assigned` again: the same generation and signed authorization in another batch.
  broadcast: ['assigned', 'confirmed', 'queued', 'final'],
  // Back when the block that carried it was reorganised away.
  confirmed: ['final', 'broadcast', 'assigned'],
  final: [],
  // Its line's money leaves another way: under the same id, in its next generation.
  void: ['queued', 'held'],
} as const satisfies Record<TransferState, readonly TransferState[]>;

/** A task that a plain transfer can pay, also for some time after it expired; then unpaid tasks are deleted. */
export const TASK_STATES = ['open', 'expired', 'paid'] as const;
export type TaskState = (typeof TASK_STATES)[number];

export const TASK_MOVES = {
  open: ['expired', 'paid'],
  expired: ['paid'],
  paid: [],
} as const satisfies Record<TaskState, readonly TaskState[]>;

/**
 * The state of a pay link. `presented`: a signed payment came, and nothing else is sent until its end is known.
 * `expired`: a transfer that was on its way still counts, because the task behind the link takes it.
 */
export const PAY_LINK_STATES = ['open', 'presented', 'paid', 'expired'] as const;
export type PayLinkState = (typeof PAY_LINK_STATES)[number];

export const PAY_LINK_MOVES = {
  open: ['presented', 'paid', 'expired'],
  // `open` again only after a final refusal by the API.
  presented: ['open', 'paid'],
  paid: [],
  expired: ['paid'],
} as const satisfies Record<PayLinkState, readonly PayLinkState[]>;

/**
 * A withdrawal from a personal wallet is `requested`, `leaving` once the wallet's key has signed its transfer, and `paid`
 * when that is final on the chain. `failed`: it is over, and nothing moved.
 */
export const WITHDRAWAL_STATES = ['requested', 'leaving', 'paid', 'failed'] as const;
export type WithdrawalState = (typeof WITHDRAWAL_STATES)[number];

export const WITHDRAWAL_MOVES = {
  // `paid` without a signature here: these books are a backup, older than the chain.
  requested: ['leaving', 'paid', 'failed'],
  leaving: ['paid', 'failed'],
  paid: [],
  failed: [],
} as const satisfies Record<WithdrawalState, readonly WithdrawalState[]>;

/** Withdrawals that are not over; a wallet may have only few of them. */
export const OPEN_WITHDRAWAL_STATES = ['requested', 'leaving'] as const satisfies readonly WithdrawalState[];

/**
 * A withdrawal and its transfer together. `dead`: what was signed can provably never land, so it may be signed again in
 * its next generation, or ended.
 */
export type WithdrawalPhase = 'requested' | 'signed' | 'sent' | 'paid' | 'dead' | 'failed';

export function withdrawalPhase(withdrawal: WithdrawalState, transfer: TransferState): WithdrawalPhase {
  if (withdrawal !== 'leaving') return withdrawal;
  if (transfer === 'queued') return 'dead';
  return transfer === 'assigned' ? 'signed' : 'sent';
}

/** Why nothing moved; `texts/withdrawals` has a sentence for each. */
export const WITHDRAWAL_FAILURES = [
  'insufficient_funds',
  'sender_blacklisted',
  'recipient_blacklisted',
  'forbidden_address',
  'no_token_account',
  'token_account_not_theirs',
  'invalid_signature',
  'failed_on_chain',
  'gave_up',
  'cancelled',
] as const;
export type WithdrawalFailure = (typeof WITHDRAWAL_FAILURES)[number];

/**
 * A signed transaction that carries payments or transfers. An EVM batch is `sealed` when it is in a block, and `open`
 * again when that block was reorganised away. A Solana transaction leaves `open` only with its certain end: `final`,
 * `failed` in a final block, or `dead` because it can never land.
 */
export const CARRIER_STATES = ['open', 'sealed', 'final', 'failed', 'dead'] as const;
export type CarrierState = (typeof CARRIER_STATES)[number];

export const CARRIER_MOVES = {
  open: ['sealed', 'final', 'failed', 'dead'],
  sealed: ['open', 'final'],
  final: [],
  failed: [],
  dead: [],
} as const satisfies Record<CarrierState, readonly CarrierState[]>;

/**
 * A command in a chat that pays. `proposed` waits for its payer's confirmation, `linked` for a visitor who pays by its
 * link. A `signed` header is sent until its end is known.
 */
export const ORDER_STATES = ['proposed', 'drafted', 'priced', 'signed', 'linked', 'answered', 'failed'] as const;
export type OrderState = (typeof ORDER_STATES)[number];

export const ORDER_MOVES = {
  proposed: ['drafted', 'failed'],
  drafted: ['priced', 'failed'],
  // `priced` again: the price is asked for anew while nothing was signed.
  priced: ['priced', 'signed', 'linked', 'failed'],
  // `drafted` again only when the signed header can no longer land.
  signed: ['answered', 'failed', 'drafted'],
  // `drafted` again only while nobody has begun to pay by its link, which ends with that.
  linked: ['answered', 'failed', 'drafted'],
  answered: [],
  // A payment counts even where the order had already failed.
  failed: ['answered'],
} as const satisfies Record<OrderState, readonly OrderState[]>;

/**
 * `open` waits for its ownership proof, `verified` for the recipient's confirmation. `confirmed` has released the
 * money, `declined` has sent it back. `rejected`: another person was proven, or too many tries. An open or verified
 * claim ends when its time is over.
 */
export const CLAIM_STATES = ['open', 'verified', 'confirmed', 'declined', 'rejected'] as const;
export type ClaimState = (typeof CLAIM_STATES)[number];

export const CLAIM_MOVES = {
  open: ['verified', 'rejected'],
  verified: ['confirmed', 'declined'],
  confirmed: [],
  declined: [],
  rejected: [],
} as const satisfies Record<ClaimState, readonly ClaimState[]>;

/**
 * A withdrawal from a treasury is `proposed` until enough members have `confirmed` it (then another row carries the
 * money) or one has `rejected` it. It is `expired` after its time, or when its address no longer counts.
 */
export const TREASURY_STATES = ['proposed', 'confirmed', 'rejected', 'expired'] as const;
export type TreasuryState = (typeof TREASURY_STATES)[number];

export const TREASURY_MOVES = {
  proposed: ['confirmed', 'rejected', 'expired'],
  confirmed: [],
  rejected: [],
  expired: [],
} as const satisfies Record<TreasuryState, readonly TreasuryState[]>;

/**
 * A card is `proposed` until enough members have `confirmed` it and the treasury can pay it, or until a visitor pays by
 * its link. From `signed` on one header is sent until its end is known. `replaced`: a person was excluded, so another
 * card took its place.
 */
export const REWARD_STATES = [
  'proposed',
  'confirmed',
  'signed',
  'paid',
  'failed',
  'rejected',
  'expired',
  'replaced',
] as const;
export type RewardState = (typeof REWARD_STATES)[number];

export const REWARD_MOVES = {
  // `signed` by a visitor who pays by the card's link; `paid` by a payer who used the API directly.
  proposed: ['confirmed', 'signed', 'paid', 'rejected', 'expired', 'replaced'],
  // `paid` also when another payer has paid before anything was signed here.
  confirmed: ['signed', 'paid', 'failed'],
  // `confirmed` again only when the signed header can no longer land. After a failed payment by the link `proposed`
  // again, or `replaced` where another card has taken its place meanwhile.
  signed: ['confirmed', 'proposed', 'replaced', 'paid', 'failed'],
  paid: [],
  // A caller who knows the distribution may have paid the API for it before the API was told to refuse it.
  failed: ['paid'],
  rejected: ['paid'],
  expired: ['paid'],
  replaced: ['paid'],
} as const satisfies Record<RewardState, readonly RewardState[]>;

/** A member's request for money. `agreed` has its one order, which says how the payment ended. */
export const MONEY_REQUEST_STATES = ['open', 'agreed', 'declined', 'ended'] as const;
export type MoneyRequestState = (typeof MONEY_REQUEST_STATES)[number];

export const MONEY_REQUEST_MOVES = {
  open: ['agreed', 'declined', 'ended'],
  agreed: [],
  declined: [],
  ended: [],
} as const satisfies Record<MoneyRequestState, readonly MoneyRequestState[]>;

/**
 * The state of a reward for a post. Only `rejected` is stored; the rest follows from the payment, its lines and the
 * clock. `confirming` becomes `pending` again when the payment proof is refused or dead.
 */
export const DISTRIBUTION_STATES = [
  'pending',
  'confirming',
  'confirmed',
  'completed',
  'partial',
  'rejected',
  'expired',
] as const;
export type DistributionState = (typeof DISTRIBUTION_STATES)[number];

/** The values of `transfers.held_reason` for a daily limit that holds a payout back. */
export const LIMIT_REASONS = ['payer_limit', 'recipient_limit'] as const;
export type LimitReason = (typeof LIMIT_REASONS)[number];

/** What a caller sees of one line. */
export const WIRE_STATUSES = ['queued', 'pending_claim', 'paid', 'refunded', 'held'] as const;
export type WireStatus = (typeof WIRE_STATUSES)[number];

export function wireStatus(line: LineState, payout: TransferState | null): WireStatus {
  if (payout === null) return line === 'escrowed' ? 'pending_claim' : 'queued';
  switch (payout) {
    case 'held':
      return 'held';
    case 'queued':
    case 'assigned':
    case 'broadcast':
      return 'queued';
    case 'void':
      return line === 'escrowed' ? 'pending_claim' : 'queued';
    case 'confirmed':
    case 'final':
      return line === 'returning' ? 'refunded' : 'paid';
  }
}
