import { encodeTransfer, type Authorization } from '../../chain/evm/authorization.ts';

type Hex = `0x${string}`;

/** A transfer of ours with its stored authorization: a payout or a sweep. */
type Signed = {
  id: string;
  fromAddress: string;
  toAddress: string;
  amountMicroUsdc: bigint;
  nonce: string | null;
  validBefore: number | null;
  signature: string | null;
};

export function toCall({ id, fromAddress, toAddress, amountMicroUsdc, ...signed }: Signed): Hex {
  const { nonce, validBefore, signature } = signed;
  if (nonce === null || validBefore === null || signature === null) {
    throw new Error(`${id} is assigned but has no stored authorization`);
  }
  const authorization: Authorization = {
    from: fromAddress as Hex,
    to: toAddress as Hex,
    value: amountMicroUsdc,
    validAfter: 0,
    validBefore,
    nonce: nonce as Hex,
  };
  return encodeTransfer(authorization, signature as Hex);
}
