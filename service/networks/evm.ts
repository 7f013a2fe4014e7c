import { createChallengeSeal } from '../../chain/evm/challenge-seal.ts';
import type { EvmKeyText } from '../../core/config/keys.ts';
import { evmProfile, type EvmProfile, type NetworkMode } from '../../chain/evm/rpc/profile.ts';
import { createEvmRpc, type EvmRpc } from '../../chain/evm/rpc/rpc.ts';
import { compareEvm } from '../../chain/evm/rpc/compared.ts';
import {
  createLane,
  createTaskSigner,
  createTreasurySigner,
  type Lane,
  type TaskSigner,
  type TreasurySigner,
} from '../../chain/signing/evm.ts';
import type { EvmNetwork } from '../../core/networks.ts';
import type { ApiNetwork } from '../../api/environment/dependencies.ts';
import { createEvmProofs } from '../../api/proofs/evm.ts';
import { createEvmTransfers } from '../../api/transfers/evm.ts';
import type { NodeComparison } from '../../worker/networks/standing.ts';
import { derivingKeyOf } from './deriving-key.ts';
import { areKeysAway, openEvmKey, type KeyService } from './own-keys.ts';
import { SECOND_TIMEOUT_MS, type SecondNode } from './second-node.ts';

type Hex = `0x${string}`;

export type EvmKeys = {
  treasuryKey: EvmKeyText;
  taskKey?: EvmKeyText | undefined;
  laneKeys: readonly EvmKeyText[];
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
  task: TaskSigner | null;
  lanes: readonly Lane[];
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
  const others = [...lanes, ...(taskKey === null ? [] : [taskKey])].map(({ address }) => address);
  const treasury = createTreasurySigner(treasuryKey, profile, others);
  const task = taskKey && createTaskSigner(taskKey, profile, treasury.address);
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
  const checker = createEvmProofs({ profile, rpc, payTo: treasury.address, ownAddresses });
  const transfers = task && createEvmTransfers({ profile, rpc, address: task.address });
  const seal = createChallengeSeal(derivingKeyOf(keys.treasuryKey, keys.installationSecret), profile.chainId);
  const apiNetwork = { terms, checker, transfers, seal };
  const signers = { treasury, task, lanes, areKeysAway: () => areKeysAway([treasuryKey, taskKey], laneKeys) };
  return { family: 'evm', profile, rpc, second, ...signers, ownAddresses, apiNetwork };
}
