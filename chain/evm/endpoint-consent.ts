import { type Address, hashTypedData, type Hex } from 'viem';
import { recoverSigner, normaliseSignature } from './authorization.ts';
import { cancellationDomain } from './wallet-forms.ts';
import type { EvmProfile } from './rpc/profile.ts';
import type { EvmRpc } from './rpc/rpc.ts';

/** What a payer signs to be told at an address what becomes of their payments (EIP-712). */
export const ENDPOINT_TYPES = {
  RegisterEndpoint: [
    { name: 'url', type: 'string' },
    { name: 'validBefore', type: 'uint256' },
  ],
} as const;

export type EndpointConsent = { url: string; validBefore: number };

export function endpointDigest(profile: EvmProfile, { url, validBefore }: EndpointConsent): Hex {
  return hashTypedData({
    domain: cancellationDomain(profile),
    types: ENDPOINT_TYPES,
    primaryType: 'RegisterEndpoint',
    message: { url, validBefore: BigInt(validBefore) },
  });
}

/** Whether the payer signed it: the account's key, or else, where it has code, its contract (ERC-1271). */
export async function isEndpointOf(
  payer: Address,
  consent: EndpointConsent,
  signature: Hex,
  { profile, rpc }: { profile: EvmProfile; rpc: Pick<EvmRpc, 'code' | 'isValidSignature'> },
): Promise<boolean> {
  const digest = endpointDigest(profile, consent);
  const own = normaliseSignature(signature);
  // Nothing is asked of the chain for the usual payer.
  if (own !== null && recoverSigner(digest, own) === payer) return true;
  const [code] = await rpc.code([payer], 'latest');
  return code !== undefined && code !== '0x' && rpc.isValidSignature(payer, digest, signature);
}
