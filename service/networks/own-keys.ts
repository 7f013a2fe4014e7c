/** Where the keys of treasury, task address and lanes are. Only `chain/signing/` makes signers of them. */
import { openKms, type Kms } from '../../chain/signing/kms/client.ts';
import { kmsEvmKey, kmsSolanaKey } from '../../chain/signing/kms/keys.ts';
import type { Tell } from '../../chain/signing/kms/standing.ts';
import { localEvmKey, localSolanaKey, type EvmKey, type SolanaOwnKey } from '../../chain/signing/keys.ts';
import { readKmsKey, type EvmKeyText } from '../../core/config/keys.ts';

/** The service that holds some of the keys; what it does not say is told, once and when it says it again. */
export type KeyService = { kms: Kms; tell?: (address: string) => Tell };

/** Opens nothing before the first signature; the library of the service is loaded then. */
export const usualKeyService = (): KeyService => ({ kms: openKms() });

export function openEvmKey(text: EvmKeyText, service: KeyService = usualKeyService()): EvmKey {
  const reference = readKmsKey(text);
  // What is no reference is a private key: the configuration has read it.
  if (reference === null) return localEvmKey(text as `0x${string}`);
  return kmsEvmKey(service.kms, reference, service.tell?.(reference.address));
}

export function openSolanaKey(text: string, service: KeyService = usualKeyService()): SolanaOwnKey {
  const reference = readKmsKey(text);
  if (reference === null) return localSolanaKey(text);
  return kmsSolanaKey(service.kms, reference, service.tell?.(reference.address));
}

/** Whether a network cannot sign now: its treasury, its task address, or all that could send. */
export async function areKeysAway(
  needed: readonly (EvmKey | SolanaOwnKey | null)[],
  senders: readonly (EvmKey | SolanaOwnKey)[],
): Promise<boolean> {
  const isAway = (key: EvmKey | SolanaOwnKey | null) => key?.isAway?.() ?? Promise.resolve(false);
  const [ofNeeded, ofSenders] = await Promise.all([Promise.all(needed.map(isAway)), Promise.all(senders.map(isAway))]);
  return ofNeeded.includes(true) || (ofSenders.length > 0 && !ofSenders.includes(false));
}
