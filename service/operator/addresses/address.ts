import { isForbiddenAddress } from '../../../chain/evm/rpc/profile.ts';
import { isAddress, isForbiddenAddress as isForbiddenSolanaAddress } from '../../../chain/solana/messages/addresses.ts';
import type { Config } from '../../../core/config/config.ts';
import { canonicalAddress, inFamily, isOf, NETWORKS, type Family, type Network } from '../../../core/networks.ts';
import { readEvmKeys, readSolanaKeys } from '../../networks/keys.ts';
import { openEvmKey, openSolanaKey } from '../../networks/own-keys.ts';

type Hex = `0x${string}`;

/**
 * A recipient's address on one of the offered networks. `wanted`: null where its form decides, which works while one
 * network of its family is offered. Throws plain Errors that say what is wrong.
 */
export function readAddress(
  config: Config,
  text: string,
  wanted: Network | null,
): { network: Network; address: string } {
  const family = FAMILIES.find((one) => FORMS[one](text));
  if (family === undefined) {
    throw new Error(`An address is 0x and 40 hex digits, or base58 of 32 bytes (Solana); found ${text}.`);
  }
  const fits = (network: Network) => isOf(family, network) && (wanted === null || wanted === network);
  const [network, ...others] = config.networks.filter(fits);
  if (network === undefined) {
    const meant = wanted ?? NETWORKS.filter(fits).join(' or ');
    throw new Error(`${text} is an address on ${meant}, which NETWORKS does not offer.`);
  }
  if (others.length > 0)
    throw new Error(`${text} may be an address on ${[network, ...others].join(' or ')}: name one.`);
  const address = canonicalAddress(network, text);
  if (isForbidden(config, network, address)) {
    throw new Error(`${text} is ours, a system's or nobody's address: money sent there would be lost.`);
  }
  return { network, address };
}

const FAMILIES: readonly Family[] = ['evm', 'svm'];
const FORMS = {
  evm: (text) => /^0x[0-9a-fA-F]{40}$/.test(text),
  svm: isAddress,
} as const satisfies Record<Family, (text: string) => boolean>;

function isForbidden(config: Config, network: Network, address: string): boolean {
  const place = inFamily(network);
  switch (place.family) {
    case 'evm': {
      const { treasuryKey, taskKey, laneKeys, ...former } = readEvmKeys(config, place.network);
      const { formerTreasuryKeys = [], formerTaskKeys = [] } = former;
      const own = [treasuryKey, taskKey, ...laneKeys, ...formerTreasuryKeys, ...formerTaskKeys].flatMap((key) =>
        key === undefined ? [] : [openEvmKey(key).address],
      );
      return isForbiddenAddress(address as Hex, own);
    }
    case 'svm': {
      const { treasuryKey, taskKey, feePayerKey, ...former } = readSolanaKeys(config);
      const { formerTreasuryKeys = [], formerTaskKeys = [] } = former;
      const own = [treasuryKey, taskKey, feePayerKey, ...formerTreasuryKeys, ...formerTaskKeys].flatMap((key) =>
        key === undefined ? [] : [openSolanaKey(key).address],
      );
      return isForbiddenSolanaAddress(address, own);
    }
  }
}
