import type { Context } from 'hono';
import type { EvmNetwork, Network, SvmNetwork } from '../../core/networks.ts';
import type { RateLimits } from '../../queue/rate-limiter.ts';
import type { Runner } from '../../queue/runner.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import type { Hex, SolanaTransfer, TransferAuthorization } from '../signing/signing.ts';
import type { Operator } from '../../web/page.ts';

/** Puts together what a wallet on Solana is to sign; both answer base64. `from`: the wallet. */
export type SolanaPreparation = {
  latestBlockhash: () => Promise<{ blockhash: string }>;
  prepare: (from: string, transfer: SolanaTransfer) => string;
  /** The part of a signed transaction that is sent on; `added`: the wallet added something that is not accepted. */
  readSigned: (prepared: string, signed: string) => { kind: 'fine'; wire: string } | { kind: 'changed' | 'added' };
};

/** A wallet with play money, whose key is here: local mode must not ask for a visitor's own. */
export type PlayWallet = { address: string; fund: () => Promise<void> } & (
  | { family: 'evm'; network: EvmNetwork; sign: (authorization: TransferAuthorization) => Promise<Hex> }
  | { family: 'svm'; network: SvmNetwork; sign: (transfer: SolanaTransfer) => Promise<string> }
);

export type PayPagesDeps = CoreDeps & {
  payLinks: Pick<Runner, 'run'>;
  rewardWork: Pick<Runner, 'run'>;
  /** How often a visitor may ask. */
  limits: Pick<RateLimits, 'perMinute'>;
  /** Who asks, as far as that is not free to make up: an address of the network. */
  callerOf: (context: Context) => string;
  /** Absent where Solana is not offered. */
  solana?: SolanaPreparation;
  /** Present in local mode only. */
  playWallet?: PlayWallet;
  operator: Operator;
};

export type Payer = { network: Network; address: string };
