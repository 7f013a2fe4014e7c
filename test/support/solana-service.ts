import type { Hono } from 'hono';
import { Keypair } from '@solana/web3.js';

import type { ApiEnv } from '../../api/http/env.ts';
import { toBase58 } from '../../chain/solana/messages/base58.ts';
import type { Store } from '../../db/store/store.ts';
import { callRpc } from '../../local/processes/rpc.ts';
import { LAG_BLOCKS } from '../../local/solana/chain/commitment.ts';
import type { SolanaKeys } from '../../service/networks/keys.ts';
import { createSolanaParts, type SolanaParts } from '../../service/networks/solana.ts';
import type { AccountPolicy, SolanaWorker } from '../../worker/dependencies.ts';
import { audit } from '../../worker/solana/audit.ts';
import { startSolanaSettlement } from '../../worker/solana/start.ts';
import type { RunningWorker } from '../../worker/start.ts';
import { watchStoredFirst } from './chains/stored-first.ts';
import { layTestRoles, type TestRolesOptions } from './test-roles.ts';
import { refuseViolations } from './databases/refuse-violations.ts';
import { tieTestBooks } from './databases/tied-books.ts';

export type SolanaServiceOptions = TestRolesOptions & {
  rpcUrl: string;
  fundSol: (address: string, lamports: bigint) => Promise<unknown>;
  keys?: SolanaTestKeys;
  accounts?: Partial<AccountPolicy>;
  decorateWorker?: (worker: SolanaWorker) => SolanaWorker;
  /** Ties the books to the keys, as at each real start: they may have replaced others. */
  isTied?: boolean;
};

export type SolanaTestKeys = SolanaKeys;

export type SolanaService = {
  url: string;
  app: Hono<ApiEnv>;
  store: Store;
  parts: SolanaParts;
  solana: SolanaWorker;
  worker: RunningWorker | null;
  /** Every invariant of the money model, and the ledger against the chain; throws with what is broken. */
  assertSound: () => Promise<void>;
  close: () => Promise<void>;
};

export const randomSolanaKey = () => toBase58(Keypair.generate().secretKey);

const LAMPORTS = 100_000_000_000n;

/** API and worker in this process on a local Solana. */
export async function startSolanaService(options: SolanaServiceOptions): Promise<SolanaService> {
  const keys = options.keys ?? { treasuryKey: randomSolanaKey(), feePayerKey: randomSolanaKey() };
  const parts = createSolanaParts('local', options.rpcUrl, keys);
  for (const { address } of [parts.treasury, parts.feePayer]) {
    if ((await parts.rpc.lamports(address)) < LAMPORTS / 2n) await options.fundSol(address, LAMPORTS);
  }
  await openOwnAccounts(options.rpcUrl, parts);
  if (options.isTied === true) await tieTestBooks(options.databasePath, parts, keys);
  const { url, store, context, run, close } = await layTestRoles(options);
  const storedFirst = watchStoredFirst(store);
  const sendRaw: SolanaWorker['rpc']['sendRaw'] = async (wire) => {
    await storedFirst.beforeSend(wire);
    return parts.rpc.sendRaw(wire);
  };
  const plain: SolanaWorker = {
    ...context,
    ...parts,
    rpc: { ...parts.rpc, sendRaw },
    accounts: { policy: 'min-amount', minMicroUsdc: 1_000_000n, ageMinMs: 0, dailyMax: 200, ...options.accounts },
    pace: {
      followEveryMs: 50,
      scanEveryMs: 200,
      // Each look costs the processor that what is asked needs.
      idleScanEveryMs: 400,
      microLamportsPerUnit: 10_000,
      companyMax: 32,
    },
  };
  const solana = options.decorateWorker?.(plain) ?? plain;
  const settlement = {
    network: 'solana' as const,
    start: (shared: typeof context) => startSolanaSettlement({ ...solana, ...shared }),
  };
  const { app, worker } = await run([parts.apiNetwork], [settlement], solana);
  const assertSound = async () => refuseViolations(await audit(solana));
  const closeSound = async () => {
    try {
      await storedFirst.assertHeld();
    } finally {
      await close();
    }
  };
  return { url, app, store, parts, solana, worker, assertSound, close: closeSound };
}

/** What the worker would open and wait for at its first start is there, and final: own-account.test.ts looks at the opening. */
async function openOwnAccounts(rpcUrl: string, { rpc, treasury, treasuryAccount, task }: SolanaParts): Promise<void> {
  const own = [{ owner: treasury.address, account: treasuryAccount }];
  if (task !== null) own.push({ owner: task.key.address, account: task.account });
  const views = await rpc.tokenAccounts(own.map(({ account }) => account));
  const missing = own.filter((_one, index) => views[index]?.kind !== 'usdc');
  for (const { owner } of missing) await callRpc(rpcUrl, 'local_openUsdcAccount', [owner]);
  if (missing.length > 0) await callRpc(rpcUrl, 'local_warpSlots', [LAG_BLOCKS.finalized]);
}
