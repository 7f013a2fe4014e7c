/** The transactions that landed, newest last. */
import type { Address } from '@solana/kit';
import type { Landed } from './landed.ts';

/** Older ones are forgotten, as if the node's storage had been cleaned. */
const KEPT_TRANSACTIONS = 10_000;
/** Later than this, a message cannot land again: its blockhash is no longer good. */
const REMEMBERED_BLOCKS = 300;

export type History = ReturnType<typeof createHistory>;

export function createHistory(kept: Landed[] = []) {
  const bySignature = new Map<string, Landed>();
  const byAddress = new Map<Address, Landed[]>();
  const messageHeights = new Map<string, number>();
  let count = 0;
  for (const landed of kept) add(landed);

  function add(landed: Landed): void {
    count += 1;
    bySignature.set(landed.signature, landed);
    messageHeights.set(landed.messageHash, landed.height);
    for (const address of new Set(landed.accounts)) {
      const list = byAddress.get(address);
      if (list) list.push(landed);
      else byAddress.set(address, [landed]);
    }
    if (bySignature.size > KEPT_TRANSACTIONS) forgetOldest();
  }

  function forgetOldest(): void {
    const [oldest] = bySignature.values();
    if (!oldest) return;
    bySignature.delete(oldest.signature);
    for (const address of new Set(oldest.accounts)) {
      const list = byAddress.get(address);
      // Lists are in the order of landing as well, so the oldest of all is the first of each.
      list?.shift();
      if (list?.length === 0) byAddress.delete(address);
    }
  }

  return {
    add,
    get: (signature: string): Landed | undefined => bySignature.get(signature),
    /** Oldest first. */
    ofAddress: (address: Address): readonly Landed[] => byAddress.get(address) ?? [],
    all: (): Landed[] => [...bySignature.values()],
    /** How many have landed, those included that were kept over a restart. */
    count: () => count,
    /**
     * The height at which a transaction landed, or another of the same message. With the message alone it is known as
     * long as it could land again, with its signature (nonces live longer than blockhashes) as long as it is kept.
     */
    heightOf: ({ messageHash, signature }: Pick<Landed, 'messageHash' | 'signature'>): number | undefined =>
      messageHeights.get(messageHash) ?? bySignature.get(signature)?.height,
    forgetMessages(height: number): void {
      for (const [hash, landedAt] of messageHeights) {
        // In the order of landing: the first that is young enough ends the search.
        if (landedAt + REMEMBERED_BLOCKS >= height) return;
        messageHeights.delete(hash);
      }
    },
  };
}
