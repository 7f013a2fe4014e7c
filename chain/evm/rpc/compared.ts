import {
  createComparison,
  DIFFERS,
  LAGS,
  same,
  type Comparison,
  type ComparisonNews,
  type Verdict,
} from '../../comparison.ts';
import type { AuthorizationKey } from './authorization-reads.ts';
import type { Head } from './chain-reads.ts';
import type { EvmRpc } from './rpc.ts';
import type { BlockHeader, ChainLog, TransactionReceipt } from './rpc-shapes.ts';

/** Blocks; some seconds of any chain of this kind. */
const NEAR_BY = 8;

export type ComparedEvm = { rpc: EvmRpc; comparison: Comparison<EvmRpc> };

/**
 * The same questions; those that decide about money are put to a second node as well: blocks, logs, receipts,
 * balances, and whether an authorization is used. Answers that only refuse or delay are trusted from the first: fees,
 * nonces of lanes, simulations.
 */
export function compareEvm(first: EvmRpc, second: EvmRpc, tell: (news: ComparisonNews) => void): ComparedEvm {
  const heightOf = async (rpc: EvmRpc) => (await rpc.latest()).number;
  const timeMsOf = async (rpc: EvmRpc) => (await rpc.latest()).time * 1_000;
  const comparison = createComparison({ first, second, heightOf, timeMsOf, nearBy: NEAR_BY, tell });
  const nodes: Nodes = { first, second, comparison };
  return { rpc: { ...first, ...comparedBlocks(nodes), ...comparedLogs(nodes), ...comparedStates(nodes) }, comparison };
}

type Nodes = { first: EvmRpc; second: EvmRpc; comparison: Comparison<EvmRpc> };

function comparedBlocks(nodes: Nodes): Pick<EvmRpc, 'latest' | 'head' | 'blocks' | 'receipts'> {
  const { first, second, comparison } = nodes;
  const method = 'eth_getBlockByNumber';

  /** For what one has and the other has not: the other lags, unless it is past that block. */
  async function judgeReceipt(
    one: TransactionReceipt | null,
    two: TransactionReceipt | null,
  ): Promise<Verdict<TransactionReceipt | null>> {
    if (one !== null && two !== null) return isSame(placeOf(one), placeOf(two)) ? same(one) : DIFFERS;
    const known = one ?? two;
    if (known === null) return same(null);
    const other = one === null ? first : second;
    return (await other.latest()).number < known.block ? same(null) : DIFFERS;
  }

  return {
    latest: () =>
      comparison.one({
        method,
        at: 'latest',
        about: 'latest',
        ask: (rpc) => rpc.latest(),
        judge: (one, two) => judgeBlocks({ rpc: first, block: one }, { rpc: second, block: two }),
      }),

    /** As far as both know the chain. */
    head: () =>
      comparison.one<Head>({
        method,
        at: 'finalized',
        about: 'head',
        ask: (rpc) => rpc.head(),
        judge: (one, two) => judgeHeads({ rpc: first, block: one }, { rpc: second, block: two }),
      }),

    async blocks(from, to) {
      const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index);
      const found = await comparison.each<BlockHeader | null>({
        method,
        at: from,
        about: numbers.map((number) => `block ${number}`),
        ask: async (rpc) => {
          const headers = await rpc.blocks(from, to);
          return numbers.map((_, index) => headers[index] ?? null);
        },
        judge: (one, two) => {
          if (one === null || two === null) return same(null);
          return isSameBlock(one, two) ? same(one) : DIFFERS;
        },
      });
      const missing = found.indexOf(null);
      return found.slice(0, missing === -1 ? found.length : missing).filter((header) => header !== null);
    },

    receipts: (hashes) =>
      comparison.each<TransactionReceipt | null>({
        method: 'eth_getTransactionReceipt',
        at: 'its own block',
        about: hashes.map((hash) => `receipt ${hash}`),
        ask: (rpc) => rpc.receipts(hashes),
        judge: judgeReceipt,
      }),
  };
}

type BlockRange = { fromBlock: number; toBlock: number };
type LogReads = 'transfersTouching' | 'transfersInBlock' | 'authorizationLogs';

