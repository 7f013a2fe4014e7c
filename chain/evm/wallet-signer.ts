import type { EvmNetwork } from '../../core/networks.ts';
import { evmPayload } from '../../core/payments/payment-header.ts';
import { HEADER_LIFE_SECONDS, isTimeOver, type PaymentSigner } from '../../core/payments/signer.ts';
import { evmProfile, pinEvm } from './rpc/profile.ts';
import { CANCELLATION_TYPES, cancellationDomain, TRANSFER_TYPES, transferDomain } from './wallet-forms.ts';

type TypedData = {
  domain: Record<string, unknown>;
  types: Record<string, readonly { name: string; type: string }[]>;
  primaryType: string;
  message: Record<string, unknown>;
};

/** An account of viem that signs by itself. */
export type ViemAccount = { address: string; signTypedData: (data: never) => Promise<string> };

/** A wallet client of viem, with the account that it signs for. */
export type ViemWallet = { account: { address: string }; signTypedData: (data: never) => Promise<string> };

export type EvmSignerOptions = {
  /** Where it pays; Base when left out. */
  network?: EvmNetwork;
  /** The test chain of that network. */
  testnet?: boolean;
};

/** Pays with USDC on an EVM network, signed by an account or a wallet client of viem. */
export function createEvmSigner(owner: ViemAccount | ViemWallet, options: EvmSignerOptions = {}): PaymentSigner {
  const { network = 'base', testnet = false } = options;
  const profile = evmProfile(network, testnet ? 'testnet' : 'mainnet');
  const pinned = pinEvm(profile);
  const { chainId, usdc: asset, eip712Name: name, eip712Version: version } = profile;
  const address = addressOf(owner);
  return {
    pinned,
    address,
    async sign({ payTo, amountMicroUsdc, binding }, nowMs) {
      if (!pinned.isPayable(payTo)) throw new Error(`USDC may not go to ${payTo}`);
      if (amountMicroUsdc <= 0n) throw new Error('a transfer must be of more than zero micro-USDC');
      const validBefore = Math.floor(nowMs / 1_000) + HEADER_LIFE_SECONDS;
      // Valid at once, whatever the chain's clock says.
      const authorization = {
        from: address,
        to: payTo,
        value: amountMicroUsdc,
        validAfter: 0,
        validBefore,
        nonce: `0x${binding}`,
      };
      const signature = await signTyped(owner, {
        domain: transferDomain({ name, version, chainId, asset }),
        types: TRANSFER_TYPES,
        primaryType: 'TransferWithAuthorization',
        message: { ...authorization, validAfter: 0n, validBefore: BigInt(validBefore) },
      });
      return { payload: evmPayload(authorization, signature), end: { validBefore } };
    },
    signCancellation: ({ txnId, validBefore }) =>
      signTyped(owner, {
        domain: cancellationDomain({ chainId }),
        types: CANCELLATION_TYPES,
        primaryType: 'Cancel',
        message: { txnId: BigInt(txnId), validBefore: BigInt(validBefore) },
      }),
    isOver: async (end, nowMs) => 'validBefore' in end && isTimeOver(end.validBefore, nowMs),
  };
}

const isWallet = (owner: ViemAccount | ViemWallet): owner is ViemWallet => 'account' in owner;

function addressOf(owner: ViemAccount | ViemWallet): string {
  return isWallet(owner) ? owner.account.address : owner.address;
}

/** viem's own types of typed data are generic over its content; what is asked here is checked by the tests with viem itself. */
async function signTyped(owner: ViemAccount | ViemWallet, data: TypedData): Promise<string> {
  const asked = isWallet(owner) ? { account: owner.account, ...data } : data;
  const signature: unknown = await owner.signTypedData(asked as never);
  if (typeof signature === 'string' && /^0x[0-9a-fA-F]+$/.test(signature)) return signature;
  throw new Error('the account must answer a signature in hex');
}
