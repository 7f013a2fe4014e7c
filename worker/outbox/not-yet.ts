/**
 * What a row asks for is under way elsewhere, and nothing is wrong: the row is looked at again, as after a failure, and
 * nobody needs to read of it in the log.
 */
export class NotYet extends Error {}
