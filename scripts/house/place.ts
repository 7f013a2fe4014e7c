/** Where a gate found something, and what. `file` is a folder for the gates about folders. */
export type Place = { file: string; line?: number; what: string };
