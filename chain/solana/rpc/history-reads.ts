import { z } from 'zod';
import { ChainUnavailable } from '../../errors.ts';
import type { JsonRpc } from '../../json-rpc.ts';
import { count, signature, transactionError } from '../messages/rpc-shapes.ts';

export type FoundSignature = { signature: string; slot: number; failed: boolean };

/** Where to go on, and how much to answer at most. */
export type Since = { until: string | null; minContextSlot: number; max: number };

const METHOD = 'getSignaturesForAddress';
/** What nodes allow in one question. */
const SIGNATURES_PER_PAGE = 1_000;
/** Two million transactions since we last looked. An address with more than that needs a person. */
const PAGES_MAX = 2_000;

const page = z
  .array(z.object({ signature, slot: count, err: transactionError }))
  .max(SIGNATURES_PER_PAGE)
  .transform((entries) => entries.map(({ err, ...entry }) => ({ ...entry, failed: err !== null })));

/** What we ask about the history of an account. Part of `createSolanaRpc`. */
export function historyReads(ask: JsonRpc) {
  /** One page, the newest first. */
  function listSignatures(account: string, before: string | undefined, { until, minContextSlot }: Since) {
    const config = { commitment: 'confirmed', limit: SIGNATURES_PER_PAGE, minContextSlot };
    const range = { ...(before === undefined ? {} : { before }), ...(until === null ? {} : { until }) };
    return ask(METHOD, [account, { ...config, ...range }], page);
  }

  return {
    /**
     * Everything that touched the account after `until` (exclusive; null: since its beginning), the oldest first. Where
     * there is more than `max`, the oldest `max` of it, and `more`: going on from the last one leaves no gap.
     *
     * Nodes write this list a moment after the block it is about, so one that landed in the newest slots may still be
     * missing, and appear before others that were answered. Let `until` lie below the finalized slot.
     */
    async signaturesFor(account: string, since: Since): Promise<{ found: FoundSignature[]; more: boolean }> {
      // Two are needed to go on from page to page.
      const kept = Math.max(since.max, 2);
      let oldest: FoundSignature[] = [];
      let more = false;
      let before: string | undefined;
      for (let pages = 0; pages < PAGES_MAX; pages += 1) {
        const entries = await listSignatures(account, before, since);
        const all = before === undefined ? entries : [...oldest, ...withoutOverlap(METHOD, entries, oldest)];
        more ||= all.length > since.max;
        // What is newer is found again later; it must not fill the memory now.
        oldest = all.slice(-kept);
        if (entries.length < SIGNATURES_PER_PAGE) return { found: oldest.toReversed().slice(0, since.max), more };
        before = oldest.at(-2)?.signature;
      }
      throw new ChainUnavailable(METHOD, 'too-large');
    },

    /** The newest one in the finalized view; null where nothing has touched the account. */
    async newestSignature(account: string): Promise<FoundSignature | null> {
      const entries = await ask(METHOD, [account, { commitment: 'finalized', limit: 1 }], page);
      return entries[0] ?? null;
    },
  };
}

/**
 * The pages after the first begin with the last entry of the one before. A node that does not know where to begin
 * answers nothing at all, which would look like the end of the list, and what is older would be lost for good.
 */
export function withoutOverlap<Entry extends { signature: string }>(
  method: string,
  entries: readonly Entry[],
  newer: readonly Entry[],
): Entry[] {
  const [first, ...rest] = entries;
  if (first?.signature !== newer.at(-1)?.signature) throw new ChainUnavailable(method, 'inconsistent');
  return rest;
}
