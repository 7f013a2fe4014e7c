/** What a running service, or local mode, has on one network. */
import type { Network } from '../../core/networks.ts';
import type { LocalEvm } from '../../local/evm/network.ts';
import type { LocalMode } from '../../local/mode.ts';
import type { LocalSolana } from '../../local/solana/network.ts';
import type { EvmParts } from '../../service/networks/evm.ts';
import type { SolanaParts } from '../../service/networks/solana.ts';
import type { Service } from '../../service/start.ts';

export function basePartsOf({ networks }: Pick<Service, 'networks'>): EvmParts {
  const parts = networks.get('base');
  if (parts?.family !== 'evm') throw new Error('this service does not serve Base');
  return parts;
}

export function solanaPartsOf({ networks }: Pick<Service, 'networks'>): SolanaParts {
  const parts = networks.get('solana');
  if (parts?.family !== 'svm') throw new Error('this service does not serve Solana');
  return parts;
}

export function rpcUrlOf({ environment }: Pick<Service, 'environment'>, network: Network): string {
  return environment.nodes.get(network)?.rpcUrl ?? '';
}

/** Play money for an address. */
export async function fundOn(
  { environment }: Pick<Service, 'environment'>,
  network: Network,
  address: string,
): Promise<void> {
  await environment.faucets.get(network)?.(address);
}

export type LocalChains = { base: LocalEvm; solana: LocalSolana | null };

export function localChainsOf({ chains }: Pick<LocalMode, 'chains'>): LocalChains {
  const [base, solana] = [chains.get('base'), chains.get('solana')];
  if (base?.family !== 'evm') throw new Error('local mode was not asked for Base');
  return { base, solana: solana?.family === 'svm' ? solana : null };
}
