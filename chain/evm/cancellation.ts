import { type Address, hashTypedData, type Hex } from 'viem';
import { normaliseSignature, recoverSigner } from './authorization.ts';
import type { EvmProfile } from './rpc/profile.ts';
import type { EvmRpc } from './rpc/rpc.ts';
import { CANCELLATION_TYPES, cancellationDomain, type Cancellation } from './wallet-forms.ts';

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
