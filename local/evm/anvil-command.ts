/** Which program runs the local chain, and with what: the facts of the real chains that a client can notice. */
import { createRequire } from 'node:module';

/** The limit per transaction (EIP-7825), which anvil enforces with `--enable-tx-gas-limit`. */
export const TRANSACTION_GAS_LIMIT = 16_777_216n;

const BLOCK_GAS_LIMIT = 150_000_000;
const DUMP_INTERVAL_SECONDS = 30;
/**
 * Blocks whose state can still be asked for, beyond the newest in memory. anvil keeps up to 1,500 in memory first,
 * then moves them to disk as whole copies: without a limit that fills 3,600 of them.
 */
const PERSISTED_STATES = 128;

const ARCHITECTURES: Partial<Record<NodeJS.Architecture, string>> = { x64: 'amd64', arm64: 'arm64' };

export type AnvilSettings = {
  chainId: number;
  baseFeeWei: bigint;
  /** 0 lets the system choose; what it chose is printed. */
  port: number;
  /** 0 mines on demand only. */
  blockTimeMs: number;
  stateFile: string;
  historyDir: string;
};

/** The path of the installed program. Throws when the optional package of this platform is missing. */
export function findAnvil(platform = process.platform, architecture = process.arch): string {
  const name = `@foundry-rs/anvil-${platform}-${ARCHITECTURES[architecture] ?? architecture}`;
  try {
    return createRequire(import.meta.url).resolve(`${name}/bin/anvil`);
  } catch (cause) {
    throw new Error(`the local EVM chain needs the npm package ${name}, which is not installed: run npm install`, {
      cause,
    });
  }
}

export function anvilArguments({
  chainId,
  baseFeeWei,
  port,
  blockTimeMs,
  stateFile,
  historyDir,
}: AnvilSettings): string[] {
  return [
    '--no-cors',
    '--host=127.0.0.1',
    `--port=${port}`,
    `--chain-id=${chainId}`,
    '--accounts=0',
    blockTimeMs > 0 ? `--block-time=${blockTimeMs / 1000}` : '--no-mining',
    // Makes safe one and finalized two blocks old, so that both move within a test.
    '--slots-in-an-epoch=1',
    `--gas-limit=${BLOCK_GAS_LIMIT}`,
    '--enable-tx-gas-limit',
    `--block-base-fee-per-gas=${baseFeeWei}`,
    `--state=${stateFile}`,
    `--state-interval=${DUMP_INTERVAL_SECONDS}`,
    `--cache-path=${historyDir}`,
    `--max-persisted-states=${PERSISTED_STATES}`,
  ];
}
