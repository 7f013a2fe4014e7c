import { formatUsdc } from '../../core/money.ts';
import type { Network } from '../../core/networks.ts';
import { DOUBTS } from '../../core/solvency.ts';
import { isSolvent, type Solvencies, type Solvency } from '../../db/audit/solvency.ts';

/**
 * What `GET /health/solvency` says: sums only, no account and no address. Without a comparison of every network nothing is
 * known.
 */
export function toSolvencyAnswer(found: Solvencies, nowMs: number) {
  const { networks } = found;
  const isSound = isSolvent(found);
  const code = isSound ? (200 as const) : (503 as const);
  const oldestMs = Math.min(...networks.map(({ comparedAtMs }) => comparedAtMs));
  return {
    code,
    msg: isSound ? 'solvent' : whyNot(found),
    solvent: isSound,
    checked_at: new Date(networks.length === 0 ? nowMs : oldestMs).toISOString(),
    networks: Object.fromEntries(networks.map((network) => [network.network, toNetworkAnswer(network)])),
  };
}

function whyNot({ networks, unknown }: Solvencies): string {
  const reasons = networks.flatMap(({ network, doubt }) => (doubt === null ? [] : [`${network}: ${DOUBTS[doubt]}`]));
  const missing = unknown.map((network: Network) => `${network}: books and chain were not compared yet`);
  return `not shown to be solvent: ${[...reasons, ...missing].join('; ')}`;
}

function toNetworkAnswer(solvency: Solvency) {
  const { doubt, block, ageMs, assets, onChain, liabilities, unexplained, float, reorgLoss } = solvency;
  return {
    solvent: doubt === null,
    ...(doubt !== null && { reason: doubt }),
    block,
    age_seconds: Math.floor(ageMs / 1_000),
    assets: formatUsdc(assets),
    on_chain: formatUsdc(onChain),
    liabilities: formatUsdc(liabilities),
    unexplained: formatUsdc(unexplained),
    float: formatUsdc(float),
    reorg_loss: formatUsdc(reorgLoss),
  };
}
