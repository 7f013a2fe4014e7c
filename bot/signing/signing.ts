/** What the signer works with. Only the signer itself may be handed to other code. */
import { findNetworkName, isOf, type EvmNetwork, type SvmNetwork } from '../../core/networks.ts';
import type { MicroUsdc } from '../../core/money.ts';
import type { Store } from '../../db/store/store.ts';
import type { PinnedEvm, PinnedSolana, PinnedTerms } from '../shared/terms.ts';

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

/** A transfer with all that is pinned of its token. Valid at once, whatever the chain's clock says: nothing is signed before 1970. */
export function toAuthorization(
  { asset, chainId, name, version }: PinnedEvm,
  transfer: Pick<TransferAuthorization, 'from' | 'to' | 'value' | 'validBefore' | 'nonce'>,
): TransferAuthorization {
  return { ...transfer, validAfter: 0, asset, chainId, name, version };
}

type SolanaTerms = { feePayer: string; amountMicroUsdc: bigint; blockhash: string; memo: string };

/** What is signed on Solana: the transfer of a stock payment, without the fee payer's signature. */
export type SolanaTransfer = SolanaTerms & { payTo: string };

/** The same for a withdrawal. `opensAccount`: the recipient's account for USDC is opened first, at our cost. */
export type SolanaWithdrawal = SolanaTerms & { to: string; opensAccount: boolean; microLamportsPerUnit: number };

/** Names one signature of a withdrawal: of each, at most one can land. */
export type WithdrawalName = { id: string; generation: number };

/** After this many generations a withdrawal is not signed again. */
export const GENERATION_MAX = 5;

/** Generations of a withdrawal from this one on, which according to the books nobody has signed yet. */
export type UnsignedGenerations = WithdrawalName & { fromAddress: string; sinceMs: number };

/** What the chain shows of them. `transaction` is null where it is unknown which one it was. */
export type Landing = { transaction: string | null; isFinal: boolean };

/** The payer's signature that takes a payment back; `validBefore` in Unix seconds. */
export type SignedCancellation = { signature: string; validBefore: number };

/** What signing has in common on all networks. */
export type Wallets = {
  pinned: PinnedTerms;
  /** In the form that the API reads on this network. */
  signCancellation: (
    walletId: string,
    cancellation: { txnId: number; validBefore: number },
  ) => Promise<string> | string;
  addressOf: (walletId: string) => Promise<string> | string;
  /** True for addresses where money would be lost, and for our own. */
  isForbidden: (address: string) => boolean;
  /**
   * Null while none of them has landed, as it should be. Otherwise these books are older than the chain, such as a
   * backup. Throws where the chain cannot say.
   */
  findLanding: (unsigned: UnsignedGenerations) => Promise<Landing | null>;
};

/** What may be signed, read from our own store and checked there. */
export type Payable = { walletId: string; payerAddress: string; total: MicroUsdc };
export type ToSign<W> = { wallets: W; payable: Payable };
/** Throws for a network that is not served in this way. */
export type SigningOn<W> = (deps: Signings, network: string) => W;

/** The personal wallets of `chain/` on an EVM network. */
export type EvmSigning = Wallets & {
  pinned: PinnedEvm;
  withdrawalNonce: (name: WithdrawalName) => Hex;
  signTransferAuthorization: (walletId: string, authorization: TransferAuthorization) => Promise<Hex> | Hex;
};

/** Those on Solana. Both ways of signing answer the transaction in base64. */
export type SolanaSigning = Wallets & {
  pinned: PinnedSolana;
  withdrawalMemo: (name: WithdrawalName) => string;
  /** Whether this owner's account for USDC is open. */
  hasAccount: (owner: string) => Promise<boolean>;
  /** From our own node; `lastValidHeight` is the last block that a transaction with it can be in. */
  latestBlockhash: () => Promise<{ blockhash: string; lastValidHeight: number }>;
  signPayment: (walletId: string, transfer: SolanaTransfer) => Promise<string> | string;
  signWithdrawal: (walletId: string, withdrawal: SolanaWithdrawal) => Promise<string> | string;
};

/** What signs on each network; absent where that is not offered. */
export type Signings = { [Name in EvmNetwork]?: EvmSigning } & { [Name in SvmNetwork]?: SolanaSigning };

export type SignerDeps = Signings & { store: Store; now: () => number };

/** Throws for a network of the other family, and for one that is not offered. */
export function evmSigning(deps: Signings, network: string): EvmSigning {
  const name = findNetworkName(network);
  const found = name !== null && isOf('evm', name) ? deps[name] : null;
  if (found === null) throw refusal('a network of the family evm', network);
  if (found === undefined) throw refusal('a network that is offered', network);
  return found;
}

/** The same for the other family. */
export function svmSigning(deps: Signings, network: string): SolanaSigning {
  const name = findNetworkName(network);
  const found = name !== null && isOf('svm', name) ? deps[name] : null;
  if (found === null) throw refusal('a network of the family svm', network);
  if (found === undefined) throw refusal('a network that is offered', network);
  return found;
}

/** The withdrawal is paid for good, although the books believe that it waits for a signature. */
export class AlreadyLanded extends Error {
  readonly transaction: string | null;

  constructor(withdrawalId: string, transaction: string | null) {
    super(`withdrawal ${withdrawalId} has landed before these books knew that it was signed`);
    this.transaction = transaction;
  }
}

export function refusal(wanted: string, found: unknown): Error {
  return new Error(`the signer refuses: wanted ${wanted}, found ${String(found)}`);
}
