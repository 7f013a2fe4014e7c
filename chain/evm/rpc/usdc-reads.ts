import { type Address, decodeFunctionResult, encodeFunctionData, type Hex, numberToHex } from 'viem';
import { ChainUnavailable } from '../../errors.ts';
import { decodeAnswer } from './decode-answer.ts';
import { gasLimitFor } from './fees.ts';
import type { JsonRpc } from '../../json-rpc.ts';
import { type CallResult, decodeAggregate, encodeAggregate, encodeBatch } from './multicall.ts';
import type { EvmProfile } from './profile.ts';
import { type BlockTag, bytes, type ChainLog, logs, toBlockParameter } from './rpc-shapes.ts';
import { toTopic } from './usdc-logs.ts';
import { TRANSFER_TOPIC, USDC_ABI } from './usdc.ts';

export type BatchToSimulate = {
  calls: readonly Hex[];
  /** The lane that would send it. */
  from: Address;
  /** The transaction's gas limit; `gasLimitFor(calls.length)` when left out. */
  gasLimit?: bigint;
  block?: BlockTag;
};

/** What we ask about USDC and about batches of calls to it. Part of `createEvmRpc`. */
export function usdcReads(ask: JsonRpc, profile: EvmProfile) {
  const call = (to: Address, data: Hex, block: BlockTag) =>
    ask('eth_call', [{ to, data }, toBlockParameter(block, profile.rules.safeTag)], bytes);

  /** Two questions, since a filter cannot say "from or to". */
  async function transfers(addresses: readonly Address[], range: Record<string, Hex>): Promise<ChainLog[]> {
    const ours = addresses.map(toTopic);
    const filter = { ...range, address: profile.usdc };
    const [incoming, outgoing] = await Promise.all([
      ask('eth_getLogs', [{ ...filter, topics: [TRANSFER_TOPIC, null, ours] }], logs),
      ask('eth_getLogs', [{ ...filter, topics: [TRANSFER_TOPIC, ours] }], logs),
    ]);
    return uniqueLogs([...incoming, ...outgoing]);
  }

  return {
    /**
     * `Transfer` logs of USDC to or from these addresses, both blocks included. A lagging node silently leaves out what
     * it does not know, so ask only for blocks that every node has (`safe`).
     */
    transfersTouching: (addresses: readonly Address[], fromBlock: number, toBlock: number) =>
      transfers(addresses, { fromBlock: numberToHex(fromBlock), toBlock: numberToHex(toBlock) }),

    /** The same for one block by its hash: a node that does not know the block refuses. */
    transfersInBlock: (addresses: readonly Address[], blockHash: Hex) => transfers(addresses, { blockHash }),

    /** Which of these addresses USDC bars from receiving. */
    async areBlacklisted(addresses: readonly Address[]): Promise<boolean[]> {
      const calls = addresses.map((address) =>
        encodeFunctionData({ abi: USDC_ABI, functionName: 'isBlacklisted', args: [address] }),
      );
      const answer = await call(profile.multicall, encodeAggregate(profile.usdc, calls), 'latest');
      const bars = decodeAnswer(() =>
        decodeAggregate(answer).map(({ success, data }) => success && BigInt(data) === 1n),
      );
      if (bars.length !== addresses.length) throw new ChainUnavailable('eth_call', 'malformed');
      return bars;
    },

    /** In micro-USDC. */
    async balanceOf(address: Address, block: BlockTag = 'latest'): Promise<bigint> {
      const data = encodeFunctionData({ abi: USDC_ABI, functionName: 'balanceOf', args: [address] });
      const answer = await call(profile.usdc, data, block);
      return decodeAnswer(() => decodeFunctionResult({ abi: USDC_ABI, functionName: 'balanceOf', data: answer }));
    },

    /**
     * Simulates a batch with its gas limit and says for each call whether it works. Throws ChainUnavailable (`refused`)
     * also when the whole batch fails, as it does when it runs out of gas.
     */
    async simulateBatch({ calls, from, gasLimit, block = 'pending' }: BatchToSimulate): Promise<CallResult[]> {
      const transaction = {
        from,
        to: profile.multicall,
        data: encodeBatch(calls, profile),
        gas: numberToHex(gasLimit ?? gasLimitFor(calls.length)),
      };
      const answer = await ask('eth_call', [transaction, toBlockParameter(block, profile.rules.safeTag)], bytes);
      const results = decodeAnswer(() => decodeAggregate(answer));
      if (results.length !== calls.length) throw new ChainUnavailable('eth_call', 'malformed');
      return results;
    },
  };
}

/** Both questions find a transfer between two of our addresses. */
function uniqueLogs(found: readonly ChainLog[]): ChainLog[] {
  const byPlace = new Map(found.map((log) => [`${log.blockHash}/${log.logIndex}`, log]));
  return [...byPlace.values()].sort((a, b) => a.block - b.block || a.logIndex - b.logIndex);
}
