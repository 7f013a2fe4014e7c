import { decodeFunctionData, type Hex, isAddressEqual, type TransactionSerializableEIP1559 } from 'viem';
import { MULTICALL_ABI } from '../evm/rpc/multicall.ts';
import type { EvmProfile } from '../evm/rpc/profile.ts';
import { SigningRefused } from './policy.ts';

/**
 * Throws unless the transaction can do nothing but hand authorizations to USDC: it is read from the bytes that would be
 * signed, so a mistake in what made them cannot pass.
 */
export function assertBatch(transaction: TransactionSerializableEIP1559, profile: EvmProfile): void {
  const { chainId, to, value, gas, maxFeePerGas, maxPriorityFeePerGas, data = '0x', accessList } = transaction;
  const { gasMax, feeMax } = profile.rules;
  if (chainId !== profile.chainId) throw refused(`chain ${chainId} is not ${profile.chainId}`);
  if (value !== undefined && value !== 0n) throw refused(`it would send ${value} wei away`);
  if (accessList !== undefined && accessList.length > 0) throw refused('it has an access list');
  if (gas === undefined || gas > gasMax) throw refused(`a transaction may use ${gasMax} gas, found a limit of ${gas}`);
  if (maxFeePerGas === undefined || maxFeePerGas > feeMax || (maxPriorityFeePerGas ?? 0n) > maxFeePerGas) {
    throw refused(`a unit of gas may cost ${feeMax} wei, found ${maxFeePerGas} with a tip of ${maxPriorityFeePerGas}`);
  }
  for (const call of callsOf(to, data, profile)) {
    if (!call.startsWith(TRANSFER_SELECTOR)) throw refused(`a call is no authorized transfer: ${call.slice(0, 10)}`);
  }
}

/** Of `transferWithAuthorization(…, bytes signature)`. */
const TRANSFER_SELECTOR = '0xcf092995';

function callsOf(to: TransactionSerializableEIP1559['to'], data: Hex, { usdc, multicall }: EvmProfile): readonly Hex[] {
  if (to && isAddressEqual(to, usdc)) return [data];
  if (!to || !isAddressEqual(to, multicall)) throw refused(`it goes to ${to ?? 'nobody'}`);
  const [calls] = decodeFunctionData({ abi: MULTICALL_ABI, data }).args ?? [];
  if (calls === undefined || calls.length === 0) throw refused('it calls nothing');
  const stranger = calls.find(({ target }) => !isAddressEqual(target, usdc));
  if (stranger !== undefined) throw refused(`it calls ${stranger.target}`);
  return calls.map(({ callData }) => callData);
}

const refused = (reason: string) => new SigningRefused('batch', reason);
