/** A move cannot begin or go on; the message says why, and what to do. */
export class MoveRefused extends Error {}
