import type { Head } from './rpc/chain-reads.ts';
import type { EvmRpc } from './rpc/rpc.ts';

/** A block that was read before. */
export type Cursor = { block: number; hash: string };

/** The hash that a block had when it was read; null for a block that was never read or is forgotten. */
export type KnownHash = (block: number) => Promise<string | null> | string | null;

const WINDOW_BLOCKS = 64;
/** About half an hour: deeper than any block that is not final. */
const DEPTH_MAX = 1_024;

/** The highest block below the cursor on which chain and memory agree; null where there is none in reach. */
export async function findFork(
  rpc: Pick<EvmRpc, 'blocks'>,
  { cursor, head, knownHash }: { cursor: Cursor; head: Head; knownHash: KnownHash },
): Promise<Cursor | null> {
  const highest = Math.min(cursor.block - 1, head.latest.number);
  const lowest = Math.max(0, highest - DEPTH_MAX + 1);
  for (let top = highest; top >= lowest; top -= WINDOW_BLOCKS) {
    const headers = await rpc.blocks(Math.max(lowest, top - WINDOW_BLOCKS + 1), top);
    const known = await Promise.all(headers.map(async ({ number }) => await knownHash(number)));
    const common = headers.findLast(({ hash }, index) => known[index]?.toLowerCase() === hash);
    if (common) return { block: common.number, hash: common.hash };
  }
  return null;
}
