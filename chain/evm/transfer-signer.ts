import type { Address, Hex } from 'viem';
import { type Authorization, authorizationDigest } from './authorization.ts';
import { addressOfKey, signDigest, toRecoverable } from './key.ts';
import { type EvmProfile, isForbiddenAddress } from './rpc/profile.ts';

/** An authorization as callers write it. Addresses and nonce are text that is checked here. */
export type UnsignedTransfer = Omit<Authorization, 'from' | 'to' | 'nonce'> & {
  from: string;
  to: string;
  nonce: string;
};

export type SignedTransfer = { authorization: Authorization; signature: Hex };

export type TransferSigner = (key: Hex, transfer: UnsignedTransfer) => SignedTransfer;

/**
 * Signs transfers of USDC by EIP-3009 for the keys of others: personal wallets, and the key of the command line. Our own
 * keys sign in `chain/signing/`.
 */
export function createTransferSigner(profile: EvmProfile): TransferSigner {
  const digestOf = authorizationDigest(profile);
  return (key, transfer) => {
    const authorization = toAuthorization(addressOfKey(key), transfer, []);
    return { authorization, signature: toRecoverable(signDigest(key, digestOf(authorization))) };
  };
}

/**
 * What a key may sign. Nothing is signed for an account other than the key's own, for no money or no time, or to where
 * money would be lost; `forbidden` are further addresses that may not receive. Whether a transfer may be made is for the
 * caller to decide.
 */
export function toAuthorization(
  own: Address,
  { from, to, nonce, ...terms }: UnsignedTransfer,
  forbidden: readonly Address[],
): Authorization {
  const { value, validAfter, validBefore } = terms;
  if (from.toLowerCase() !== own) throw new Error(`the wallet asked to sign is not ${from}`);
  if (!isHex(to) || isForbiddenAddress(to, [own, ...forbidden])) throw new Error(`USDC may not go to ${to}`);
  if (value <= 0n) throw new Error(`a transfer must be of more than zero micro-USDC, found ${value}`);
  if (validBefore <= validAfter) throw new Error(`a transfer must be valid, found ${validAfter} to ${validBefore}`);
  if (!isHex(nonce)) throw new Error(`expected 0x and 64 hex digits, found ${nonce}`);
  return { from: own, to, nonce, ...terms };
}

function isHex(text: string): text is Hex {
  return /^0x[0-9a-fA-F]+$/.test(text);
}
