import { join } from 'node:path';
import { microUsdc } from '../core/money.ts';
import { addressOfKey } from '../chain/base/key.ts';
import { baseProfile } from '../chain/base/profile.ts';
import { createBaseRpc } from '../chain/base/rpc.ts';
import { startLocalBase, type LocalBase } from './base/network.ts';
import { ensurePayers } from './base/payers.ts';
import { startPrivateRedis } from './private-redis.ts';

type Hex = `0x${string}`;

/** Play money that a new visitor of the web chat gets. */
const VISITOR_MICRO_USDC = microUsdc(20_000_000n);
const LANE_WEI = 10n ** 20n;
const LANE_WEI_MIN = 10n ** 19n;
const BLOCK_TIME_MS = 1_000;

export type LocalMode = {
  base: LocalBase;
  payersFile: string;
  /** Gives play money to an address. */
  faucet: (address: Hex) => Promise<void>;
  close: () => Promise<void>;
};

/** The Redis of `DATA_DIR`, used whenever `REDIS_URL` is unset, whatever the mode. */
export async function startDataDirRedis(dataDir: string) {
  return startPrivateRedis({ dir: join(dataDir, 'redis') });
}

/** Starts, or adopts, everything that local mode has in place of the outside world. All of it listens on loopback. */
export async function startLocalMode(
  dataDir: string,
  laneKeys: readonly Hex[],
  blockTimeMs = BLOCK_TIME_MS,
): Promise<LocalMode> {
  const dir = join(dataDir, 'local');
  const base = await startLocalBase({ dir: join(dir, 'base'), blockTimeMs });
  const payersFile = join(dir, 'payers.json');
  await ensurePayers(base, payersFile);
  await fundLanes(base, laneKeys);
  const faucet = (address: Hex) => base.fundUsdc(address, VISITOR_MICRO_USDC);
  return { base, payersFile, faucet, close: () => base.close() };
}

async function fundLanes(base: LocalBase, laneKeys: readonly Hex[]): Promise<void> {
  const rpc = createBaseRpc({ url: base.rpcUrl, timeoutMs: 5_000, profile: baseProfile('local') });
  for (const laneKey of laneKeys) {
    const address = addressOfKey(laneKey);
    if ((await rpc.nativeBalance(address)) < LANE_WEI_MIN) await base.fundEth(address, LANE_WEI);
  }
}

/** Ends what a killed process left running in `dataDir`, so that the folder can be thrown away. */
export async function stopLocalMode(dataDir: string): Promise<void> {
  const redis = await startDataDirRedis(dataDir);
  await redis.close();
  const base = await startLocalBase({ dir: join(dataDir, 'local', 'base'), blockTimeMs: 0 });
  await base.close();
}
