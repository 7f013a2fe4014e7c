/** The part of pino that the bot uses. */
export type Log = {
  info: (facts: Record<string, unknown>, message: string) => void;
  warn: (facts: Record<string, unknown>, message: string) => void;
  error: (facts: Record<string, unknown>, message: string) => void;
};
