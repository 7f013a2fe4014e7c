import { addressOfKey } from '../chain/evm/key.ts';
import { baseProfile, type BaseProfile, type NetworkMode } from '../chain/evm/profile.ts';
import { createBaseRpc, type BaseRpc } from '../chain/evm/rpc.ts';
import { createTaskSigner, type TaskSigner } from '../chain/evm/task-address.ts';
import { createTreasurySigner, type TreasurySigner } from '../chain/evm/treasury.ts';
import type { ApiNetwork } from '../api/dependencies.ts';
import { createBaseProofs } from '../api/proofs/base.ts';
import { createBaseTransfers } from '../api/transfers/base.ts';
import type { Lane } from '../worker/dependencies.ts';

type Hex = `0x${string}`;

export type BaseKeys = { treasuryKey: Hex; taskKey?: Hex; laneKeys: readonly Hex[] };

/** The Base network as the roles see it: one profile, one node, our addresses, and who may sign what. */
export type BaseParts = {
  profile: BaseProfile;
  rpc: BaseRpc;
  treasury: TreasurySigner;
  /** Null where tasks cannot be paid by a plain transfer. */
  task: TaskSigner | null;
  lanes: readonly Lane[];
  ownAddresses: readonly Hex[];
  apiNetwork: ApiNetwork;
};

const RPC_TIMEOUT_MS = 5_000;

export function createBaseParts(mode: NetworkMode, rpcUrl: string, keys: BaseKeys): BaseParts {
  const profile = baseProfile(mode);
  const rpc = createBaseRpc({ url: rpcUrl, timeoutMs: RPC_TIMEOUT_MS, profile });
  const lanes = keys.laneKeys.map((key) => ({ key, address: addressOfKey(key) }));
  const others = [...lanes.map(({ address }) => address), ...(keys.taskKey ? [addressOfKey(keys.taskKey)] : [])];
  const treasury = createTreasurySigner(keys.treasuryKey, profile, others);
  const task = keys.taskKey === undefined ? null : createTaskSigner(keys.taskKey, profile, treasury.address);
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
  const checker = createBaseProofs({ profile, rpc, payTo: treasury.address, ownAddresses });
  const transfers = task && createBaseTransfers({ profile, rpc, address: task.address });
  return { profile, rpc, treasury, task, lanes, ownAddresses, apiNetwork: { terms, checker, transfers } };
}
