import type { ApiNetwork } from '../../api/environment/dependencies.ts';
import { createSolanaProofs } from '../../api/proofs/solana.ts';
import { createSolanaTransfers } from '../../api/transfers/solana.ts';
import { tokenAccountOf } from '../../chain/solana/messages/addresses.ts';
import { solanaProfile, type SolanaProfile } from '../../chain/solana/messages/profile.ts';
import type { SolanaSigner } from '../../chain/solana/messages/signer.ts';
import { compareSolana } from '../../chain/solana/rpc/compared.ts';
import { createSolanaRpc, type SolanaRpc } from '../../chain/solana/rpc/rpc.ts';
import { createSolanaSigners } from '../../chain/signing/solana.ts';
import type { NetworkMode } from '../../chain/evm/rpc/profile.ts';
import { sweptOf, type SweptAccount } from '../../worker/dependencies.ts';
import type { NodeComparison } from '../../worker/networks/standing.ts';
import { createFormerTerms, type FormerTerms } from './former-terms.ts';
import type { SolanaKeys } from './keys.ts';
import { areKeysAway, openSolanaKey, type KeyService } from './own-keys.ts';
import { SECOND_TIMEOUT_MS, type SecondNode } from './second-node.ts';

/** The Solana network as the roles see it: one profile, one node, our addresses and our signers. */
export type SolanaParts = {
  family: 'svm';
  profile: SolanaProfile;
  /** With a second node: what both say. */
  rpc: SolanaRpc;
  second: { rpc: SolanaRpc; comparison: NodeComparison } | null;
  treasury: SolanaSigner;
  feePayer: SolanaSigner;
  treasuryAccount: string;
  /** Null where tasks cannot be paid by a plain transfer. */
  task: SweptAccount | null;
  /** What a rotation has replaced: it is swept, and its addresses stay ours for ever. */
  formers: readonly SweptAccount[];
  formerTreasuries: readonly string[];
  formerTasks: readonly string[];
  /** Says since when proofs may name the treasury only. */
  formerTerms: FormerTerms;
  ownAddresses: readonly string[];
  /** Whether keys of this network are in a service that does not sign now. */
  areKeysAway: () => Promise<boolean>;
  apiNetwork: ApiNetwork;
};

const RPC_TIMEOUT_MS = 5_000;

export function createSolanaParts(
  mode: NetworkMode,
  rpcUrl: string,
  keys: SolanaKeys,
  secondNode?: SecondNode | null,
  service?: KeyService,
): SolanaParts {
  const profile = solanaProfile(mode);
  const ownKeys = {
    treasury: openSolanaKey(keys.treasuryKey, service),
    feePayer: openSolanaKey(keys.feePayerKey, service),
    task: keys.taskKey === undefined ? null : openSolanaKey(keys.taskKey, service),
  };
  const openAll = (texts: readonly string[] = []) => texts.map((key) => openSolanaKey(key, service));
  const [oldTreasuries, oldTasks] = [openAll(keys.formerTreasuryKeys), openAll(keys.formerTaskKeys)];
  const signers = createSolanaSigners({ ...ownKeys, formers: [...oldTreasuries, ...oldTasks] }, profile);
  const { treasury, feePayer } = signers;
  const treasuryAccount = tokenAccountOf(treasury.address, profile);
  const task = signers.task && toSweptAccount(signers.task, profile);
  const formers = signers.formers.map((key) => toSweptAccount(key, profile));
  const sweptAccounts = sweptOf({ task, formers }).map(({ key, account }) => ({ account, owner: key.address }));
  const ownAddresses = [treasury.address, feePayer.address, ...sweptAccounts.map(({ owner }) => owner)];
  const ownAccounts = [{ account: treasuryAccount, owner: treasury.address }, ...sweptAccounts];
  const connect = (url: string, timeoutMs: number) => createSolanaRpc({ url, timeoutMs, profile, ownAccounts });
  const first = connect(rpcUrl, RPC_TIMEOUT_MS);
  const other = secondNode && connect(secondNode.url, SECOND_TIMEOUT_MS);
  const compared = secondNode && other ? compareSolana(first, other, secondNode.tell) : null;
  const rpc = compared?.rpc ?? first;
  const second = compared && other ? { rpc: other, comparison: compared.comparison } : null;
  const terms = {
    network: profile.network,
    v1Name: profile.v1Name,
    caip2: profile.caip2,
    aliases: profile.aliases,
    asset: profile.usdc,
    payTo: treasury.address,
    // The first two are part of the published shape; Solana itself has no such domain.
    extra: { name: 'USD Coin', version: '2', feePayer: feePayer.address },
  };
  const formerTerms = createFormerTerms(keys.compromised);
  const takesFormer = formerTerms.takes;
  const formerTreasuries = oldTreasuries.map(({ address }) => address);
  const checker = createSolanaProofs({
    profile,
    rpc,
    payTo: treasury.address,
    formerTreasuries,
    takesFormer,
    feePayer: feePayer.address,
    ownAddresses,
  });
  const transfers = task && createSolanaTransfers({ rpc, address: task.key.address });
  const apiNetwork = { terms, checker, takesFormer, transfers };
  // A former key that is away delays a sweep, and nothing else.
  const isAway = () => areKeysAway([ownKeys.treasury, ownKeys.task], [ownKeys.feePayer]);
  const former = { formers, formerTreasuries, formerTasks: oldTasks.map(({ address }) => address), formerTerms };
  const own = { treasury, feePayer, treasuryAccount, task, ownAddresses, areKeysAway: isAway };
  return { family: 'svm', profile, rpc, second, ...own, ...former, apiNetwork };
}

function toSweptAccount(key: SolanaSigner, profile: SolanaProfile): SweptAccount {
  return { key, account: tokenAccountOf(key.address, profile) };
}
