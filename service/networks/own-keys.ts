/** Where the keys of treasury, task address and lanes are. Only `chain/signing/` makes signers of them. */
import { localEvmKey, localSolanaKey, type EvmKey, type SolanaOwnKey } from '../../chain/signing/keys.ts';

type Hex = `0x${string}`;

export function openEvmKey(setting: Hex): EvmKey {
  return localEvmKey(setting);
}

export function openSolanaKey(setting: string): SolanaOwnKey {
  return localSolanaKey(setting);
}
