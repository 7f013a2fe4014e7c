import { derivingKeyOf, idsMarkOf } from '../../../service/networks/deriving-key.ts';
import { noteFormerHeads, tieStore } from '../../../service/networks/belongs.ts';
import type { EvmKeys, EvmParts } from '../../../service/networks/evm.ts';
import type { SolanaKeys } from '../../../service/networks/keys.ts';
import type { SolanaParts } from '../../../service/networks/solana.ts';
import { openMigrated } from './migrated.ts';

/** What a real start does before it serves: the keys may have replaced others. */
export async function tieTestBooks(
  path: string | undefined,
  parts: EvmParts | SolanaParts,
  keys: (EvmKeys | SolanaKeys) & { installationSecret?: string | undefined },
): Promise<void> {
  if (path === undefined) throw new Error('only books with a path can be tied to keys');
  const store = await openMigrated({ kind: 'sqlite', path });
  const { network } = parts.profile;
  try {
    const marks = new Map([[network, idsMarkOf(derivingKeyOf(keys, keys.installationSecret))]]);
    const { compromised = [] } = keys;
    await tieStore(store, new Map([[network, parts]]), { mode: 'local', marks, compromised });
    await noteFormerHeads(store, parts);
  } finally {
    await store.close();
  }
}
