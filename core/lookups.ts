/** How long after its settlement a name is looked up. */
export const ASK_FOR_MS = 15 * 60_000;
