import type { Changes } from '../../bot/shared/changes.ts';

/** The notifier within one process; the real one goes over Redis. */
export function createChanges(): Changes {
  const listeners = new Map<string, Set<() => void>>();
  return {
    notify: (chatId) => listeners.get(chatId)?.forEach((listener) => listener()),
    subscribe(chatId, listener) {
      const set = listeners.get(chatId) ?? new Set();
      listeners.set(chatId, set.add(listener));
      return () => void set.delete(listener);
    },
  };
}
