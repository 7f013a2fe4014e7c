/** Lets so many work at a time; the others wait in the order they came. */
export type Slots = { use: <T>(work: () => Promise<T>) => Promise<T>; busy: () => number };

export function createSlots(max: number): Slots {
  const waiting: (() => void)[] = [];
  let busy = 0;
  return {
    busy: () => busy,
    async use(work) {
      if (busy < max) busy++;
      // Work that ends hands its place on, so no newcomer takes it first.
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
