import { type Address, decodeFunctionResult, encodeFunctionData, type Hex, numberToHex, parseAbi } from 'viem';
import { ChainUnavailable } from '../../errors.ts';
import { decodeAnswer } from './decode-answer.ts';
import type { JsonRpc } from '../../json-rpc.ts';
import { type CallResult, decodeAggregate, encodeAggregate } from './multicall.ts';
import type { EvmProfile } from './profile.ts';
import { type BlockTag, bytes, logs, toBlockParameter } from './rpc-shapes.ts';
import { toTopic } from './usdc-logs.ts';
import { AUTHORIZATION_CANCELED_TOPIC, AUTHORIZATION_USED_TOPIC, USDC_ABI } from './usdc.ts';

export type AuthorizationKey = { authorizer: Address; nonce: Hex };
const ERC1271_ABI = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)']);
const ERC1271_MAGIC = '0x1626ba7e';

/** Authorizations per eth_call: about 4 million gas, far below what nodes allow. */
const AUTHORIZATIONS_PER_CALL = 400;

/** What we ask about signed authorizations and signatures. Part of `createEvmRpc`. */
export function authorizationReads(ask: JsonRpc, profile: EvmProfile) {
  const call = (to: Address, data: Hex, block: BlockTag) =>
    ask('eth_call', [{ to, data }, toBlockParameter(block, profile.rules.safeTag)], bytes);

  return {
    /** In the order of the keys. True also for a canceled authorization: only logs prove a transfer. */
    async authorizationStates(keys: readonly AuthorizationKey[], block: BlockTag): Promise<boolean[]> {
      const groups = chunk(keys, AUTHORIZATIONS_PER_CALL);
      const answers = await Promise.all(
        groups.map((group) => call(profile.multicall, encodeAggregate(profile.usdc, group.map(encodeState)), block)),
      );
      const states = decodeAnswer(() => answers.flatMap(decodeAggregate).map(decodeState));
      if (states.length !== keys.length) throw new ChainUnavailable('eth_call', 'malformed');
      return states;
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

    /** ERC-1271: whether a contract accepts the signature as its own. A contract that fails has not accepted it. */
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
  };
}

function encodeState({ authorizer, nonce }: AuthorizationKey): Hex {
  return encodeFunctionData({ abi: USDC_ABI, functionName: 'authorizationState', args: [authorizer, nonce] });
}

function decodeState({ success, data }: CallResult): boolean {
  if (!success) throw new ChainUnavailable('eth_call', 'malformed');
  return decodeFunctionResult({ abi: USDC_ABI, functionName: 'authorizationState', data });
}

function chunk<T>(items: readonly T[], size: number): T[][] {
  const groups = Math.ceil(items.length / size);
  return Array.from({ length: groups }, (_, index) => items.slice(index * size, (index + 1) * size));
}
