import {
  createComparison,
  DIFFERS,
  same,
  type Comparison,
  type ComparisonNews,
  type Verdict,
} from '../../comparison.ts';
import type { LandedTransaction } from '../messages/landed.ts';
import type { Commitment } from '../messages/rpc-shapes.ts';
import type { FoundSignature, SignatureStatus, SolanaRpc } from './rpc.ts';

/** Slots; some seconds. */
const NEAR_BY = 32;
/** Nodes list a transaction shortly after its block: this far below the requested slot, both list the same. */
const LISTED_AFTER_SLOTS = 32;

export type ComparedSolana = { rpc: SolanaRpc; comparison: Comparison<SolanaRpc> };

/**
 * The same questions; those that decide about money are put to a second node as well: what touched our
 * accounts, what became of a transaction, and when one can never land any more. Balances, accounts and simulations are
 * trusted from the first: they refuse or delay, and a balance that the books do not explain stops signing by itself.
 */
export function compareSolana(
  first: SolanaRpc,
  second: SolanaRpc,
  tell: (news: ComparisonNews) => void,
): ComparedSolana {
  const heightOf = (rpc: SolanaRpc) => rpc.slot('confirmed');
  const timeMsOf = async (rpc: SolanaRpc) => (await rpc.blockTime(await rpc.slot('confirmed'))) * 1_000;
  const comparison = createComparison({ first, second, heightOf, timeMsOf, nearBy: NEAR_BY, tell });
  const nodes: Nodes = { first, second, comparison };
  const compared = { ...comparedEnds(nodes), ...comparedTransactions(nodes), ...comparedHistory(nodes) };
  return { rpc: { ...first, ...compared }, comparison };
}

type Nodes = { first: SolanaRpc; second: SolanaRpc; comparison: Comparison<SolanaRpc> };

/**
 * When a transaction is over: the lower view of all that is final, the later end of what may still land, and the shorter memory
 * of what has landed.
 */
function comparedEnds({
  first,
  comparison,
}: Nodes): Pick<SolanaRpc, 'finalized' | 'height' | 'latestBlockhash' | 'ledgerStart'> {
  return {
    finalized: () =>
      comparison.one({
        method: 'getEpochInfo',
        at: 'finalized',
        about: 'finalized',
        ask: (rpc) => rpc.finalized(),
        judge: (one, two) => same({ slot: Math.min(one.slot, two.slot), height: Math.min(one.height, two.height) }),
      }),
    // The second is not asked for a slot that it may not have seen yet.
    height: (commitment, minContextSlot) =>
      comparison.one({
        method: 'getBlockHeight',
        at: commitment,
        about: 'height',
        ask: (rpc) => (rpc === first ? rpc.height(commitment, minContextSlot) : rpc.height(commitment)),
        judge: (one, two) => same(commitment === 'finalized' ? Math.min(one, two) : Math.max(one, two)),
      }),
    latestBlockhash: () =>
      comparison.one({
        method: 'getLatestBlockhash',
        at: 'latest',
        about: 'blockhash',
        ask: (rpc) => rpc.latestBlockhash(),
        judge: (one, two) => same({ ...one, lastValidHeight: Math.max(one.lastValidHeight, two.lastValidHeight) }),
      }),
    ledgerStart: () =>
      comparison.one({
        method: 'getFirstAvailableBlock',
        at: 'latest',
        about: 'ledger',
        ask: (rpc) => rpc.ledgerStart(),
        judge: (one, two) => same({ slot: Math.max(one.slot, two.slot), height: Math.max(one.height, two.height) }),
      }),
  };
}

/** A status, and how far the node that reports it had looked. */
type Seen = { contextSlot: number; status: SignatureStatus | null };

const RANKS = { processed: 0, confirmed: 1, finalized: 2 } as const satisfies Record<Commitment, number>;

