import { formatUsdc } from '../../core/money.ts';
import { readSolvency, type Solvency } from '../../db/audit/solvency.ts';
import type { ApiDependencies } from '../environment/dependencies.ts';

/** Reading the books takes longer the more people they name, and anyone may ask. */
const KEPT_MS = 5_000;

type Checked = { networks: readonly Solvency[]; atMs: number };

/** The books of every network, read at most every few seconds however many ask; concurrent callers share a reading. */
export function createSolvencyCheck({ store, now }: Pick<ApiDependencies, 'store' | 'now'>): () => Promise<Checked> {
  let last: { checked: Promise<Checked>; startedAtMs: number } | null = null;

  async function check(atMs: number): Promise<Checked> {
    return { networks: await readSolvency(store), atMs };
  }

  return () => {
    const nowMs = now();
    if (last !== null && nowMs - last.startedAtMs < KEPT_MS) return last.checked;
    const reading = { checked: check(nowMs), startedAtMs: nowMs };
    last = reading;
    // A failure reaches the callers that waited for it, and is not kept.
    reading.checked.catch(() => {
      if (last === reading) last = null;
    });
    return reading.checked;
  };
}

/** What `GET /health/solvency` says: sums only, no account and no address. */
export function toSolvencyAnswer({ networks, atMs }: Checked) {
  const isSolvent = networks.every((network) => network.isSolvent);
  const code = isSolvent ? (200 as const) : (503 as const);
  return {
    code,
    msg: isSolvent ? 'solvent' : 'not solvent',
    solvent: isSolvent,
    checked_at: new Date(atMs).toISOString(),
    networks: Object.fromEntries(networks.map((network) => [network.network, toNetworkAnswer(network)])),
  };
}

function toNetworkAnswer({ isSolvent, block, assets, liabilities, float, reorgLoss }: Solvency) {
  return {
    solvent: isSolvent,
    block,
    assets: formatUsdc(assets),
    liabilities: formatUsdc(liabilities),
    float: formatUsdc(float),
    reorg_loss: formatUsdc(reorgLoss),
  };
}
