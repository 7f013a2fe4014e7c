import { join } from 'node:path';
import { microUsdc } from '../core/money.ts';
import { familyOf, inFamily, NETWORKS, type EvmNetwork, type Family, type Network } from '../core/networks.ts';
import { addressOfKey } from '../chain/evm/key.ts';
import { evmProfile } from '../chain/evm/rpc/profile.ts';
import { createEvmRpc } from '../chain/evm/rpc/rpc.ts';
import { stopLocalEvm } from './evm/anvil.ts';
import { startLocalEvm, type LocalEvm } from './evm/network.ts';
import { startRuledNode } from './evm/ruled-node.ts';
import { ensureEvmPayers } from './evm/payers.ts';
import { localEvmKeys, type LocalKeys } from './keys.ts';
import type { Log } from './processes/log.ts';
import { joinUsers, leaveUsers } from './processes/users.ts';
import { privateRedisPath, startPrivateRedis } from './redis/private-redis.ts';
import { fundService } from './solana/funds.ts';
import { startLocalSolana, stopLocalSolana, type LocalSolana } from './solana/network.ts';
import { ensureSolanaPayers } from './solana/payers.ts';

type Hex = `0x${string}`;

/** Play money that a new visitor of the web chat gets. */
const VISITOR_MICRO_USDC = microUsdc(20_000_000n);
const LANE_WEI = 10n ** 20n;
const LANE_WEI_MIN = 10n ** 19n;

export type LocalModeOptions = {
  dataDir: string;
  networks: readonly Network[];
  keys: LocalKeys;
  /** Of EVM chains; a second when left out. */
  blockTimeMs?: number;
  /** Of Solana; that of mainnet when left out. */
  slotMs?: number;
  log?: Log;
};

export type LocalChain = ({ family: 'evm' } & LocalEvm) | ({ family: 'svm' } & LocalSolana);

export type LocalMode = {
  /** Of the networks that were asked for. */
  chains: ReadonlyMap<Network, LocalChain>;
  payersFile: string;
  /** Gives play money to an address. */
  faucets: ReadonlyMap<Network, (address: string) => Promise<void>>;
  /** Stops the chains, unless another process uses them. */
  close: () => Promise<void>;
};

type Closers = (() => Promise<void>)[];
/** `own`: what lives in this process. */
type Started = { chains: Closers; own: Closers };

/** The Redis of `DATA_DIR`, used whenever `REDIS_URL` is unset, whatever the mode. */
export async function startDataDirRedis(dataDir: string) {
  return startPrivateRedis({ dir: join(dataDir, 'redis') });
}

/** Where it listens, or will. */
export function dataDirRedisPath(dataDir: string): string {
  return privateRedisPath(join(dataDir, 'redis'));
}

/** Starts, or adopts, everything that local mode has in place of the outside world. All of it listens on loopback. */
export async function startLocalMode(options: LocalModeOptions): Promise<LocalMode> {
  const closers: Started = { chains: [], own: [] };
  const localDir = join(options.dataDir, 'local');
  const closeAll = async (all: Closers) => void (await allEnded(all.map((closeOne) => closeOne())));
  const close = async () => {
    await closeAll(closers.own);
    await leaveUsers(localDir, () => closeAll(closers.chains));
  };
  await joinUsers(localDir);
  try {
    const started = await allEnded(
      options.networks.map(async (network): Promise<[Network, LocalChain]> => [
        network,
        await startFunded(options, network, closers),
      ]),
    );
    return {
      chains: new Map(started),
      payersFile: payersFileIn(options.dataDir),
      faucets: new Map(started.map(([network, chain]) => [network, faucetOf(chain)])),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function startFunded(options: LocalModeOptions, network: Network, closers: Started): Promise<LocalChain> {
  const place = inFamily(network);
  switch (place.family) {
    case 'evm':
      return startFundedEvm(options, place.network, closers);
    case 'svm':
      return startFundedSolana(options, closers);
  }
}

/** Gives the play money of one chain. */
function faucetOf(chain: LocalChain): (address: string) => Promise<void> {
  switch (chain.family) {
    case 'evm':
      return (address) => chain.fundUsdc(address as Hex, VISITOR_MICRO_USDC);
    case 'svm':
      return (address) => chain.fundUsdc(address, VISITOR_MICRO_USDC);
  }
}

async function startFundedEvm(
  { dataDir, keys, blockTimeMs, log }: LocalModeOptions,
  network: EvmNetwork,
  closers: Started,
): Promise<LocalChain> {
  const anvil = await startLocalEvm({ dir: chainDirIn(dataDir, network), network, blockTimeMs, log });
  closers.chains.push(anvil.close);
  const { rules } = evmProfile(network, 'local');
  // anvil itself is a node as those of Base are.
  const node = rules.safeTag === 'safe' ? null : await startRuledNode(anvil.rpcUrl, rules);
  if (node !== null) closers.own.push(node.close);
  const chain = { ...anvil, rpcUrl: node?.url ?? anvil.rpcUrl };
  await ensureEvmPayers(chain, payersFileIn(dataDir));
  await fundLanes(chain, localEvmKeys(keys, network).laneKeys);
  return { family: 'evm', ...chain };
}

async function startFundedSolana(options: LocalModeOptions, closers: Started): Promise<LocalChain> {
  const { dataDir, keys, slotMs, log } = options;
  const solana = await startLocalSolana({ dir: chainDirIn(dataDir, 'solana'), slotMs, log });
  closers.chains.push(solana.close);
  const { solanaTreasuryKey: treasuryKey, solanaTaskKey: taskKey, solanaFeePayerKey: feePayerKey } = keys;
  await fundService(solana, { treasuryKey, taskKey, feePayerKey });
  await ensureSolanaPayers(solana, payersFileIn(dataDir));
  return { family: 'svm', ...solana };
}

async function fundLanes(chain: LocalEvm, laneKeys: readonly Hex[]): Promise<void> {
  const rpc = createEvmRpc({ url: chain.rpcUrl, timeoutMs: 5_000, profile: evmProfile(chain.network, 'local') });
  for (const laneKey of laneKeys) {
    const address = addressOfKey(laneKey);
    if ((await rpc.nativeBalance(address)) < LANE_WEI_MIN) await chain.fundEth(address, LANE_WEI);
  }
}

/** Ends what a killed process left running in `dataDir`, so that the folder can be thrown away. */
export async function stopLocalMode(dataDir: string): Promise<void> {
  const redis = await startDataDirRedis(dataDir);
  await redis.close();
  await allEnded(NETWORKS.map((network) => STOPS[familyOf(network)](chainDirIn(dataDir, network))));
}

const STOPS = { evm: stopLocalEvm, svm: stopLocalSolana } as const satisfies Record<
  Family,
  (dir: string) => Promise<void>
>;

/** Like `Promise.all`, but a failure waits for the others, so that nothing goes on that its caller has given up. */
async function allEnded<T>(running: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(running);
  return Promise.all(running);
}

function chainDirIn(dataDir: string, network: Network): string {
  return join(dataDir, 'local', network);
}

function payersFileIn(dataDir: string): string {
  return join(dataDir, 'local', 'payers.json');
}
