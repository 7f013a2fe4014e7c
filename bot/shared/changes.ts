/**
 * Tells open pages that a chat has something new. It only notifies: the rows are the truth, and a page that misses a
 * notice sees the change at its next look.
 */
export type Changes = {
  notify: (chatId: string) => void;
  /** Answers with a function that stops listening. */
  subscribe: (chatId: string, listener: () => void) => () => void;
};
