import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Hono } from 'hono';
import { pino } from 'pino';
import { createHealthApp } from '../../api/health.ts';
import type { ApiDependencies } from '../../api/dependencies.ts';
import { createRateLimiter } from '../../api/rate-limiter.ts';
import { createRestApp } from '../../api/rest/app.ts';
import type { ApiEnv } from '../../api/rest/env.ts';
import { addressOfKey } from '../../chain/base/key.ts';
import { createIds } from '../../core/ids.ts';
import { microUsdc, ZERO_USDC } from '../../core/money.ts';
import { openStore } from '../../db/open.ts';
import type { Store } from '../../db/store.ts';
import { createLocalIdentity } from '../../local/identity.ts';
import { createAnnouncer } from '../../queue/announcer.ts';
import { createBaseParts, type BaseParts } from '../../service/base.ts';
import { listen } from '../../service/http.ts';
import { audit } from '../../worker/base/audit.ts';
import type { BaseWorker } from '../../worker/dependencies.ts';
import { startWorker, type RunningWorker } from '../../worker/start.ts';
import type { ChatSender } from '../../worker/receipts.ts';

type Hex = `0x${string}`;
const randomKey = () => `0x${randomBytes(32).toString('hex')}` as Hex;

export type TestServiceOptions = {
  rpcUrl: string;
  fundEth: (address: Hex, wei: bigint) => Promise<void>;
  settlementWaitMs?: number;
  keys?: { treasuryKey: Hex; laneKeys: Hex[] };
  databasePath?: string;
  replaceAfterMs?: number;
  exposureCapMicroUsdc?: bigint;
  feeBps?: number;
  claimTtlMs?: number;
  requestsPerMinute?: number;
  paymentsPerMinute?: number;
  refundMinMicroUsdc?: bigint;
  now?: () => number;
  senders?: Record<string, ChatSender>;
  decorate?: (dependencies: ApiDependencies) => ApiDependencies;
  decorateWorker?: (worker: BaseWorker) => BaseWorker;
  runWorker?: boolean;
};

export type TestService = {
  url: string;
  app: Hono<ApiEnv>;
  store: Store;
  parts: BaseParts;
  base: BaseWorker;
  worker: RunningWorker | null;
  /** Every invariant of the money model, and the ledger against the chain; throws with what is broken. */
  assertSound: () => Promise<void>;
  close: () => Promise<void>;
};

/** API and worker in this process on real SQLite and a real local chain; no Redis, as when it is away. */
export async function startTestService(options: TestServiceOptions): Promise<TestService> {
  const dir = mkdtempSync(join(tmpdir(), 'pennypost-service-'));
  const keys = options.keys ?? { treasuryKey: randomKey(), laneKeys: [randomKey(), randomKey(), randomKey()] };
  for (const key of keys.laneKeys) await options.fundEth(addressOfKey(key), 10n ** 20n);
  const parts = createBaseParts('local', options.rpcUrl, keys);
  const store = await openStore({ kind: 'sqlite', path: options.databasePath ?? join(dir, 'test.sqlite') });
  const log = pino({ level: process.env['TEST_LOG'] ?? 'silent' });
  const announcer = createAnnouncer({ target: null, log });
  const server = await listen('127.0.0.1', 0);
  const url = `http://127.0.0.1:${server.port}`;
  const ids = createIds(randomBytes);
  const now = options.now ?? (() => Date.now());
  const failpoint = () => undefined;
  const plain: BaseWorker = {
    store,
    ...parts,
    ids,
    now,
    log,
    failpoint,
    announce: (paymentIds) => paymentIds.forEach((id) => announcer.announce(`payment:${id}`)),
    settings: {
      baseUrl: url,
      exposureCapMicroUsdc: options.exposureCapMicroUsdc ?? 2_000_000_000n,
      refundMinMicroUsdc: options.refundMinMicroUsdc ?? 50_000n,
      scanEveryMs: 50,
      replaceAfterMs: options.replaceAfterMs ?? 5_000,
      tipWei: 1_000_000n,
    },
  };
  const base = options.decorateWorker?.(plain) ?? plain;
  const worker =
    options.runWorker === false
      ? null
      : await startWorker({
          store,
          base,
          baseUrl: url,
          now,
          log,
          senders: options.senders ?? {},
          ring: () => false,
          failpoint,
        });
  const plainApi: ApiDependencies = {
    store,
    identity: createLocalIdentity('configured'),
    ids,
    now,
    log,
    startedAtMs: now(),
    failpoint,
    networks: [parts.apiNetwork],
    ring: () => worker?.wake(),
    waitForChange: async (id, timeoutMs, signal) =>
      (await announcer.waitFor(`payment:${id}`, timeoutMs, signal)) === 'announced',
    queueAnswers: async () => true,
    callerLimiter: createRateLimiter(options.requestsPerMinute ?? 0, now),
    payerLimiter: createRateLimiter(options.paymentsPerMinute ?? 0, now),
    settings: {
      baseUrl: url,
      deliveryOwner: 'test',
      feeBps: options.feeBps ?? 0,
      feeFlat: ZERO_USDC,
      claimTtlMs: options.claimTtlMs ?? 30 * 24 * 3_600_000,
      settlementWaitMs: options.settlementWaitMs ?? 20_000,
      localMode: true,
      botApiToken: 'the-bot-token-of-the-test-0123456789',
      trustedProxies: ['127.0.0.1'],
      operator: { name: 'the test', supportUrl: '', termsUrl: '' },
    },
  };
  const dependencies = options.decorate?.(plainApi) ?? plainApi;
  const app = createRestApp(dependencies);
  app.route('/', createHealthApp(dependencies));
  server.serve((request, env) => app.fetch(request, env));
  return {
    url,
    app,
    store,
    parts,
    base,
    worker,
    assertSound: () => assertSound(base),
    close: async () => {
      await server.close();
      await worker?.close();
      await announcer.close();
      await store.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function assertSound(base: BaseWorker): Promise<void> {
  const violations = await audit(base);
  if (violations.length > 0) {
    throw new Error(violations.map(({ rule, detail }) => `${rule}: ${detail}`).join('\n'));
  }
}

export const usdc = (text: string) => microUsdc(BigInt(Math.round(Number(text) * 1_000_000)));
