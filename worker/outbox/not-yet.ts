/**
 * The row's work is under way elsewhere and nothing is wrong: the row is tried again, as after a failure, but without a
 * line in the log.
 */
export class NotYet extends Error {}
