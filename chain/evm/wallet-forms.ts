/** What a wallet that keeps its own key is asked to sign, as typed data (EIP-712). Nothing here signs, hashes or needs Node. */

/** What a payer signs to take back an uncollected tip. */
export const CANCELLATION_TYPES = {
  Cancel: [
    { name: 'txnId', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
  ],
} as const;

export type Cancellation = { txnId: number; validBefore: number };

/** The domain names us and the chain, so no token and no other service can mistake it for theirs. */
export function cancellationDomain({ chainId }: { chainId: number }) {
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

/** A transfer of a token by EIP-3009. `value` in its smallest unit, times in Unix seconds. */
export type WalletTransfer = {
  from: string;
  to: string;
  value: bigint;
  validAfter: number;
  validBefore: number;
  nonce: string;
};

/** The token: its address, and its domain. */
export type WalletToken = { asset: string; chainId: number; name: string; version: string };

export const TRANSFER_TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;

export function transferDomain({ name, version, chainId, asset }: WalletToken) {
  return { name, version, chainId, verifyingContract: asset };
}

/** As `eth_signTypedData_v4` takes it. Numbers as decimal text, which every wallet reads. */
export function transferForWallet(transfer: WalletTransfer, token: WalletToken) {
  const { from, to, value, validAfter, validBefore, nonce } = transfer;
  const EIP712Domain = [
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
    { name: 'verifyingContract', type: 'address' },
  ];
  return {
    types: { EIP712Domain, ...TRANSFER_TYPES },
    primaryType: 'TransferWithAuthorization',
    domain: transferDomain(token),
    message: {
      from,
      to,
      value: value.toString(),
      validAfter: validAfter.toString(),
      validBefore: validBefore.toString(),
      nonce,
    },
  } as const;
}
