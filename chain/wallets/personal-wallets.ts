import { createHash } from 'node:crypto';
import type { Address, Hex } from 'viem';
import { cancellationDigest } from '../evm/cancellation.ts';
import type { Cancellation } from '../evm/wallet-forms.ts';
import { addressOfKey, signDigest, toRecoverable } from '../evm/key.ts';
import type { EvmProfile } from '../evm/rpc/profile.ts';
import { createTransferSigner, type UnsignedTransfer } from '../evm/transfer-signer.ts';
import { secp256k1 } from '../secp256k1.ts';
import { createWalletSecrets } from '../wallet-seed.ts';

export type PersonalWallets = {
  /** In lower case. */
  addressOf: (walletId: string) => Address;
  /**
   * Signs one EIP-3009 transfer of USDC from this wallet, a payment or a withdrawal, and nothing else. The caller
   * decides whether it may.
   */
  signTransferAuthorization: (walletId: string, transfer: UnsignedTransfer) => Promise<Hex>;
  /** Signs that this wallet takes back a tip. */
  signCancellation: (walletId: string, cancellation: Cancellation) => Hex;
};

/** A wallet per person on one EVM network, derived from the seed by `createWalletSecrets`. */
export function createPersonalWallets({ seed, profile }: { seed: Uint8Array; profile: EvmProfile }): PersonalWallets {
  const secretOf = createWalletSecrets(seed, profile.network);
  const sign = createTransferSigner(profile);
  const keyOf = (walletId: string) => toPrivateKey(secretOf(walletId));
  const addressOf = (walletId: string) => addressOfKey(keyOf(walletId));

  const signTransferAuthorization = async (walletId: string, transfer: UnsignedTransfer): Promise<Hex> =>
    sign(keyOf(walletId), transfer).signature;

  const signCancellation = (walletId: string, cancellation: Cancellation): Hex =>
    toRecoverable(signDigest(keyOf(walletId), cancellationDigest(profile, cancellation)));

  return { addressOf, signTransferAuthorization, signCancellation };
}

/**
 * 32 bytes are a private key unless they are zero or not below the order of the curve (a chance of 2^-128); then their
 * SHA-256 is tried, and so on. Exported for its test, because no known seed gets there.
 */
export function toPrivateKey(candidate: Uint8Array): Hex {
  let bytes = candidate;
  while (!secp256k1.privateKeyVerify(bytes)) bytes = createHash('sha256').update(bytes).digest();
  return `0x${Buffer.from(bytes).toString('hex')}`;
}
