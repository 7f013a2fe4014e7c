import { type Address, decodeFunctionResult, encodeFunctionData, type Hex, parseAbi } from 'viem';
import type { EvmProfile } from './profile.ts';

/** Multicall3 (github.com/mds1/multicall3). It forwards all gas to each call and has no limit per call. */
export const MULTICALL_ABI = parseAbi([
  'struct Call3 { address target; bool allowFailure; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3(Call3[] calls) payable returns (Result[] returnData)',
]);

const BALANCE_ABI = parseAbi(['function getEthBalance(address addr) view returns (uint256 balance)']);

/** Asks Multicall3 itself for an address's native coin, in wei, so that it goes into one question with others. */
export function encodeNativeBalance(address: Address): Hex {
  return encodeFunctionData({ abi: BALANCE_ABI, functionName: 'getEthBalance', args: [address] });
}

export type CallResult = { success: boolean; data: Hex };

/** `aggregate3` in which each call may fail alone. */
export function encodeAggregate(target: Address, calls: readonly Hex[]): Hex {
  return encodeCalls(calls.map((callData) => ({ target, callData })));
}

/** The same for calls to several contracts. */
export function encodeCalls(calls: readonly { target: Address; callData: Hex }[]): Hex {
  const args = calls.map((call) => ({ ...call, allowFailure: true }));
  return encodeFunctionData({ abi: MULTICALL_ABI, functionName: 'aggregate3', args: [args] });
}

/** A batch of calls to USDC, in this order. */
export function encodeBatch(calls: readonly Hex[], profile: EvmProfile): Hex {
  return encodeAggregate(profile.usdc, calls);
}

/** One result per call, in their order. Throws when `data` is not what `aggregate3` returns. */
export function decodeAggregate(data: Hex): CallResult[] {
  const results = decodeFunctionResult({ abi: MULTICALL_ABI, functionName: 'aggregate3', data });
  return results.map(({ success, returnData }) => ({ success, data: returnData }));
}
