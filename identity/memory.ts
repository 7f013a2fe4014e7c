import type { Resolution } from './port.ts';

export type MemoryLimits = {
  foundMs: number;
  notFoundMs: number;
  /** Names remembered at once; beyond it the one that was asked for longest ago goes. */
  max: number;
};

export type Memory = {
  remember: (name: string, resolution: Resolution) => void;
  /** Null: nothing is remembered. */
  recall: (name: string) => Resolution | null;
};

/** That a platform did not answer says nothing about the next time, so it is never remembered. */
export function createMemory({ foundMs, notFoundMs, max }: MemoryLimits, now: () => number): Memory {
  // A map keeps the order of insertion: the first entry is the one that was used longest ago.
  const entries = new Map<string, { resolution: Resolution; untilMs: number }>();
  return {
    remember: (name, resolution) => {
      if (resolution.kind === 'unavailable') return;
      entries.set(name, { resolution, untilMs: now() + (resolution.kind === 'found' ? foundMs : notFoundMs) });
      const [oldest] = entries.keys();
      if (entries.size > max && oldest !== undefined) entries.delete(oldest);
    },
    recall: (name) => {
      const entry = entries.get(name);
      if (entry === undefined) return null;
      entries.delete(name);
      if (entry.untilMs <= now()) return null;
      entries.set(name, entry);
      return entry.resolution;
    },
  };
}
