import type { Address } from '@solana/kit';

/** What an address holds. An address without an account, or with one of no lamports, is null wherever this is read. */
export type Account = {
  lamports: bigint;
  owner: Address;
  data: Uint8Array;
  executable: boolean;
};

export function isSameAccount(left: Account | null, right: Account | null): boolean {
  if (left === null || right === null) return left === right;
  return (
    left.lamports === right.lamports &&
    left.owner === right.owner &&
    left.executable === right.executable &&
    Buffer.compare(left.data, right.data) === 0
  );
}
