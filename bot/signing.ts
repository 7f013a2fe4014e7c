/** What the signer works with. Only the signer may be handed to anything else. */
import type { Store } from '../db/store.ts';
import type { PinnedBase, PinnedSolana } from './core/terms.ts';

export type Hex = `0x${string}`;

/** What is signed on Base (EIP-3009), with the domain it is signed for. `value` in micro-USDC, times in Unix seconds. */
export type TransferAuthorization = {
  from: string;
  to: string;
  value: bigint;
  validAfter: number;
  validBefore: number;
  nonce: Hex;
  asset: string;
  chainId: number;
  name: string;
  version: string;
};

type SolanaTerms = { feePayer: string; amountMicroUsdc: bigint; blockhash: string; memo: string };

/** What is signed on Solana: the transfer of a stock payment, without the fee payer's signature. */
export type SolanaTransfer = SolanaTerms & { payTo: string };

/** The same for a withdrawal. `opensAccount`: the recipient's account for USDC is opened first, at our cost. */
export type SolanaWithdrawal = SolanaTerms & { to: string; opensAccount: boolean };

/** Names one signature of a withdrawal: there is at most one that can land of each. */
export type WithdrawalName = { id: string; generation: number };

type Wallets = {
  addressOf: (walletId: string) => Promise<string> | string;
  /** True for what money would be lost at, and for our own addresses. */
  isForbidden: (address: string) => boolean;
};

/** The personal wallets of `chain/` on Base. */
export type BaseSigning = Wallets & {
  pinned: PinnedBase;
  withdrawalNonce: (name: WithdrawalName) => Hex;
  signTransferAuthorization: (walletId: string, authorization: TransferAuthorization) => Promise<Hex> | Hex;
};

/** Those on Solana. Both ways of signing answer the transaction in base64. */
export type SolanaSigning = Wallets & {
  pinned: PinnedSolana;
  withdrawalMemo: (name: WithdrawalName) => string;
  /** Whether somebody's account for USDC is open. */
  hasAccount: (owner: string) => Promise<boolean>;
  /** From our own node; `lastValidHeight` is the last block that a transaction with it can be in. */
  latestBlockhash: () => Promise<{ blockhash: string; lastValidHeight: number }>;
  signPayment: (walletId: string, transfer: SolanaTransfer) => Promise<string> | string;
  signWithdrawal: (walletId: string, withdrawal: SolanaWithdrawal) => Promise<string> | string;
};

export type SignerDeps = { store: Store; now: () => number; base?: BaseSigning; solana?: SolanaSigning };

export function refusal(wanted: string, found: unknown): Error {
  return new Error(`the signer refuses: wanted ${wanted}, found ${String(found)}`);
}
