/** Contract, section 1: so long after its settlement a name is asked for. */
export const ASK_FOR_MS = 15 * 60_000;
