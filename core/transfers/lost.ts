/**
 * What became of money that came in during the lost time of a restored database, by the chain. `paid`: all of it has left
 * for its lines. `returned`: none of it had, so it goes back. `held`: the operator decides.
 */
export const LOST_STATES = ['paid', 'returned', 'held'] as const;
export type LostState = (typeof LOST_STATES)[number];

/**
 * Why it is held. `partly_paid`: something has left for it, and no book says which of its lines are open. `gathered`: its
 * payer got a transfer that may have given this back as well. `too_new`: another installation may still pay it out.
 */
export const LOST_REASONS = ['partly_paid', 'gathered', 'too_new'] as const;
export type LostReason = (typeof LOST_REASONS)[number];
