/** API and worker in this process on real SQLite, for whichever networks a test brings; no Redis, as when it is away. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { ApiDependencies, ApiNetwork, Events } from '../../api/environment/dependencies.ts';
import { createFront } from '../../api/app.ts';
import { createHealthApp } from '../../api/health/app.ts';
import { createRateLimiter } from '../../queue/rate-limiter.ts';
import { createResponses } from '../../api/responses/responses.ts';
import { createRestApp } from '../../api/rest/app.ts';
import { CARRIERS, type Carriers } from '../../core/transfers/carriers.ts';
import { createIds } from '../../core/ids.ts';
import type { TransferIdOf } from '../../core/transfers/source.ts';
import { ZERO_USDC } from '../../core/money.ts';
import { openMigrated } from './databases/migrated.ts';
import type { DatabaseAddress } from '../../db/store/open.ts';
import type { Store } from '../../db/store/store.ts';
import type { PayoutSettings } from '../../db/limits/settings.ts';
import type { Identity } from '../../identity/port.ts';
import { createLocalIdentity } from '../../local/identity.ts';
import { createAnnouncer } from '../../queue/announcer.ts';
import { listen } from '../../service/http/server.ts';
import { createLoneHolder } from '../worker/lone-holder.ts';
import { startProcess } from '../../service/readiness/process.ts';
import type { WorkerContext } from '../../worker/dependencies.ts';
import type { ChatSender } from '../../worker/chat/sender.ts';
import type { EventTools } from '../../worker/events/events.ts';
import type { NetworkSettlement } from '../../worker/settlement.ts';
import { startWorker } from '../../worker/start.ts';
import { createTestCollecting } from './claims/collecting.ts';
import { testTransferIds } from './transfers/transfer-ids.ts';

export type TestRolesOptions = {
  settlementWaitMs?: number;
  databasePath?: string;
  /** Another database than that file. */
  database?: DatabaseAddress;
  /** Ids as the keys of this installation make them, where its operator runs commands beside it. */
  transferIdOf?: TransferIdOf;
  /** What the process signs is stored through this. */
  guard?: (store: Store) => Promise<Store>;
  exposureCapMicroUsdc?: bigint;
  feeBps?: number;
  claimTtlMs?: number;
  requestsPerMinute?: number;
  paymentsPerMinute?: number;
  refundMinMicroUsdc?: bigint;
  /** For controls, which take a rule away. */
  carriers?: Carriers;
  /** Without limits, and every network for itself, unless told otherwise. */
  payouts?: PayoutSettings;
  now?: () => number;
  /** Who knows whom a name means; everybody exists when it is left out. */
  identity?: Identity;
  senders?: Record<string, ChatSender>;
  /** Payers are told of events, and register for them, by these; absent: they are not. */
  events?: { api: Events; worker: EventTools };
  decorate?: (dependencies: ApiDependencies) => ApiDependencies;
  runWorker?: boolean;
};

export type TestRoles = Awaited<ReturnType<typeof layTestRoles>>;

export async function layTestRoles(options: TestRolesOptions) {
  const dir = mkdtempSync(join(tmpdir(), 'pennypost-service-'));
  const sqlite = { kind: 'sqlite' as const, path: options.databasePath ?? join(dir, 'test.sqlite') };
  const opened = await openMigrated(options.database ?? sqlite);
  const log = pino({ level: process.env['TEST_LOG'] ?? 'silent' });
  const announcer = createAnnouncer({ target: null, log });
  const server = await listen('127.0.0.1', 0);
  const lease = await startProcess({ store: opened, roles: ['api', 'worker'], address: `test:${server.port}`, log });
  const store = (await options.guard?.(opened)) ?? opened;
  const url = `http://127.0.0.1:${server.port}`;
  const context: WorkerContext = {
    store,
    ids: createIds(randomBytes),
    transferIdOf: options.transferIdOf ?? testTransferIds,
    now: options.now ?? (() => Date.now()),
    log,
    failpoint: () => undefined,
    holder: createLoneHolder(),
    announce: (paymentIds) => paymentIds.forEach((id) => announcer.announce(`payment:${id}`)),
    settings: {
      baseUrl: url,
      retentionDays: 180,
      mailsDailyMax: null,
      exposureCapMicroUsdc: options.exposureCapMicroUsdc ?? 2_000_000_000n,
      refundMinMicroUsdc: options.refundMinMicroUsdc ?? 50_000n,
      carriers: options.carriers ?? CARRIERS,
    },
  };
  const identity = options.identity ?? createLocalIdentity('configured');
  const closers: (() => Promise<void>)[] = [];

  return {
    url,
    store,
    context,
    run: async (
      networks: readonly ApiNetwork[],
      settlements: readonly NetworkSettlement[],
      shared: WorkerContext = context,
    ) => {
      const workerOptions = {
        ...shared,
        networks: settlements,
        identity,
        senders: options.senders ?? {},
        ...(options.events && { events: options.events.worker }),
        payouts: options.payouts ?? { dailyMicroUsdc: { payer: null, recipient: null }, treasuries: {} },
        notify: () => false,
      };
      const worker = options.runWorker === false ? null : await startWorker(workerOptions);
      if (worker !== null) closers.push(worker.close);
      const plain = toApi(options, context, networks, {
        identity,
        notify: () => worker?.wake(),
        responses: createResponses({ store, lease, log, announcer }),
        waitForChange: async (id, timeoutMs, signal) =>
          (await announcer.waitFor(`payment:${id}`, timeoutMs, signal)) === 'announced',
      });
      const dependencies = options.decorate?.(plain) ?? plain;
      const app = createFront(dependencies);
      app.route('/', createRestApp(dependencies));
      app.route('/', createHealthApp(dependencies));
      server.serve((request, env) => app.fetch(request, env));
      return { app, worker };
    },
    close: async () => {
      await server.close();
      for (const close of closers) await close();
      await announcer.close();
      await lease.close();
      await store.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

function toApi(
  options: TestRolesOptions,
  { store, ids, now, log, failpoint, settings }: WorkerContext,
  networks: readonly ApiNetwork[],
  wiring: Pick<ApiDependencies, 'identity' | 'notify' | 'waitForChange' | 'responses'>,
): ApiDependencies {
  return {
    store,
    ids,
    now,
    log,
    failpoint,
    networks,
    ...wiring,
    ...(options.events && { events: options.events.api }),
    collecting: createTestCollecting({ store, ids, now, log, ...wiring }),
    startedAtMs: now(),
    queueAnswers: async () => true,
    callerLimiter: createRateLimiter(options.requestsPerMinute ?? 0, now),
    payerLimiter: createRateLimiter(options.paymentsPerMinute ?? 0, now),
    settings: {
      baseUrl: settings.baseUrl,
      feeBps: options.feeBps ?? 0,
      feeFlat: ZERO_USDC,
      claimTtlMs: options.claimTtlMs ?? 30 * 24 * 3_600_000,
      settlementWaitMs: options.settlementWaitMs ?? 60_000,
      localMode: true,
      reservationsMax: null,
      picturesDir: null,
      botApiToken: 'the-bot-token-of-the-test-0123456789',
      isTrustedProxy: (address) => address === '127.0.0.1',
      operator: { name: 'the test', supportUrl: '', termsUrl: '' },
    },
  };
}
