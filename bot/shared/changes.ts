/**
 * Tells open pages that a chat has something new. It only notifies: the rows are the truth, and a page that misses a
 * notice finds them at its next look.
 */
export type Changes = {
  notify: (chatId: string) => void;
  /** Answers how to stop listening. */
  subscribe: (chatId: string, listener: () => void) => () => void;
};
