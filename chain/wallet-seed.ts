import { hkdfSync } from 'node:crypto';
import type { Network } from '../core/networks.ts';

/**
 * `{platform}:{id}` in visible ASCII, as every platform's ids are, so that each id has one spelling. The longest id is
 * an e-mail address of 254 octets.
 */
const WALLET_ID_PATTERN = /^[\x21-\x7e]{1,300}$/;
const SEED_BYTES = 32;

/** Gives the 32-byte secret of a personal wallet, from which each network makes a key. */
export type WalletSecrets = (walletId: string) => Uint8Array;

/**
 * HKDF-SHA256 (RFC 5869, empty salt) of the seed, with the info `pennypost/wallet/v1/{network}/{walletId}`. `walletId`
 * is `{platform}:{id}` with the full id, so two people whose ids agree in part never share a key. Changing any of this
 * loses people's money, so a test pins the addresses.
 */
export function createWalletSecrets(seed: Uint8Array, network: Network): WalletSecrets {
  if (seed.length !== SEED_BYTES) throw new Error(`a wallet seed must have ${SEED_BYTES} bytes, found ${seed.length}`);
  return (walletId) => {
    if (!WALLET_ID_PATTERN.test(walletId)) {
      throw new Error(`a wallet id must be 1 to 300 visible ASCII characters, found ${JSON.stringify(walletId)}`);
    }
    return new Uint8Array(
      hkdfSync('sha256', seed, new Uint8Array(0), `pennypost/wallet/v1/${network}/${walletId}`, 32),
    );
  };
}
