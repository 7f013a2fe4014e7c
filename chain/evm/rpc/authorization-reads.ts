import {
  type Address,
  concatHex,
  decodeFunctionResult,
  encodeFunctionData,
  prepareEncodeFunctionData,
  type Hex,
  numberToHex,
  parseAbi,
} from 'viem';
import { ChainUnavailable } from '../../errors.ts';
import { decodeAnswer } from './decode-answer.ts';
import type { JsonRpc } from '../../json-rpc.ts';
import { type CallResult, decodeAggregate, encodeAggregate } from './multicall.ts';
import { payerProgram } from './payer-program.ts';
import type { EvmProfile } from './profile.ts';
import { type BlockTag, bytes, logs, toBlockParameter } from './rpc-shapes.ts';
import { toTopic } from './usdc-logs.ts';
import { AUTHORIZATION_CANCELED_TOPIC, AUTHORIZATION_USED_TOPIC, USDC_ABI } from './usdc.ts';

export type AuthorizationKey = { authorizer: Address; nonce: Hex };
/** What decides how a payer's authorization is carried. `used` is true for a canceled one too. */
export type PayerState = { used: boolean; hasCode: boolean; balanceMicroUsdc: bigint };
const ERC1271_ABI = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)']);
const ERC1271_MAGIC = '0x1626ba7e';

/** Authorizations per eth_call: 4 to 8 million gas and 21 kB of code, far below what nodes allow. */
const AUTHORIZATIONS_PER_CALL = 400;

/** What we ask about signed authorizations and signatures. Part of `createEvmRpc`. */
export function authorizationReads(ask: JsonRpc, profile: EvmProfile) {
  const call = (to: Address, data: Hex, block: BlockTag) =>
    ask('eth_call', [{ to, data }, toBlockParameter(block, profile.rules.safeTag)], bytes);
  const program = payerProgram(profile.usdc);

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

    /**
     * In the order of the keys, all of a call from one moment. One question for many keys: where a node answers for
     * `pending` it executes its pool first, each time it is asked.
     */
    async payerStates(keys: readonly AuthorizationKey[], block: BlockTag): Promise<PayerState[]> {
      const tag = toBlockParameter(block, profile.rules.safeTag);
      const answers = await Promise.all(
        chunk(keys, AUTHORIZATIONS_PER_CALL).map((group) =>
          ask('eth_call', [{ data: concatHex([program, ...group.map(toItem)]) }, tag], bytes),
        ),
      );
      const states = answers.flatMap((answer) => words(answer).map(toPayerState));
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

const STATE = prepareEncodeFunctionData({ abi: USDC_ABI, functionName: 'authorizationState' });

function encodeState({ authorizer, nonce }: AuthorizationKey): Hex {
  return encodeFunctionData({ ...STATE, args: [authorizer, nonce] });
}

const toItem = ({ authorizer, nonce }: AuthorizationKey): Hex => concatHex([authorizer, nonce]);

function words(answer: Hex): bigint[] {
  return (answer.slice(2).match(/.{64}/g) ?? []).map((word) => BigInt(`0x${word}`));
}

const toPayerState = (word: bigint): PayerState => ({
  used: word >> 255n === 1n,
  hasCode: ((word >> 254n) & 1n) === 1n,
  balanceMicroUsdc: word & ((1n << 254n) - 1n),
});

function decodeState({ success, data }: CallResult): boolean {
  if (!success) throw new ChainUnavailable('eth_call', 'malformed');
  return decodeFunctionResult({ abi: USDC_ABI, functionName: 'authorizationState', data });
}

function chunk<T>(items: readonly T[], size: number): T[][] {
  const groups = Math.ceil(items.length / size);
  return Array.from({ length: groups }, (_, index) => items.slice(index * size, (index + 1) * size));
}
