import { ChainUnavailable } from '../errors.ts';
import type { Head } from './rpc/chain-reads.ts';
import type { EvmRpc } from './rpc/rpc.ts';

/** Network standings judged by these are still right. */
const SETTLED_LASTS_MS = 15_000;
/** What one round of the scan would read twice. */
const ROUND_MS = 100;

export type Heads = {
  /** The same node; what it answers about its heads is remembered. */
  rpc: EvmRpc;
  /** The newest and the safe block, as this process last read them. Asks only for what is older than that. */
  recent: (lastsMs: number) => Promise<Pick<Head, 'latest' | 'safe'>>;
  /** For the scan: safe and finalized, at most this old; older ones would only make it wait. */
  forScan: (settledLastMs: number) => Promise<Head>;
};

type Seen<T> = { value: T; atMs: number };

/** The scan reads the heads all the time, and others share what it finds. */
export function rememberHeads(plain: EvmRpc, monotonicMs = () => performance.now()): Heads {
  let newest: Seen<Head['latest']> | null = null;
  let settled: Seen<Pick<Head, 'safe' | 'finalized'>> | null = null;
  const within = <T>(seen: Seen<T> | null, lastsMs: number): T | null =>
    seen !== null && monotonicMs() - seen.atMs <= lastsMs ? seen.value : null;

  const rpc: EvmRpc = {
    ...plain,
    async latest() {
      const value = await plain.latest();
      newest = { value, atMs: monotonicMs() };
      return value;
    },
    async head() {
      const { latest, ...value } = await plain.head();
      const atMs = monotonicMs();
      newest = { value: latest, atMs };
      settled = { value, atMs };
      return { latest, ...value };
    },
  };

  async function forScan(settledLastMs: number): Promise<Head> {
    const known = within(settled, settledLastMs);
    if (known === null) return rpc.head();
    const latest = within(newest, ROUND_MS) ?? (await rpc.latest());
    // A node that is behind the one asked before, or a fork below what was safe.
    if (latest.number < known.safe.number) throw new ChainUnavailable('eth_getBlockByNumber', 'inconsistent');
    return { latest, ...known };
  }

  async function recent(lastsMs: number) {
    const known = within(settled, SETTLED_LASTS_MS);
    if (known === null) return rpc.head();
    return { latest: within(newest, lastsMs) ?? (await rpc.latest()), safe: known.safe };
  }

  return { rpc, recent, forScan };
}
