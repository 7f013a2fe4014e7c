import { type Address, encodeFunctionData } from 'viem';
import { ChainUnavailable } from '../../errors.ts';
import type { JsonRpc } from '../../json-rpc.ts';
import { decodeAnswer } from './decode-answer.ts';
import { decodeAggregate, encodeCalls, encodeNativeBalance } from './multicall.ts';
import type { EvmProfile } from './profile.ts';
import { bytes } from './rpc-shapes.ts';
import { USDC_ABI } from './usdc.ts';

export type SettlingState = { isPaused: boolean; isBarred: boolean; balancesWei: readonly bigint[] };

/** What decides whether payments can be settled at all. Part of `createEvmRpc`. */
export function settlingReads(ask: JsonRpc, profile: EvmProfile) {
  return {
    /**
     * Whether the issuer lets nothing move for now, whether it bars this address, and what the others have of the native
     * coin: one question, because it is asked all day.
     */
    async settlingState(holder: Address, payers: readonly Address[]): Promise<SettlingState> {
      const ofToken = [
        encodeFunctionData({ abi: USDC_ABI, functionName: 'paused' }),
        encodeFunctionData({ abi: USDC_ABI, functionName: 'isBlacklisted', args: [holder] }),
      ];
      const data = encodeCalls([
        ...ofToken.map((callData) => ({ target: profile.usdc, callData })),
        ...payers.map((payer) => ({ target: profile.multicall, callData: encodeNativeBalance(payer) })),
      ]);
      const answer = await ask('eth_call', [{ to: profile.multicall, data }, 'latest'], bytes);
      const [paused, barred, ...balances] = decodeAnswer(() =>
        decodeAggregate(answer).map((result) => (result.success ? BigInt(result.data) : null)),
      );
      const isWhole = balances.length === payers.length && balances.every((wei) => wei !== null);
      if (typeof paused !== 'bigint' || typeof barred !== 'bigint' || !isWhole)
        throw new ChainUnavailable('eth_call', 'malformed');
      return { isPaused: paused === 1n, isBarred: barred === 1n, balancesWei: balances.map((wei) => wei ?? 0n) };
    },
  };
}
