/**
 * Tells open pages that a chat has something new. Only a doorbell: the rows are the truth, and who misses a ring finds
 * them at the next look. Between processes `main.ts` may bring another implementation.
 */
export type Changes = {
  notify: (chatId: string) => void;
  /** Answers how to stop listening. */
  subscribe: (chatId: string, listener: () => void) => () => void;
};

export function createChanges(): Changes {
  const listeners = new Map<string, Set<() => void>>();
  return {
    notify(chatId) {
      for (const listener of listeners.get(chatId) ?? []) listener();
    },
    subscribe(chatId, listener) {
      const set = listeners.get(chatId) ?? new Set();
      listeners.set(chatId, set.add(listener));
      return () => {
        set.delete(listener);
        if (set.size === 0) listeners.delete(chatId);
      };
    },
  };
}
