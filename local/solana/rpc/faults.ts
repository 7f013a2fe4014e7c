/**
 * Faults on purpose. A fault hits the next so many chances, or some of all chances by the dice of a seed, and counts
 * each hit: a fault that never fired has tested nothing.
 */
import { z } from 'zod';

export const FAULT_KINDS = [
  /** The transaction is accepted, and never heard of again. */
  'drop',
  /** It is accepted and kept until `local_releaseTransactions`. */
  'hold',
  /** It is accepted and lands `blocks` later, if its blockhash is still good then. */
  'late',
  /** The method is carried out, and the connection breaks instead of an answer. */
  'lose_reply',
  /** 503, and nothing is carried out. */
  'unavailable',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export const faultSchema = z.strictObject({
  kind: z.enum(FAULT_KINDS),
  /** Without it, until the faults are cleared. */
  times: z.int().positive().optional(),
  /** How many of a hundred chances it takes. */
  percent: z.number().min(0).max(100).optional(),
  seed: z.int().nonnegative().optional(),
  /** For `lose_reply` and `unavailable`: which method; without it, all of Solana's own. */
  method: z.string().optional(),
  /** For `late`. */
  blocks: z.int().positive().optional(),
});
export type Fault = z.output<typeof faultSchema>;

type Armed = { fault: Fault; left: number; fired: number; roll: () => number };

export type Faults = ReturnType<typeof createFaults>;

export function createFaults() {
  const armed = new Map<FaultKind, Armed>();

  /** The fault, if it strikes now. */
  function take(kind: FaultKind, methods: readonly string[] = []): Fault | null {
    const entry = armed.get(kind);
    if (!entry || entry.left <= 0) return null;
    const { method, percent = 100 } = entry.fault;
    if (method !== undefined && !methods.includes(method)) return null;
    if (entry.roll() * 100 >= percent) return null;
    entry.left -= 1;
    entry.fired += 1;
    return entry.fault;
  }

  return {
    take,
    /** Replaces an earlier fault of the kind. */
    set(fault: Fault): void {
      const left = fault.times ?? Number.POSITIVE_INFINITY;
      armed.set(fault.kind, { fault, left, fired: 0, roll: createDice(fault.seed ?? 1) });
    },
    /** Nothing strikes any more; the counts stay. */
    clear: () => armed.forEach((entry) => void (entry.left = 0)),
    /** How often each has struck since it was set. */
    fired: () => Object.fromEntries(FAULT_KINDS.map((kind) => [kind, armed.get(kind)?.fired ?? 0])),
  };
}

/** The same numbers for the same seed, between 0 and 1 (mulberry32). */
function createDice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
