import { z } from 'zod';
import { ChainUnavailable } from '../../errors.ts';
import type { JsonRpc } from '../../json-rpc.ts';
import { count, signature, transactionError } from '../messages/rpc-shapes.ts';

export type FoundSignature = { signature: string; slot: number; failed: boolean };

/** Where to go on, and how much to answer at most. */
export type Since = { until: string | null; minContextSlot: number; max: number };

const METHOD = 'getSignaturesForAddress';
/** The limit of nodes per question. */
const SIGNATURES_PER_PAGE = 1_000;
/** Two million transactions since the last read. An address with more needs an operator. */
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
     * Everything that touched the account after `until` (exclusive; null: since its beginning), oldest first. Where
     * there is more than `max`, the oldest `max`, and `more`: going on from the last one leaves no gap. Nodes write
     * this list shortly after the block, so a transaction of the newest slots may be missing and later appear before
     * others. `until` must be below the finalized slot.
     */
    async signaturesFor(account: string, since: Since): Promise<{ found: FoundSignature[]; more: boolean }> {
      // Going on from page to page needs two.
      const kept = Math.max(since.max, 2);
      let oldest: FoundSignature[] = [];
      let more = false;
      let before: string | undefined;
      for (let pages = 0; pages < PAGES_MAX; pages += 1) {
        const entries = await listSignatures(account, before, since);
        const all = before === undefined ? entries : [...oldest, ...withoutOverlap(METHOD, entries, oldest)];
        more ||= all.length > since.max;
        // Newer ones are found again later and must not fill the memory now.
        oldest = all.slice(-kept);
        if (entries.length < SIGNATURES_PER_PAGE) return { found: oldest.toReversed().slice(0, since.max), more };
        before = oldest.at(-2)?.signature;
      }
      throw new ChainUnavailable(METHOD, 'too-large');
    },

    /** The newest ones, newest first, and no more than one question. */
    async newestSignatures(account: string, max: number): Promise<FoundSignature[]> {
      return ask(METHOD, [account, { commitment: 'confirmed', limit: max }], page);
    },

    /** The newest one in the finalized view; null where nothing touched the account. */
    async newestSignature(account: string): Promise<FoundSignature | null> {
      const entries = await ask(METHOD, [account, { commitment: 'finalized', limit: 1 }], page);
      return entries[0] ?? null;
    },
  };
}

/**
 * Each page after the first begins with the last entry of the one before. A node that does not know that entry answers
 * nothing, which would look like the end of the list and lose everything older.
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