function comparedLogs(nodes: Nodes): Pick<EvmRpc, LogReads> {
  /** `range`: null where both know the block, because they were asked for it by its hash. */
  const logs = (about: string, ask: (rpc: EvmRpc) => Promise<ChainLog[]>, range: BlockRange | null) =>
    nodes.comparison.one<ChainLog[]>({
      method: 'eth_getLogs',
      at: range?.fromBlock ?? 'one block',
      about,
      ask,
      judge: async (one, two) => {
        if (isSame(one, two)) return same(one);
        return range === null || (await bothHave(nodes, range.toBlock)) ? DIFFERS : LAGS;
      },
    });

  return {
    transfersTouching: (addresses, fromBlock, toBlock) =>
      logs(`transfers from block ${fromBlock}`, (rpc) => rpc.transfersTouching(addresses, fromBlock, toBlock), {
        fromBlock,
        toBlock,
      }),
    transfersInBlock: (addresses, blockHash) =>
      logs(`transfers in ${blockHash}`, (rpc) => rpc.transfersInBlock(addresses, blockHash), null),
    authorizationLogs: (key, range) =>
      logs(`logs of ${nameOf(key)}`, (rpc) => rpc.authorizationLogs(key, range), range),
  };
}

function comparedStates(nodes: Nodes): Pick<EvmRpc, 'authorizationStates' | 'balanceOf'> {
  const { first, comparison } = nodes;
  return {
    authorizationStates: (keys, block) =>
      comparison.each<boolean>({
        method: 'eth_call',
        at: block,
        about: keys.map((key) => `state of ${nameOf(key)}`),
        ask: (rpc) => rpc.authorizationStates(keys, block),
        judge: async (one, two) => {
          if (one === two) return same(one);
          // A tag is another block on each node. An authorization that one of them has seen used is used.
          if (typeof block !== 'number') return same(true);
          return (await bothHave(nodes, block)) ? DIFFERS : LAGS;
        },
      }),

    balanceOf: (address, block) => {
      if (typeof block !== 'number') return first.balanceOf(address, block);
      return comparison.one<bigint>({
        method: 'eth_call',
        at: block,
        about: `balance of ${address}`,
        ask: (rpc) => rpc.balanceOf(address, block),
        judge: async (one, two) => {
          if (one === two) return same(one);
          return (await bothHave(nodes, block)) ? DIFFERS : LAGS;
        },
      });
    },
  };
}

type At<Block> = { rpc: EvmRpc; block: Block };

/** The lower one, if the node that is ahead has the same block there. */
async function judgeBlocks(one: At<BlockHeader>, two: At<BlockHeader>): Promise<Verdict<BlockHeader>> {
  const [low, further] = two.block.number < one.block.number ? [two, one] : [one, two];
  if (low.block.number === further.block.number)
    return isSameBlock(low.block, further.block) ? same(one.block) : DIFFERS;
  const [there] = await further.rpc.blocks(low.block.number, low.block.number);
  if (there === undefined) return LAGS;
  return isSameBlock(low.block, there) ? same(low.block) : DIFFERS;
}

async function judgeHeads(one: At<Head>, two: At<Head>): Promise<Verdict<Head>> {
  const levels = ['finalized', 'safe', 'latest'] as const;
  const verdicts = await Promise.all(
    levels.map((level) =>
      judgeBlocks({ rpc: one.rpc, block: one.block[level] }, { rpc: two.rpc, block: two.block[level] }),
    ),
  );
  const [finalized, safe, latest] = verdicts.map((verdict) => (verdict.kind === 'same' ? verdict.answer : null));
  if (finalized && safe && latest) return same({ finalized, safe, latest });
  return verdicts.some(({ kind }) => kind === 'differs') ? DIFFERS : LAGS;
}

async function bothHave({ first, second }: Nodes, block: number): Promise<boolean> {
  const found = await Promise.all([first.blocks(block, block), second.blocks(block, block)]);
  return found.every((headers) => headers.length === 1);
}

/** The parent is taken from the header, so it is compared, too. */
const isSameBlock = (one: BlockHeader, two: BlockHeader): boolean =>
  one.hash === two.hash && one.parentHash === two.parentHash;
const nameOf = ({ authorizer, nonce }: AuthorizationKey): string => `${authorizer}/${nonce}`;
/** What a receipt says about money; nodes differ in how they count a fee of another chain. */
const placeOf = ({ block, blockHash, succeeded, logs }: TransactionReceipt) => ({ block, blockHash, succeeded, logs });
const isSame = (one: unknown, two: unknown): boolean => JSON.stringify(one) === JSON.stringify(two);
