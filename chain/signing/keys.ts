/** The keys behind the signers of this folder. Nobody else gets one: a signature without its policy is no signature of ours. */
import { addressOfKey, signDigest, type DigestSignature } from '../evm/key.ts';
import { readSolanaKey } from '../solana/messages/key.ts';

type Hex = `0x${string}`;

/** Asks the place where a key is whether it signs now. Absent: the key is in this process, and always does. */
type Standing = { isAway?: () => Promise<boolean> };

/** One key on secp256k1, wherever it is. */
export type EvmKey = Standing & {
  /** In lower case. */
  address: Hex;
  signDigest: (digest: Hex) => Promise<DigestSignature>;
};

/** One key on Ed25519, wherever it is. */
export type SolanaOwnKey = Standing & { address: string; signMessage: (message: Uint8Array) => Promise<Uint8Array> };

/** In this process: out of the environment, a file or the keystore. */
export function localEvmKey(key: Hex): EvmKey {
  return { address: addressOfKey(key), signDigest: async (digest) => signDigest(key, digest) };
}

/** The same for the base58 text of 64 bytes. */
export function localSolanaKey(text: string): SolanaOwnKey {
  const { address, sign } = readSolanaKey(text);
  return { address, signMessage: async (message) => sign(message) };
}
