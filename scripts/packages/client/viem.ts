/** `pennypost-client/viem`: an account or a wallet client of viem signs. Nothing of viem is in it. */
import {
  createEvmSigner,
  type EvmSignerOptions,
  type ViemAccount,
  type ViemWallet,
} from '../../../chain/evm/wallet-signer.ts';
import type { PaymentSigner } from '../../../core/payments/signer.ts';

export type { EvmSignerOptions, ViemAccount, ViemWallet };

export function viemSigner(owner: ViemAccount | ViemWallet, options: EvmSignerOptions = {}): PaymentSigner {
  return createEvmSigner(owner, options);
}
