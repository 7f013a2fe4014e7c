import { randomBytes } from 'node:crypto';
import { type Address, bytesToHex, type Hex } from 'viem';
import type { Authorization } from '../../../chain/evm/authorization.ts';
import type { EvmProfile } from '../../../chain/evm/rpc/profile.ts';

export const randomAddress = (): Address => bytesToHex(randomBytes(20));
export const randomHash = (): Hex => bytesToHex(randomBytes(32));

/** A complete authorization in which only what matters to a test must be said. */
export function someAuthorization(change: Partial<Authorization> = {}): Authorization {
  return {
    from: randomAddress(),
    to: randomAddress(),
    value: 1_000_000n,
    validAfter: 0,
    validBefore: 4_000_000_000,
    nonce: randomHash(),
    ...change,
  };
}

/** The same as viem writes it: the reference for our own digest. */
export function typedData(profile: EvmProfile, authorization: Authorization) {
  const { validAfter, validBefore, ...rest } = authorization;
  return {
    domain: {
      name: profile.eip712Name,
      version: profile.eip712Version,
      chainId: profile.chainId,
      verifyingContract: profile.usdc,
    },
    types: {
      TransferWithAuthorization: [
        { name: 'from', type: 'address' },
        { name: 'to', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'validAfter', type: 'uint256' },
        { name: 'validBefore', type: 'uint256' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    primaryType: 'TransferWithAuthorization',
    message: { ...rest, validAfter: BigInt(validAfter), validBefore: BigInt(validBefore) },
  } as const;
}
