/**
 * Why a payout is held whose nonce the chain shows as spent before these books began: they were lost, and those before them have
 * paid it. The token takes a nonce once, so it can never be paid under its name again, and it is not owed to anybody.
 */
export const BEFORE_BOOKS = 'before_books';
