import { createChallengeSeal } from '../../chain/evm/challenge-seal.ts';
import type { EvmKeyText } from '../../core/config/keys.ts';
import { evmProfile, type EvmProfile, type NetworkMode } from '../../chain/evm/rpc/profile.ts';
import { createEvmRpc, type EvmRpc } from '../../chain/evm/rpc/rpc.ts';
import { compareEvm } from '../../chain/evm/rpc/compared.ts';
import {
  createLane,
  createSweepSigner,
  createTreasurySigner,
  type Lane,
  type SweepSigner,
  type TreasurySigner,
} from '../../chain/signing/evm.ts';
import type { EvmNetwork } from '../../core/networks.ts';
import type { ApiNetwork } from '../../api/environment/dependencies.ts';
import { createEvmProofs } from '../../api/proofs/evm.ts';
import { createEvmTransfers } from '../../api/transfers/evm.ts';
import type { NodeComparison } from '../../worker/networks/standing.ts';
import { derivingKeyOf } from './deriving-key.ts';
import { createFormerTerms, type FormerTerms } from './former-terms.ts';
import { areKeysAway, openEvmKey, type KeyService } from './own-keys.ts';
import { SECOND_TIMEOUT_MS, type SecondNode } from './second-node.ts';

type Hex = `0x${string}`;

export type EvmKeys = {
  treasuryKey: EvmKeyText;
  taskKey?: EvmKeyText | undefined;
  laneKeys: readonly EvmKeyText[];
  /** What a rotation has replaced, the first one first. */
  formerTreasuryKeys?: readonly EvmKeyText[] | undefined;
  formerTaskKeys?: readonly EvmKeyText[] | undefined;
  /** Addresses of those whose key others may know. */
  compromised?: readonly string[] | undefined;
  /** What is derived from a treasury's key, where nobody can read that. */
  installationSecret?: string | undefined;
};

/** An EVM network as the roles see it: one profile, one node, our addresses and our signers. */
export type EvmParts = {
  family: 'evm';
  profile: EvmProfile;
  /** With a second node: what both say. */
  rpc: EvmRpc;
  second: { rpc: EvmRpc; comparison: NodeComparison } | null;
  treasury: TreasurySigner;
  /** Null where tasks cannot be paid by a plain transfer. */
  task: SweepSigner | null;
  lanes: readonly Lane[];
  /** What a rotation has replaced: it is swept, and its addresses stay ours for ever. */
  formers: readonly SweepSigner[];
  formerTreasuries: readonly Hex[];
  formerTasks: readonly Hex[];
  /** Says since when proofs may name the treasury only. */
  formerTerms: FormerTerms;
  ownAddresses: readonly Hex[];
  /** Whether keys of this network are in a service that does not sign now. */
  areKeysAway: () => Promise<boolean>;
  apiNetwork: ApiNetwork;
};

const RPC_TIMEOUT_MS = 5_000;

export function createEvmParts(
  network: EvmNetwork,
  mode: NetworkMode,
  rpcUrl: string,
  keys: EvmKeys,
  secondNode?: SecondNode | null,
  service?: KeyService,
): EvmParts {
  const profile = evmProfile(network, mode);
  const first = createEvmRpc({ url: rpcUrl, timeoutMs: RPC_TIMEOUT_MS, profile });
  const other = secondNode && createEvmRpc({ url: secondNode.url, timeoutMs: SECOND_TIMEOUT_MS, profile });
  const compared = secondNode && other ? compareEvm(first, other, secondNode.tell) : null;
  const rpc = compared?.rpc ?? first;
  const second = compared && other ? { rpc: other, comparison: compared.comparison } : null;
  const laneKeys = keys.laneKeys.map((key) => openEvmKey(key, service));
  const lanes = laneKeys.map((key) => createLane(key, profile));
  const taskKey = keys.taskKey === undefined ? null : openEvmKey(keys.taskKey, service);
  const treasuryKey = openEvmKey(keys.treasuryKey, service);
  const openAll = (texts: readonly EvmKeyText[] = []) => texts.map((key) => openEvmKey(key, service));
  const [oldTreasuries, oldTasks] = [openAll(keys.formerTreasuryKeys), openAll(keys.formerTaskKeys)];
  const others = [...lanes, ...(taskKey === null ? [] : [taskKey]), ...oldTreasuries, ...oldTasks].map(toAddress);
  const treasury = createTreasurySigner(treasuryKey, profile, others);
  const toSwept = (key: typeof treasuryKey) => createSweepSigner(key, profile, treasury.address);
  const task = taskKey && toSwept(taskKey);
  const formers = [...oldTreasuries, ...oldTasks].map(toSwept);
  const formerTerms = createFormerTerms(keys.compromised);
  const ownAddresses = [treasury.address, ...others];
  const terms = {
    network: profile.network,
    v1Name: profile.v1Name,
    caip2: profile.caip2,
    aliases: [],
    asset: profile.usdc,
    payTo: treasury.address,
    extra: { name: profile.eip712Name, version: profile.eip712Version },
  };
  const takesFormer = formerTerms.takes;
  const checker = createEvmProofs({ profile, rpc, payTo: treasury.address, takesFormer, ownAddresses });
  const transfers = task && createEvmTransfers({ profile, rpc, address: task.address });
  const derivingKey = derivingKeyOf(keys, keys.installationSecret);
  const seal = createChallengeSeal(derivingKey, profile.chainId);
  const apiNetwork = { terms, checker, takesFormer, transfers, seal };
  // A former key that is away delays a sweep, and nothing else.
  const signers = { treasury, task, formers, lanes, areKeysAway: () => areKeysAway([treasuryKey, taskKey], laneKeys) };
  const [formerTreasuries, formerTasks] = [oldTreasuries.map(toAddress), oldTasks.map(toAddress)];
  const former = { formerTreasuries, formerTasks, formerTerms };
  return { family: 'evm', profile, rpc, second, ...signers, ...former, ownAddresses, apiNetwork };
}

const toAddress = ({ address }: { address: Hex }) => address;
