import { type Address, getAddress } from 'viem';
import type { AddressCheck, AddressRefusal } from '../../core/payments/payout-address.ts';
import { ChainUnavailable } from '../errors.ts';
import { findKnown } from './rpc/known-addresses.ts';
import type { EvmProfile } from './rpc/profile.ts';
import type { EvmRpc } from './rpc/rpc.ts';

/**
 * Whether money may go to an address that a recipient gave us. Contract wallets are people's too (Safe, ERC-4337,
 * EIP-7702), so code alone is no refusal. `ownAddresses`: treasury, task address, lanes and all others of ours. An
 * accepted address comes back in lower case.
 */
export async function checkEvmAddress(
  rpc: Pick<EvmRpc, 'areBlacklisted' | 'isToken'>,
  profile: EvmProfile,
  ownAddresses: readonly string[],
  text: string,
): Promise<AddressCheck> {
  const refusal = findRefusal(text.trim(), profile, ownAddresses);
  if (refusal !== null) return { kind: 'refused', reason: refusal };
  const address = toLower(text.trim());
  try {
    // Both travel in one request.
    const [[isBlacklisted], isToken] = await Promise.all([rpc.areBlacklisted([address]), rpc.isToken(address)]);
    if (isBlacklisted === true) return { kind: 'refused', reason: 'blacklisted' };
    return isToken ? { kind: 'refused', reason: 'token' } : { kind: 'fine', address };
  } catch (error) {
    if (error instanceof ChainUnavailable) return { kind: 'unavailable' };
    throw error;
  }
}

/** The checks that need no chain. */
function findRefusal(text: string, profile: EvmProfile, ownAddresses: readonly string[]): AddressRefusal | null {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return 'not_an_address';
  const address = toLower(text);
  // Only mixed case carries a checksum (EIP-55).
  const digits = text.slice(2);
  const isMixed = digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
  if (isMixed && getAddress(address) !== text) return 'wrong_checksum';
  if (ownAddresses.some((own) => own.toLowerCase() === address)) return 'ours';
  if (address === toLower(profile.usdc)) return 'token';
  return findKnown(address);
}

/** Only for what has the form of an address. */
function toLower(text: string): Address {
  return `0x${text.slice(2).toLowerCase()}`;
}
