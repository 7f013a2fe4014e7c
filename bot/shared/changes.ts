/**
 * Tells open pages that a chat has something new. Only a notifier: the rows are the truth, and who misses one finds
 * them at the next look.
 */
export type Changes = {
  notify: (chatId: string) => void;
  /** Answers how to stop listening. */
  subscribe: (chatId: string, listener: () => void) => () => void;
};
