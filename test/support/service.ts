import { randomBytes } from 'node:crypto';
import type { Hono } from 'hono';
import type { ApiEnv } from '../../api/http/env.ts';
import type { EvmNetwork } from '../../core/networks.ts';
import { microUsdc } from '../../core/money.ts';
import type { Store } from '../../db/store/store.ts';
import { createEvmParts, type EvmKeys, type EvmParts } from '../../service/networks/evm.ts';
import { openEvmKey, type KeyService } from '../../service/networks/own-keys.ts';
import { audit } from '../../worker/evm/audit.ts';
import { startEvmSettlement } from '../../worker/evm/start.ts';
import type { EvmWorker } from '../../worker/dependencies.ts';
import type { RunningWorker } from '../../worker/start.ts';
import { watchStoredFirst } from './chains/stored-first.ts';
import { tieTestBooks } from './databases/tied-books.ts';
import { layTestRoles, type TestRolesOptions } from './test-roles.ts';
import { refuseViolations } from './databases/refuse-violations.ts';

type Hex = `0x${string}`;
const randomKey = () => `0x${randomBytes(32).toString('hex')}` as Hex;

export type TestServiceOptions = TestRolesOptions & {
  /** Base when left out. */
  network?: EvmNetwork;
  rpcUrl: string;
  fundEth: (address: Hex, wei: bigint) => Promise<void>;
  keys?: EvmKeys;
  /** Ties the books to the keys, as a start does; with others it fails then. */
  isTied?: boolean;
  /** Where keys are that are not in this process. */
  keyService?: KeyService;
  replaceAfterMs?: number;
  decorateWorker?: (worker: EvmWorker) => EvmWorker;
};

export type TestService = {
  url: string;
  app: Hono<ApiEnv>;
  store: Store;
  parts: EvmParts;
  base: EvmWorker;
  worker: RunningWorker | null;
  /** Every invariant of the money model, and the ledger against the chain; throws with what is broken. */
  assertSound: () => Promise<void>;
  close: () => Promise<void>;
};

/** API and worker in this process on a real local Base chain. */
export async function startTestService(options: TestServiceOptions): Promise<TestService> {
  const { network = 'base' } = options;
  const keys = options.keys ?? { treasuryKey: randomKey(), laneKeys: [randomKey(), randomKey(), randomKey()] };
  for (const key of keys.laneKeys) await options.fundEth(openEvmKey(key, options.keyService).address, 10n ** 20n);
  const parts = createEvmParts(network, 'local', options.rpcUrl, keys, null, options.keyService);
  if (options.isTied === true) await tieTestBooks(options.databasePath, parts, keys);
  const { url, store, context, run, close } = await layTestRoles(options);
  const storedFirst = watchStoredFirst(store);
  const sendRaw: EvmWorker['rpc']['sendRaw'] = async (raw) => {
    await storedFirst.beforeSend(raw);
    return parts.rpc.sendRaw(raw);
  };
  const plain: EvmWorker = {
    ...context,
    ...parts,
    rpc: { ...parts.rpc, sendRaw },
    // A block of the local chain: asking more often only takes the core from what is asked.
    pace: { scanEveryMs: 200, replaceAfterMs: options.replaceAfterMs ?? 5_000 },
  };
  const base = options.decorateWorker?.(plain) ?? plain;
  const settlement = {
    network,
    start: (shared: typeof context) => startEvmSettlement({ ...base, ...shared }),
  };
  const { app, worker } = await run([parts.apiNetwork], [settlement], base);
  const assertSound = async () => refuseViolations(await audit(base));
  const closeSound = async () => {
    try {
      await storedFirst.assertHeld();
    } finally {
      await close();
    }
  };
  return { url, app, store, parts, base, worker, assertSound, close: closeSound };
}

export const usdc = (text: string) => microUsdc(BigInt(Math.round(Number(text) * 1_000_000)));
