/**
 * Every state of money on its way and the moves that are allowed (ARCHITECTURE.md, "Money").
 * A state change in the database names the old state in the same statement; these tables are what it may name.
 */
export const PAYMENT_STATES = ['received', 'settling', 'settled', 'final', 'rejected'] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];

/** `void`: nothing is paid by it, because its payment never came or its money went back to where it waits. */
export const PAYOUT_STATES = ['held', 'queued', 'assigned', 'broadcast', 'confirmed', 'final', 'dead', 'void'] as const;
export type PayoutState = (typeof PAYOUT_STATES)[number];

/**
 * `resolving`: accepted without an answer from its platform, so nobody knows yet whom the name means. `returning`: owed
 * to the payer again. `void`: the payment never came, so there is nothing to pay.
 */
export const LINE_STATES = ['accepted', 'resolving', 'escrowed', 'paying', 'returning', 'void'] as const;
export type LineState = (typeof LINE_STATES)[number];

export const LINE_MOVES = {
  accepted: ['escrowed', 'paying', 'void'],
  // Found people are credited first and paid from there, in one transaction.
  resolving: ['escrowed', 'returning', 'void'],
  escrowed: ['paying', 'returning', 'void'],
  // `escrowed` again when a payout on another network died and our own money there is gone; `void` (also from
  // `returning`) when a reorganisation took the payment for good before anything was sent.
  paying: ['escrowed', 'void'],
  returning: ['void'],
  void: [],
} as const satisfies Record<LineState, readonly LineState[]>;

/**
 * Why a line went back. After a name was looked up: nobody has it, the platform never answered, somebody else had it
 * before, its owner has it only since the payment, or wants no payments. `declined`: its owner did not want this one.
 */
export const RETURN_REASONS = [
  'not_found',
  'no_answer',
  'had_another_owner',
  'newer_than_payment',
  'opted_out',
  'declined',
] as const;
export type ReturnReason = (typeof RETURN_REASONS)[number];

export const PAYMENT_MOVES = {
  // `rejected` from here only while no transaction containing the authorization was ever signed.
  received: ['settling', 'settled', 'rejected'],
  settling: ['settled', 'rejected'],
  // Back to `settling` only when the block that settled it was reorganised away.
  settled: ['final', 'settling'],
  final: [],
  // A refused proof may come again; a dead one that lands after all is returned, not revived.
  rejected: ['received', 'settling'],
} as const satisfies Record<PaymentState, readonly PaymentState[]>;

export const PAYOUT_MOVES = {
  held: ['queued', 'void'],
  // Straight to `broadcast` on Solana, where signing makes the one transaction that can carry it.
  queued: ['assigned', 'broadcast', 'held', 'void'],
  // `held` and `void` only when nothing containing it was ever signed.
  assigned: ['broadcast', 'held', 'confirmed', 'void'],
  // `assigned` again means the same generation and the same signed authorization in another batch.
  broadcast: ['assigned', 'confirmed', 'dead'],
  confirmed: ['final', 'broadcast'],
  final: [],
  dead: ['queued', 'held', 'void'],
  void: [],
} as const satisfies Record<PayoutState, readonly PayoutState[]>;

/** A task that a plain transfer can pay, for some time after it expired as well; unpaid ones are forgotten then. */
export const TASK_STATES = ['open', 'expired', 'paid'] as const;
export type TaskState = (typeof TASK_STATES)[number];

export const TASK_MOVES = {
  open: ['expired', 'paid'],
  expired: ['paid'],
  paid: [],
} as const satisfies Record<TaskState, readonly TaskState[]>;

/**
 * How far a pay link is. `presented`: a signed payment came, and until its end is known nothing else is sent. `expired`
 * is not the end for a transfer that was on its way: the task behind the link still takes it.
 */
export const PAY_LINK_STATES = ['open', 'presented', 'paid', 'expired'] as const;
export type PayLinkState = (typeof PAY_LINK_STATES)[number];

export const PAY_LINK_MOVES = {
  open: ['presented', 'paid', 'expired'],
  // `open` again only when the API has refused the payment for good.
  presented: ['open', 'paid'],
  paid: [],
  expired: ['paid'],
} as const satisfies Record<PayLinkState, readonly PayLinkState[]>;

/** Money on its way from the task address to the treasury; its states mean what those of a payout do. */
export const SWEEP_STATES = ['queued', 'assigned', 'broadcast', 'confirmed', 'final'] as const;
export type SweepState = (typeof SWEEP_STATES)[number];

export const SWEEP_MOVES = {
  // Straight to `broadcast` on Solana.
  queued: ['assigned', 'broadcast'],
  // `queued` again in the next generation, only when what was signed can never land.
  assigned: ['broadcast', 'confirmed', 'queued'],
  broadcast: ['assigned', 'confirmed', 'queued'],
  // Back when the block that carried it was reorganised away.
  confirmed: ['final', 'broadcast', 'assigned'],
  final: [],
} as const satisfies Record<SweepState, readonly SweepState[]>;

/**
 * How far a reward for a post is. None of it is stored but `rejected`: the payment, its lines and the clock say the rest.
 * `confirming` ends in `pending` again when the proof is refused or dead.
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

/** Which limit keeps a payout back until a day has room for it, in the words of `payouts.held_reason`. */
export const LIMIT_REASONS = ['payer_limit', 'recipient_limit'] as const;
export type LimitReason = (typeof LIMIT_REASONS)[number];

/** What a caller sees of one line. */
export const WIRE_STATUSES = ['queued', 'pending_claim', 'paid', 'refunded', 'held'] as const;
export type WireStatus = (typeof WIRE_STATUSES)[number];

export function wireStatus(line: LineState, payout: PayoutState | null): WireStatus {
  if (payout === null) return line === 'escrowed' ? 'pending_claim' : 'queued';
  switch (payout) {
    case 'held':
      return 'held';
    case 'queued':
    case 'assigned':
    case 'broadcast':
    case 'dead':
      return 'queued';
    case 'void':
      return line === 'escrowed' ? 'pending_claim' : 'queued';
    case 'confirmed':
    case 'final':
      return line === 'returning' ? 'refunded' : 'paid';
  }
}
