/** Stock x402 with its facilitator in the same process, unmodified. */
import { x402Facilitator } from '@x402/core/facilitator';
import { toFacilitatorEvmSigner } from '@x402/evm';
import { ExactEvmScheme } from '@x402/evm/exact/facilitator';
import { createWalletClient, http, nonceManager, publicActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { base } from 'viem/chains';

export const NETWORK = 'eip155:8453';

export function createFacilitator(rpcUrl: string, key: `0x${string}`): x402Facilitator {
  const account = privateKeyToAccount(key, { nonceManager });
  const client = createWalletClient({
    account,
    chain: base,
    transport: http(rpcUrl),
    pollingInterval: 100,
  }).extend(publicActions);
  const signer = toFacilitatorEvmSigner({ ...client, address: account.address } as never);
  return new x402Facilitator().register(NETWORK, new ExactEvmScheme(signer));
}
