import type { Hex } from 'viem';
import { addressOfKey } from './key.ts';
import type { EvmProfile } from './rpc/profile.ts';
import { createTransferSigner, type SignedTransfer, type UnsignedTransfer } from './transfer-signer.ts';

/**
 * Signs USDC transfers from one key's account. The key never leaves it: not even a log of the whole object shows it.
 */
export type EvmPayer = {
  /** In lower case. */
  address: string;
  /** The caller decides whether the transfer may be made. */
  signTransfer: (transfer: Omit<UnsignedTransfer, 'from'>) => SignedTransfer;
};

/** Throws on an invalid private key, without naming its value. */
export function createEvmPayer(privateKey: string, profile: EvmProfile): EvmPayer {
  if (!isHex(privateKey)) throw new Error('a private key must be 0x and 64 hex digits');
  const sign = createTransferSigner(profile);
  const from = addressOfKey(privateKey);
  return { address: from, signTransfer: (transfer) => sign(privateKey, { from, ...transfer }) };
}

function isHex(text: string): text is Hex {
  return /^0x[0-9a-fA-F]+$/.test(text);
}
