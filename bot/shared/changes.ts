/**
 * Tells open pages that a chat has something new. Only a doorbell: the rows are the truth, and who misses a ring finds
 * them at the next look.
 */
export type Changes = {
  notify: (chatId: string) => void;
  /** Answers how to stop listening. */
  subscribe: (chatId: string, listener: () => void) => () => void;
};