function comparedTransactions({ first, second, comparison }: Nodes): Pick<SolanaRpc, 'statuses' | 'transaction'> {
  return {
    async statuses(signatures) {
      if (signatures.length === 0) return first.statuses(signatures);
      const seen = await comparison.each<Seen>({
        method: 'getSignatureStatuses',
        at: 'its own slot',
        about: signatures.map((signature) => `status of ${signature}`),
        ask: async (rpc) => {
          const { contextSlot, statuses } = await rpc.statuses(signatures);
          return statuses.map((status) => ({ contextSlot, status }));
        },
        judge: judgeStatus,
      });
      return {
        contextSlot: Math.min(...seen.map(({ contextSlot }) => contextSlot)),
        statuses: seen.map(({ status }) => status),
      };
    },

    transaction: (wanted) =>
      comparison.one<LandedTransaction | null>({
        method: 'getTransaction',
        at: 'its own slot',
        about: `transaction ${wanted}`,
        ask: (rpc) => rpc.transaction(wanted),
        judge: async (one, two) => {
          if (one !== null && two !== null) return textOf(one) === textOf(two) ? same(one) : DIFFERS;
          const known = one ?? two;
          if (known === null) return same(null);
          const other = one === null ? first : second;
          return (await other.slot('confirmed')) < known.slot ? same(null) : DIFFERS;
        },
      }),
  };
}

/** Of two views the one that knows less, unless a node denies what it must have seen. */
function judgeStatus(one: Seen, two: Seen): Verdict<Seen> {
  const contextSlot = Math.min(one.contextSlot, two.contextSlot);
  const [mine, theirs] = [one.status, two.status];
  if (mine !== null && theirs !== null) {
    const less = RANKS[theirs.commitment] < RANKS[mine.commitment] ? theirs : mine;
    const isSame = mine.slot === theirs.slot && mine.failed === theirs.failed;
    // A transaction that is only processed may be on a fork, and elsewhere on another node.
    return isSame || less.commitment === 'processed' ? same({ contextSlot, status: less }) : DIFFERS;
  }
  const known = mine ?? theirs;
  if (known === null) return same({ contextSlot, status: null });
  const other = mine === null ? one : two;
  if (other.contextSlot < known.slot) return same({ contextSlot, status: null });
  return known.commitment === 'processed' ? same({ contextSlot, status: known }) : DIFFERS;
}

type Listed = { found: FoundSignature[]; more: boolean };

function comparedHistory({ first, comparison }: Nodes): Pick<SolanaRpc, 'signaturesFor' | 'newestSignatures'> {
  const method = 'getSignaturesForAddress';
  return {
    signaturesFor: async (account, since) => {
      // The second node is not asked for what it may not have seen yet.
      const listedTo = Math.max(0, since.minContextSlot - LISTED_AFTER_SLOTS);
      return comparison.one<Listed>({
        method,
        at: 'since the last one',
        about: `history of ${account}`,
        ask: (rpc) => rpc.signaturesFor(account, rpc === first ? since : { ...since, minContextSlot: listedTo }),
        judge: (one, two) => judgeHistory(one, two, listedTo),
      });
    },

    /** What either of them lists. */
    newestSignatures: async (account, max) => {
      const listed = await comparison.one<FoundSignature[]>({
        method,
        at: 'latest',
        about: `newest of ${account}`,
        ask: (rpc) => rpc.newestSignatures(account, max),
        judge: (one, two) => same(union(one, two).toReversed()),
      });
      return listed.slice(0, max);
    },
  };
}

/** Old entries must be the same; of newer ones, what either lists is read one by one, and compared then. */
function judgeHistory(one: Listed, two: Listed, listedSlot: number): Verdict<Listed> {
  const more = one.more || two.more;
  // Where there is more, a list ends somewhere in a slot.
  const ends = more ? [one, two].map(({ found }) => (found.at(-1)?.slot ?? Infinity) - 1) : [];
  const bound = Math.min(listedSlot, ...ends);
  const [mine, theirs] = [one, two].map(({ found }) =>
    found.filter(({ slot }) => slot <= bound).toSorted((a, b) => a.slot - b.slot || compareText(a, b)),
  );
  if (textOf(mine) !== textOf(theirs)) return DIFFERS;
  return same(more ? one : { found: union(one.found, two.found), more });
}

/** Nodes do not all list the transactions of one slot in the same order. */
const compareText = (a: FoundSignature, b: FoundSignature): number => (a.signature < b.signature ? -1 : 1);

/** The oldest first, each once. */
function union(one: readonly FoundSignature[], two: readonly FoundSignature[]): FoundSignature[] {
  const known = new Set(one.map(({ signature }) => signature));
  return [...one, ...two.filter(({ signature }) => !known.has(signature))].toSorted((a, b) => a.slot - b.slot);
}

const textOf = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part));
