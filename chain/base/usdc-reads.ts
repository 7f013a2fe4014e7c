import { type Address, decodeFunctionResult, encodeFunctionData, type Hex, numberToHex, parseAbi } from 'viem';
import { ChainUnavailable } from '../errors.ts';
import { gasLimitFor } from './fees.ts';
import type { JsonRpc } from './json-rpc.ts';
import { type CallResult, decodeAggregate, encodeAggregate, encodeBatch } from './multicall.ts';
import type { BaseProfile } from './profile.ts';
import { type BlockTag, bytes, type ChainLog, logs, toBlockParameter } from './rpc-shapes.ts';
import { toTopic } from './usdc-logs.ts';
import { AUTHORIZATION_CANCELED_TOPIC, AUTHORIZATION_USED_TOPIC, TRANSFER_TOPIC, USDC_ABI } from './usdc.ts';

export type AuthorizationKey = { authorizer: Address; nonce: Hex };
export type BatchToSimulate = {
  calls: readonly Hex[];
  /** The lane that would send it. */
  from: Address;
  /** What the transaction would have; `gasLimitFor(calls.length)` when left out. */
  gasLimit?: bigint;
  block?: BlockTag;
};

const ERC1271_ABI = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)']);
const ERC1271_MAGIC = '0x1626ba7e';

/** Authorizations asked in one eth_call: about 4 million gas, far below what nodes allow. */
const AUTHORIZATIONS_PER_CALL = 400;

/** What we ask about USDC and about batches of calls to it. Part of `createBaseRpc`. */
export function usdcReads(ask: JsonRpc, profile: BaseProfile) {
  const call = (to: Address, data: Hex, block: BlockTag) =>
    ask('eth_call', [{ to, data }, toBlockParameter(block)], bytes);

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
     * `Transfer` logs of USDC to or from these addresses, both blocks included. A node that lags behind leaves out
     * what it does not know without saying so: use it for blocks that every node has (`safe`).
     */
    transfersTouching: (addresses: readonly Address[], fromBlock: number, toBlock: number) =>
      transfers(addresses, { fromBlock: numberToHex(fromBlock), toBlock: numberToHex(toBlock) }),

    /** The same for one block by its hash: a node that does not know this very block refuses. */
    transfersInBlock: (addresses: readonly Address[], blockHash: Hex) => transfers(addresses, { blockHash }),

    /** ERC-1271: whether a contract calls the signature its own. A contract that fails has not said so. */
    async isValidSignature(contract: Address, digest: Hex, signature: Hex): Promise<boolean> {
      const data = encodeFunctionData({
        abi: ERC1271_ABI,
        functionName: 'isValidSignature',
        args: [digest, signature],
      });
      try {
        return (await call(contract, data, 'latest')).startsWith(ERC1271_MAGIC);
      } catch (error) {
        if (error instanceof ChainUnavailable && error.fault === 'refused') return false;
        throw error;
      }
    },

    /** Which of these USDC bars from receiving. */
    async areBlacklisted(addresses: readonly Address[]): Promise<boolean[]> {
      const calls = addresses.map((address) =>
        encodeFunctionData({ abi: USDC_ABI, functionName: 'isBlacklisted', args: [address] }),
      );
      const answer = await call(profile.multicall, encodeAggregate(profile.usdc, calls), 'latest');
      return decode(() => decodeAggregate(answer).map(({ success, data }) => success && BigInt(data) === 1n));
    },

    /** Use and cancellation of one authorization, both blocks included. */
    authorizationLogs: (
      { authorizer, nonce }: AuthorizationKey,
      { fromBlock, toBlock }: { fromBlock: number; toBlock: number },
    ) => {
      const range = { fromBlock: numberToHex(fromBlock), toBlock: numberToHex(toBlock) };
      const topics = [[AUTHORIZATION_USED_TOPIC, AUTHORIZATION_CANCELED_TOPIC], toTopic(authorizer), nonce];
      return ask('eth_getLogs', [{ ...range, address: profile.usdc, topics }], logs);
    },

    /** In micro-USDC. */
    async balanceOf(address: Address, block: BlockTag = 'latest'): Promise<bigint> {
      const data = encodeFunctionData({ abi: USDC_ABI, functionName: 'balanceOf', args: [address] });
      const answer = await call(profile.usdc, data, block);
      return decode(() => decodeFunctionResult({ abi: USDC_ABI, functionName: 'balanceOf', data: answer }));
    },

    /** In the order of the keys. True also for a canceled authorization: only logs prove a transfer. */
    async authorizationStates(keys: readonly AuthorizationKey[], block: BlockTag): Promise<boolean[]> {
      const groups = chunk(keys, AUTHORIZATIONS_PER_CALL);
      const answers = await Promise.all(
        groups.map((group) => call(profile.multicall, encodeAggregate(profile.usdc, group.map(encodeState)), block)),
      );
      const states = decode(() => answers.flatMap(decodeAggregate).map(decodeState));
      if (states.length !== keys.length) throw new ChainUnavailable('eth_call', 'malformed');
      return states;
    },

    /**
     * Runs a batch without sending it, with the gas it would have, and says for each call whether it works. Throws
     * ChainUnavailable (`refused`) also when the batch as a whole fails, as one that runs out of gas does.
     */
    async simulateBatch({ calls, from, gasLimit, block = 'pending' }: BatchToSimulate): Promise<CallResult[]> {
      const transaction = {
        from,
        to: profile.multicall,
        data: encodeBatch(calls, profile),
        gas: numberToHex(gasLimit ?? gasLimitFor(calls.length)),
      };
      const answer = await ask('eth_call', [transaction, toBlockParameter(block)], bytes);
      const results = decode(() => decodeAggregate(answer));
      if (results.length !== calls.length) throw new ChainUnavailable('eth_call', 'malformed');
      return results;
    },
  };
}

function encodeState({ authorizer, nonce }: AuthorizationKey): Hex {
  return encodeFunctionData({ abi: USDC_ABI, functionName: 'authorizationState', args: [authorizer, nonce] });
}

function decodeState({ success, data }: CallResult): boolean {
  if (!success) throw new ChainUnavailable('eth_call', 'malformed');
  return decodeFunctionResult({ abi: USDC_ABI, functionName: 'authorizationState', data });
}

/** A contract's answer that does not decode is no answer: the node lacks the contract, or its state. */
function decode<T>(read: () => T): T {
  try {
    return read();
  } catch {
    throw new ChainUnavailable('eth_call', 'malformed');
  }
}

/** A transfer between two of our addresses is found by both questions. */
function uniqueLogs(found: readonly ChainLog[]): ChainLog[] {
  const byPlace = new Map(found.map((log) => [`${log.blockHash}/${log.logIndex}`, log]));
  return [...byPlace.values()].sort((a, b) => a.block - b.block || a.logIndex - b.logIndex);
}

function chunk<T>(items: readonly T[], size: number): T[][] {
  const groups = Math.ceil(items.length / size);
  return Array.from({ length: groups }, (_, index) => items.slice(index * size, (index + 1) * size));
}
