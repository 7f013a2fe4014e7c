/** What people call themselves, for mentions: the core knows them by their numbers. A start forgets it all. */
const NAMES_MAX = 10_000;

export type Names = {
  learn: (id: number, name: string) => void;
  /** Undefined for whom nobody has seen since the start. */
  find: (id: number) => string | undefined;
};

export function createNames(): Names {
  const names = new Map<number, string>();
  return {
    learn(id, name) {
      names.delete(id);
      names.set(id, name);
      const [oldest] = names.keys();
      if (names.size > NAMES_MAX && oldest !== undefined) names.delete(oldest);
    },
    find: (id) => names.get(id),
  };
}
