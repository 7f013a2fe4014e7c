import { createBasePayer } from '../../chain/evm/payer.ts';
import { baseProfile } from '../../chain/evm/profile.ts';
import { toBase58 } from '../../chain/solana/base58.ts';
import { readSolanaKey } from '../../chain/solana/key.ts';
import type { Network } from '../../core/networks.ts';
import { Stop } from '../stop.ts';

const FORMS = {
  base: 'Wanted on Base: 0x and 64 hexadecimal digits.',
  solana: 'Wanted on Solana: the base58 text of 64 bytes, or the list of 64 numbers that its tools write.',
} as const satisfies Record<Network, string>;

/**
 * The key in the form that is kept, and its address. Throws Stop for what is none; what was typed is never repeated, since
 * it may be a secret with one wrong letter.
 */
export function readPrivateKey(network: Network, text: string): { privateKey: string; address: string } {
  const privateKey = network === 'base' ? text.trim() : fromNumbers(text.trim());
  try {
    return { privateKey, address: addressOf(network, privateKey) };
  } catch {
    throw new Stop('usage', 'bad_key', 'That is not a private key.', FORMS[network]);
  }
}

function addressOf(network: Network, privateKey: string): string {
  if (network === 'solana') return readSolanaKey(privateKey).address;
  return createBasePayer(privateKey, baseProfile('mainnet')).address;
}

function fromNumbers(text: string): string {
  if (!/^\[[\d\s,]*\]$/.test(text)) return text;
  return toBase58(Uint8Array.from(text.slice(1, -1).split(',').map(Number)));
}
