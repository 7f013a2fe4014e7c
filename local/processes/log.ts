/** The log of local mode: the least that every logger has. */
export type Log = {
  info: (fields: Record<string, unknown>, text: string) => void;
  warn: (fields: Record<string, unknown>, text: string) => void;
};
