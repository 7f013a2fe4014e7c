/** The seed of all personal wallets as words that a person can write down (BIP-39), and back. */
import { entropyToMnemonic, mnemonicToEntropy } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english';

/** Of 32 bytes: 11 bits a word, the last 8 of them a checksum. */
export const SEED_WORDS = 24;
const SEED_BYTES = 32;

/**
 * The words encode the seed itself, as their entropy. Other wallets derive other keys from the same words (PBKDF2,
 * BIP-32), so these words open nothing there.
 */
export function toSeedWords(seed: Uint8Array): string[] {
  if (seed.length !== SEED_BYTES) throw new Error(`a wallet seed must have ${SEED_BYTES} bytes, found ${seed.length}`);
  return entropyToMnemonic(seed, wordlist).split(' ');
}

/** `place`: of the first word that is in no list, counted from 1. The word itself is a secret even when it is wrong. */
export type WordsRead =
  | { kind: 'seed'; seed: Uint8Array }
  | { kind: 'wrong-count'; found: number }
  | { kind: 'unknown-word'; place: number }
  | { kind: 'wrong-checksum' };

/** Ignores case, space and the numbers that people write before their words. */
export function readSeedWords(text: string): WordsRead {
  const words = text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\d+[.):]?/g, ' ')
    .split(/[\s,]+/)
    .filter(Boolean);
  if (words.length !== SEED_WORDS) return { kind: 'wrong-count', found: words.length };
  const unknown = words.findIndex((word) => !wordlist.includes(word));
  if (unknown >= 0) return { kind: 'unknown-word', place: unknown + 1 };
  try {
    return { kind: 'seed', seed: mnemonicToEntropy(words.join(' '), wordlist) };
  } catch {
    // Count and words are right, so only the checksum can be wrong.
    return { kind: 'wrong-checksum' };
  }
}
