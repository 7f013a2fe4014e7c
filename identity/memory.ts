import type { Resolution } from './port.ts';

export type MemoryLimits = {
  foundMs: number;
  notFoundMs: number;
  /** The most names; beyond it the one that was used longest ago is dropped. */
  max: number;
};

export type Memory = {
  remember: (name: string, resolution: Resolution) => void;
  /** Null: the name is not remembered. */
  recall: (name: string) => Resolution | null;
};

/** A missing answer is never remembered, because it says nothing about the next time. */
export function createMemory({ foundMs, notFoundMs, max }: MemoryLimits, now: () => number): Memory {
  // A map keeps the order of insertion: its first entry was used longest ago.
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
