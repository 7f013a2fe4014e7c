/** Lets so many work at a time; the others wait in the order they came. */
export type Slots = { use: <T>(work: () => Promise<T>) => Promise<T>; busy: () => number };

export function createSlots(max: number): Slots {
  const waiting: (() => void)[] = [];
  let busy = 0;
  return {
    busy: () => busy,
    async use(work) {
      if (busy < max) busy++;
      // Whoever leaves hands over the place, so nobody can slip in between.
      else await new Promise<void>((go) => waiting.push(go));
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else busy--;
      }
    },
  };
}
