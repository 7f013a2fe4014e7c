import { z } from 'zod';
import { ChainUnavailable } from '../../errors.ts';
import type { JsonRpc } from '../../json-rpc.ts';
import { withoutOverlap } from './history-reads.ts';
import type { SolanaProfile } from '../messages/profile.ts';
import { count, encodedBytes, signature, transactionError } from '../messages/rpc-shapes.ts';
import { readWithdrawal } from '../transactions/withdrawal-transaction.ts';

/** Generations of a withdrawal from `generation` on, asked for at `sinceMs`. `fromAddress`: the personal wallet. */
export type Generations = { id: string; generation: number; fromAddress: string; sinceMs: number };

/** `transaction`: its signature. Final once no fork can take it back. */
export type Landing = { transaction: string; isFinal: boolean };

const METHOD = 'getSignaturesForAddress';
/** The limit of nodes per question. */
const SIGNATURES_PER_PAGE = 1_000;
/** Anyone may add to an address's list, for 5,000 lamports each. Filling this within the margin costs half a SOL. */
const PAGES_MAX = 100;
/** How far the clock of the chain may be behind ours. */
const MARGIN_MS = 10 * 60_000;
const TRANSACTION_VERSION_MAX = 1;

const entry = z.object({
  signature,
  err: transactionError,
  memo: z.string().nullish(),
  blockTime: z.int().nullish(),
  confirmationStatus: z.string().nullish(),
});
type Entry = z.infer<typeof entry>;
const page = z.array(entry).max(SIGNATURES_PER_PAGE);
const signed = z.object({ transaction: encodedBytes }).nullable();

/** What we ask about withdrawals of which our books know nothing. Part of `createSolanaRpc`. */
export function withdrawalHistory(ask: JsonRpc, profile: SolanaProfile) {
  function list(address: string, before: string | undefined, minContextSlot: number): Promise<Entry[]> {
    const config = { commitment: 'confirmed', limit: SIGNATURES_PER_PAGE, minContextSlot };
    return ask(METHOD, [address, { ...config, ...(before === undefined ? {} : { before }) }], page);
  }

  /** Anyone can write any memo, so the wallet's own signature must be under it. */
  async function isSuch(found: Entry, { id, generation, fromAddress }: Generations): Promise<boolean> {
    const config = {
      commitment: 'confirmed',
      encoding: 'base64',
      maxSupportedTransactionVersion: TRANSACTION_VERSION_MAX,
    };
    const answer = await ask('getTransaction', [found.signature, config], signed);
    if (answer === null) throw new ChainUnavailable('getTransaction', 'inconsistent');
    const withdrawal = readWithdrawal(Buffer.from(answer.transaction).toString('base64'), profile);
    return withdrawal?.id === id && withdrawal.from === fromAddress && withdrawal.generation >= generation;
  }

  return {
    /**
     * Whether one of these has landed, found by its memo among the wallet's transactions since. Transactions of the
     * newest slots may be missing: a node writes this list shortly after the block.
     */
    async findLanding(wanted: Generations): Promise<Landing | null> {
      const minContextSlot = await ask('getSlot', [{ commitment: 'finalized' }], count);
      let newer: Entry[] = [];
      for (let pages = 0; pages < PAGES_MAX; pages += 1) {
        const entries = await list(wanted.fromAddress, newer.at(-2)?.signature, minContextSlot);
        const further = newer.length === 0 ? entries : withoutOverlap(METHOD, entries, newer);
        const named = further.filter(({ err, memo }) => err === null && (memo ?? '').includes(`${wanted.id}/`));
        for (const found of named) {
          const isFinal = found.confirmationStatus === 'finalized';
          if (await isSuch(found, wanted)) return { transaction: found.signature, isFinal };
        }
        if (entries.length < SIGNATURES_PER_PAGE || isBefore(entries.at(-1), wanted.sinceMs)) return null;
        newer = entries;
      }
      throw new ChainUnavailable(METHOD, 'too-large');
    },
  };
}

function isBefore(oldest: Entry | undefined, sinceMs: number): boolean {
  const { blockTime } = oldest ?? {};
  return blockTime !== null && blockTime !== undefined && blockTime * 1_000 < sinceMs - MARGIN_MS;
}
