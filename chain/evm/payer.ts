import type { Hex } from 'viem';
import { type Authorization, authorizationDigest } from './authorization.ts';
import { addressOfKey, signDigest, toRecoverable } from './key.ts';
import { type EvmProfile, isForbiddenAddress } from './rpc/profile.ts';

/**
 * Signs USDC transfers from one key's account. The key never leaves it: not even a log of the whole object shows it.
 */
export type EvmPayer = {
  /** In lower case. */
  address: string;
  /** Signs one EIP-3009 transfer of USDC and nothing else. The caller decides whether it may. */
  signTransfer: (transfer: Omit<Authorization, 'from' | 'to'> & { to: string }) => Hex;
};

/** Throws on an invalid private key, without naming its value. */
export function createEvmPayer(privateKey: string, profile: EvmProfile): EvmPayer {
  if (!isHex(privateKey)) throw new Error('a private key must be 0x and 64 hex digits');
  const digestOf = authorizationDigest(profile);
  const from = addressOfKey(privateKey);
  return {
    address: from,
    signTransfer({ to, ...terms }) {
      if (!isHex(to) || isForbiddenAddress(to, [from])) throw new Error(`a payer may not pay to ${to}`);
      if (terms.value <= 0n) throw new Error(`a payer must pay more than zero micro-USDC, found ${terms.value}`);
      return toRecoverable(signDigest(privateKey, digestOf({ ...terms, from, to })));
    },
  };
}

function isHex(text: string): text is Hex {
  return /^0x[0-9a-fA-F]+$/.test(text);
}
