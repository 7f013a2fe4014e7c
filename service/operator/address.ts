import { addressOfKey } from '../../chain/evm/key.ts';
import { isForbiddenAddress } from '../../chain/evm/profile.ts';
import { isAddress, isForbiddenAddress as isForbiddenSolanaAddress } from '../../chain/solana/addresses.ts';
import { readSolanaKey } from '../../chain/solana/key.ts';
import type { Config } from '../../core/config.ts';
import type { Network } from '../../core/networks.ts';
import { readBaseKeys, readSolanaKeys } from '../keys.ts';

type Hex = `0x${string}`;

/** The form of an address tells its network. */
export function readAddress(config: Config, text: string): { network: Network; address: string } {
  const found = readBaseAddress(config, text) ?? readSolanaAddress(config, text);
  if (found === null) {
    throw new Error(`An address is 0x and 40 hex digits (Base), or base58 of 32 bytes (Solana); found ${text}.`);
  }
  if (!config.networks.includes(found.network)) {
    throw new Error(`${text} is an address on ${found.network}, which NETWORKS does not offer.`);
  }
  if (found.forbidden) {
    throw new Error(`${text} is ours, a system's or nobody's address: money sent there would be lost.`);
  }
  return found;
}

type Found = { network: Network; address: string; forbidden: boolean };

function readBaseAddress(config: Config, text: string): Found | null {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return null;
  const address = text.toLowerCase() as Hex;
  const { treasuryKey, taskKey, laneKeys } = readBaseKeys(config);
  const own = [treasuryKey, taskKey, ...laneKeys].flatMap((key) => (key === undefined ? [] : [addressOfKey(key)]));
  return { network: 'base', address, forbidden: isForbiddenAddress(address, own) };
}

function readSolanaAddress(config: Config, text: string): Found | null {
  if (!isAddress(text)) return null;
  const own = config.networks.includes('solana')
    ? Object.values(readSolanaKeys(config)).map((key) => readSolanaKey(key).address)
    : [];
  return { network: 'solana', address: text, forbidden: isForbiddenSolanaAddress(text, own) };
}
