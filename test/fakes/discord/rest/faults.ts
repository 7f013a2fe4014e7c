/** Something that goes wrong on the way of chosen requests. */
export type Fault = {
  method?: string;
  /** Matched against the path below /api/v10. */
  path?: RegExp;
  /** How many requests it hits; once unless told otherwise. */
  times?: number;
  what:
    // A line that is closed is an error of its own for clients; one that is reset makes discord.js repeat its request.
    | { kind: 'lose-reply'; how?: 'close' | 'reset' }
    | { kind: 'lose-request'; how?: 'close' | 'reset' }
    | { kind: 'hang' }
    // Arrives and is carried out only then, whether or not anybody still waits for it.
    | { kind: 'late'; until: Promise<unknown> }
    | { kind: 'status'; status: 500 | 502 | 503 | 504; after?: boolean }
    | { kind: 'rate-limit'; retryAfterMs: number; scope?: 'user' | 'shared' | 'global' };
};

export type PlacedFault = { readonly fired: number; remove: () => void };

export type Faults = {
  place: (fault: Fault) => PlacedFault;
  /** The fault that hits this request, if any; it counts as fired. */
  strike: (method: string, path: string) => Fault['what'] | null;
};

export function createFaults(): Faults {
  const placed = new Set<{ fault: Fault; fired: number }>();
  return {
    place: (fault) => {
      const entry = { fault, fired: 0 };
      placed.add(entry);
      return {
        get fired() {
          return entry.fired;
        },
        remove: () => void placed.delete(entry),
      };
    },
    strike: (method, path) => {
      for (const entry of placed) {
        const { fault } = entry;
        if (fault.method !== undefined && fault.method !== method) continue;
        if (fault.path !== undefined && !fault.path.test(path)) continue;
        entry.fired += 1;
        if (entry.fired >= (fault.times ?? 1)) placed.delete(entry);
        return fault.what;
      }
      return null;
    },
  };
}
