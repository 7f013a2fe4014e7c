import { join } from 'node:path';
import { microUsdc } from '../core/money.ts';
import type { Network } from '../core/networks.ts';
import { addressOfKey } from '../chain/evm/key.ts';
import { baseProfile } from '../chain/evm/profile.ts';
import { createBaseRpc } from '../chain/evm/rpc.ts';
import { stopLocalBase } from './evm/anvil.ts';
import { startLocalBase, type LocalBase } from './evm/network.ts';
import { ensureBasePayers } from './evm/payers.ts';
import type { LocalKeys } from './keys.ts';
import type { Log } from './log.ts';
import { startPrivateRedis } from './private-redis.ts';
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
  keys: Pick<LocalKeys, 'laneKeys' | 'solanaTreasuryKey' | 'solanaFeePayerKey'> & Partial<LocalKeys>;
  /** Of Base; a second when left out. */
  blockTimeMs?: number;
  /** Of Solana; that of mainnet when left out. */
  slotMs?: number;
  log?: Log;
};

export type LocalMode = {
  /** There also when it is not among the networks: the bot and its web chat pay on it. */
  base: LocalBase;
  /** Null when it is not among the networks. */
  solana: LocalSolana | null;
  payersFile: string;
  /** Gives play money to an address on Base. */
  faucet: (address: Hex) => Promise<void>;
  /** The same on Solana. */
  solanaFaucet?: (address: string) => Promise<void>;
  close: () => Promise<void>;
};

type Closers = (() => Promise<void>)[];

/** The Redis of `DATA_DIR`, used whenever `REDIS_URL` is unset, whatever the mode. */
export async function startDataDirRedis(dataDir: string) {
  return startPrivateRedis({ dir: join(dataDir, 'redis') });
}

/** Starts, or adopts, everything that local mode has in place of the outside world. All of it listens on loopback. */
export async function startLocalMode(options: LocalModeOptions): Promise<LocalMode> {
  const closers: Closers = [];
  const close = async () => {
    await allEnded(closers.map((closeOne) => closeOne()));
  };
  try {
    const wantsSolana = options.networks.includes('solana');
    const [base, solana] = await allEnded([
      startFundedBase(options, closers),
      wantsSolana ? startFundedSolana(options, closers) : null,
    ]);
    return {
      base,
      solana,
      payersFile: payersFileIn(options.dataDir),
      faucet: (address) => base.fundUsdc(address, VISITOR_MICRO_USDC),
      ...(solana && { solanaFaucet: (address: string) => solana.fundUsdc(address, VISITOR_MICRO_USDC) }),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startFundedBase(options: LocalModeOptions, closers: Closers): Promise<LocalBase> {
  const { dataDir, keys, blockTimeMs, log } = options;
  const base = await startLocalBase({ dir: baseDirIn(dataDir), blockTimeMs, log });
  closers.push(base.close);
  await ensureBasePayers(base, payersFileIn(dataDir));
  await fundLanes(base, keys.laneKeys);
  return base;
}

async function startFundedSolana(options: LocalModeOptions, closers: Closers): Promise<LocalSolana> {
  const { dataDir, keys, slotMs, log } = options;
  const solana = await startLocalSolana({ dir: solanaDirIn(dataDir), slotMs, log });
  closers.push(solana.close);
  const { solanaTreasuryKey: treasuryKey, solanaTaskKey: taskKey, solanaFeePayerKey: feePayerKey } = keys;
  await fundService(solana, { treasuryKey, taskKey, feePayerKey });
  await ensureSolanaPayers(solana, payersFileIn(dataDir));
  return solana;
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
  await allEnded([stopLocalBase(baseDirIn(dataDir)), stopLocalSolana(solanaDirIn(dataDir))]);
}

/** Like `Promise.all`, but a failure waits for the others, so that nothing goes on that its caller has given up. */
async function allEnded<T extends readonly unknown[]>(running: readonly [...T]) {
  await Promise.allSettled(running);
  return Promise.all(running);
}

function baseDirIn(dataDir: string): string {
  return join(dataDir, 'local', 'base');
}

function solanaDirIn(dataDir: string): string {
  return join(dataDir, 'local', 'solana');
}

function payersFileIn(dataDir: string): string {
  return join(dataDir, 'local', 'payers.json');
}
