import { type Address, hashTypedData, type Hex } from 'viem';
import { normaliseSignature, recoverSigner } from './authorization.ts';
import type { EvmProfile } from './rpc/profile.ts';
import type { EvmRpc } from './rpc/rpc.ts';

/** What a payer signs to take back an uncollected tip (EIP-712). */
export const CANCELLATION_TYPES = {
  Cancel: [
    { name: 'txnId', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
  ],
} as const;

export type Cancellation = { txnId: number; validBefore: number };

/** The domain names us and the chain, so no token and no other service can mistake it for theirs. */
export function cancellationDomain({ chainId }: Pick<EvmProfile, 'chainId'>) {
  return { name: 'pennypost', version: '1', chainId } as const;
}

/** The same for a wallet in a browser (`eth_signTypedData_v4`), as JSON. */
export function cancellationForWallet(chainId: number, { txnId, validBefore }: Cancellation) {
  const domain = cancellationDomain({ chainId });
  const EIP712Domain = [
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
  ];
  const message = { txnId: String(txnId), validBefore: String(validBefore) };
  return { types: { EIP712Domain, ...CANCELLATION_TYPES }, domain, primaryType: 'Cancel', message } as const;
}

export function cancellationDigest(profile: EvmProfile, { txnId, validBefore }: Cancellation): Hex {
  return hashTypedData({
    domain: cancellationDomain(profile),
    types: CANCELLATION_TYPES,
    primaryType: 'Cancel',
    message: { txnId: BigInt(txnId), validBefore: BigInt(validBefore) },
  });
}

/** Whether the payer signed it: the key itself, or, where the payer has code, its contract (ERC-1271). */
export async function isCancelledBy(
  payer: Address,
  cancellation: Cancellation,
  signature: Hex,
  { profile, rpc }: { profile: EvmProfile; rpc: Pick<EvmRpc, 'code' | 'isValidSignature'> },
): Promise<boolean> {
  const digest = cancellationDigest(profile, cancellation);
  const [code] = await rpc.code([payer], 'latest');
  if (code !== '0x') return rpc.isValidSignature(payer, digest, signature);
  const own = normaliseSignature(signature);
  return own !== null && recoverSigner(digest, own) === payer;
}
