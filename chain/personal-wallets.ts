import { createHash, hkdfSync } from 'node:crypto';
import type { Address, Hex } from 'viem';
import { type Authorization, authorizationDigest } from './base/authorization.ts';
import { addressOfKey, signDigest, toRecoverable } from './base/key.ts';
import { type BaseProfile, isForbiddenAddress } from './base/profile.ts';
import { secp256k1 } from './secp256k1.ts';

/** `{platform}:{id}` in visible ASCII, which every chat platform's ids are: text with one spelling only. */
const WALLET_ID_PATTERN = /^[\x21-\x7e]{1,200}$/;

export type PersonalWallets = {
  /** In lower case. */
  addressOf: (walletId: string) => Address;
  /** Signs one EIP-3009 transfer of USDC out of this wallet, and nothing else. Whether it may is the caller's duty. */
  signTransferAuthorization: (walletId: string, authorization: Authorization) => Promise<Hex>;
};

/**
 * One wallet per chat user, derived from a seed of 32 bytes by HKDF-SHA256 (RFC 5869, empty salt) with the info
 * `pennypost/wallet/v1/base/{walletId}`. `walletId` is `{platform}:{id}` with the full id as text: two people whose ids
 * agree only in part never share a key. Changing any of this loses people's money, so a test pins the addresses.
 */
export function createPersonalWallets({ seed, profile }: { seed: Uint8Array; profile: BaseProfile }): PersonalWallets {
  if (seed.length !== 32) throw new Error(`a wallet seed must have 32 bytes, found ${seed.length}`);
  const digestOf = authorizationDigest(profile);
  const keyOf = (walletId: string) => toPrivateKey(expand(seed, profile, walletId));
  const addressOf = (walletId: string) => addressOfKey(keyOf(walletId));

  async function signTransferAuthorization(walletId: string, authorization: Authorization): Promise<Hex> {
    const { from, to, value } = authorization;
    if (from.toLowerCase() !== addressOf(walletId)) throw new Error(`the wallet asked to sign is not ${from}`);
    if (isForbiddenAddress(to, [])) throw new Error(`a wallet may not pay to ${to}`);
    if (value <= 0n) throw new Error(`a wallet must pay more than zero micro-USDC, found ${value}`);
    return toRecoverable(signDigest(keyOf(walletId), digestOf(authorization)));
  }

  return { addressOf, signTransferAuthorization };
}

function expand(seed: Uint8Array, profile: BaseProfile, walletId: string): Uint8Array {
  if (!WALLET_ID_PATTERN.test(walletId)) {
    throw new Error(`a wallet id must be 1 to 200 visible ASCII characters, found ${JSON.stringify(walletId)}`);
  }
  const info = `pennypost/wallet/v1/${profile.network}/${walletId}`;
  return new Uint8Array(hkdfSync('sha256', seed, new Uint8Array(0), info, 32));
}

/**
 * 32 bytes are a private key unless they are zero or not below the order of the curve (a chance of 2^-128): then their
 * SHA-256 is tried, and so on. Exported for its test, since no seed is known that gets there.
 */
export function toPrivateKey(candidate: Uint8Array): Hex {
  let bytes = candidate;
  while (!secp256k1.privateKeyVerify(bytes)) bytes = createHash('sha256').update(bytes).digest();
  return `0x${Buffer.from(bytes).toString('hex')}`;
}
