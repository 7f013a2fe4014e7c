import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { callRpc, RpcUnreachable } from '../../../local/processes/rpc.ts';

export type Pace = {
  /** How long what is sent waits for its block, at most. */
  soonMs: number;
  /** Between the blocks that follow it, until it is final. */
  followMs: number;
  /** As many follow. */
  following: number;
};

export type Pacemaker = {
  /** No block begins once this is answered. */
  hold: () => Promise<void>;
  release: () => void;
};

/** Between two blocks while nothing is sent: each costs the readers of the chain more than it costs the chain. */
const QUIET_MS = 700;

const poolSchema = z.object({ pending: z.string() });

/**
 * Makes the blocks of a chain that makes none by itself: at once for what is sent, and as many after it as it takes to be
 * final. A chain that makes blocks by a clock makes most of them for nothing, and could not be held for a moment.
 */
export function startPacemaker(rpcUrl: string, { soonMs, followMs, following }: Pace): Pacemaker {
  let isHeld = false;
  let toFollow = following;
  let sinceMs = performance.now();
  let beat = run();

  async function run(): Promise<void> {
    while (!isHeld) {
      try {
        await mineWhenDue();
      } catch (error) {
        // A test has stopped or ended the chain; it may come back.
        if (!(error instanceof RpcUnreachable)) throw error;
      }
      await sleep(soonMs);
    }
  }

  async function mineWhenDue(): Promise<void> {
    const { pending } = poolSchema.parse(await callRpc(rpcUrl, 'txpool_status'));
    const isSent = Number(pending) > 0;
    const waitMs = isSent ? 0 : toFollow > 0 ? followMs : QUIET_MS;
    if (isHeld || performance.now() - sinceMs < waitMs) return;
    sinceMs = performance.now();
    toFollow = isSent ? following : Math.max(0, toFollow - 1);
    await callRpc(rpcUrl, 'anvil_mine', ['0x1']);
  }

  async function hold(): Promise<void> {
    isHeld = true;
    await beat;
  }

  function release(): void {
    if (!isHeld) return;
    isHeld = false;
    toFollow = following;
    beat = run();
  }

  return { hold, release };
}
