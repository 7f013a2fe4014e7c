/** A statement as drizzle writes it down. */
export type Asked = { sql: string; params: unknown[] };

/** Asks them all of the same moment; answers the rows of each, whose values stand in the order of their columns. */
export type Snapshot = (questions: readonly Asked[]) => Promise<unknown[][][]>;
