/**
 * Why a payout is held whose nonce the chain shows as spent before these books began, by a transfer of another sum or to another
 * address: they were lost, and those before them have paid this person elsewhere, or have given the money back. The token takes a
 * nonce once, so it can never be paid under its name again. It stays held and reserved for good, because the chain does not say whom
 * that transfer was for: to end it as paid might be untrue, and to free it would let it be paid a second time on another network.
 * One that agrees is booked as paid (`db/scan/land-before.ts`).
 */
export const BEFORE_BOOKS = 'before_books';
