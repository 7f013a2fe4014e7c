import { createJsonRpc } from '../../json-rpc.ts';
import { accountReads } from './account-reads.ts';
import { clusterReads } from './cluster-reads.ts';
import { historyReads } from './history-reads.ts';
import type { SolanaProfile } from '../messages/profile.ts';
import { sending } from './sending.ts';
import { signatureReads } from './signature-reads.ts';
import type { OwnAccount } from '../messages/transfers.ts';
import { walletReads } from './wallet-reads.ts';
import { withdrawalHistory } from './withdrawal-history.ts';

export type SolanaRpcOptions = {
  url: string;
  timeoutMs: number;
  profile: SolanaProfile;
  /** The token accounts whose transfers `transaction` reports. */
  ownAccounts: readonly OwnAccount[];
};

export type SolanaRpc = ReturnType<typeof createSolanaRpc>;
export type TokenAccountView = Awaited<ReturnType<SolanaRpc['tokenAccounts']>>[number];
export type SignatureStatus = NonNullable<Awaited<ReturnType<SolanaRpc['statuses']>>['statuses'][number]>;
export type FoundSignature = Awaited<ReturnType<SolanaRpc['signaturesFor']>>['found'][number];

/**
 * All questions to a Solana node, each in its own request. Every method but `sendRaw` throws ChainUnavailable, and
 * nothing else, when there is no usable answer.
 */
export function createSolanaRpc({ url, timeoutMs, profile, ownAccounts }: SolanaRpcOptions) {
  const ask = createJsonRpc({ url, timeoutMs, batches: false });
  return {
    ...clusterReads(ask),
    ...accountReads(ask, profile),
    ...walletReads(ask, profile),
    ...signatureReads(ask, profile, ownAccounts),
    ...historyReads(ask),
    ...withdrawalHistory(ask, profile),
    ...sending(ask),
  };
}
