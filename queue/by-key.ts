/** Simultaneous callers for the same key share one run of the work and its outcome. */
export type Shared<Key, T> = {
  /** Joins what is under way for this key, or begins it. */
  share: (key: Key, work: () => Promise<T>) => Promise<T>;
  has: (key: Key) => boolean;
  size: () => number;
  /** Resolves when all work under way now has ended, however it ends. */
  idle: () => Promise<void>;
};

export function createShared<Key, T>(): Shared<Key, T> {
  const underWay = new Map<Key, Promise<T>>();
  return {
    share(key, work) {
      const known = underWay.get(key);
      if (known) return known;
      const begun = work().finally(() => underWay.delete(key));
      underWay.set(key, begun);
      return begun;
    },
    has: (key) => underWay.has(key),
    size: () => underWay.size,
    idle: async () => void (await Promise.allSettled(underWay.values())),
  };
}

/** Runs work one after the other for each key, in order of arrival. A failure does not stop the next. */
export function createLines<Key>(): (key: Key, work: () => Promise<void>) => Promise<void> {
  const last = new Map<Key, Promise<void>>();
  return async (key, work) => {
    const mine = (last.get(key) ?? Promise.resolve()).then(work);
    const settled = mine.catch(() => undefined);
    last.set(key, settled);
    await mine.finally(() => {
      if (last.get(key) === settled) last.delete(key);
    });
  };
}
