/** How long a card can be answered: less than the quarter of an hour after which Discord lets no answer be changed. */
export const CARD_MINUTES = 10;
export const CARD_LIMIT_MS = CARD_MINUTES * 60_000;
