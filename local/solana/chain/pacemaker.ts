/** Begins a block at each slot. */
import type { Chain } from './chain.ts';

export type Pacemaker = {
  /** Stops the passing of time, and lets it go on. */
  freeze: (isFrozen: boolean) => void;
  close: () => void;
};

/** 0 begins blocks on demand only. */
export function startPacemaker(chain: Chain, slotMs: number): Pacemaker {
  let isFrozen = false;
  const timer = slotMs > 0 ? setInterval(() => isFrozen || chain.openBlocks(1), slotMs) : undefined;
  return {
    freeze: (wanted) => void (isFrozen = wanted),
    close: () => clearInterval(timer),
  };
}
