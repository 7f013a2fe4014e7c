/** How long a card can be answered: less than the 15 minutes after which Discord lets no answer be changed. */
export const CARD_MINUTES = 10;
export const CARD_LIMIT_MS = CARD_MINUTES * 60_000;

/** After this time the person has given up on a command or typed it again, and a payment would surprise them. */
export const COMMAND_FRESH_MS = 15 * 60_000;
