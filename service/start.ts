import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { createApi } from '../api/app.ts';
import type { ApiDependencies } from '../api/dependencies.ts';
import { toBaseUrl } from '../core/config/sections.ts';
import type { Config, Role } from '../core/config.ts';
import type { Failpoint } from '../core/failpoints.ts';
import { createIds } from '../core/ids.ts';
import { missDeliveriesOf } from '../db/payments/deliver.ts';
import { openStore } from '../db/open.ts';
import { stampStore } from '../db/stamp.ts';
import type { Store } from '../db/store.ts';
import { startWorker, type RunningWorker } from '../worker/start.ts';
import { createBaseParts, type BaseParts } from './base.ts';
import { startBot } from './bot.ts';
import { listen, type FetchApp } from './http.ts';
import { connectQueue, type QueueConnection } from './queue.ts';
import { prepareSurroundings, type Surroundings } from './surroundings.ts';

export type ServiceOptions = {
  config: Config;
  roles: readonly Role[];
  log: Logger;
  failpoint: (name: Failpoint) => void;
  /** Says what is being done, for a person who waits. */
  progress: (text: string) => void;
  /** Secrets that local mode made and the log must not show. */
  addSecrets: (secrets: readonly string[]) => void;
  /** How long a request waits for its settlement. */
  settlementWaitMs?: number;
  blockTimeMs?: number;
};

export type Service = {
  url: string;
  surroundings: Surroundings;
  parts: BaseParts;
  store: Store;
  close: () => Promise<void>;
};

const SETTLEMENT_WAIT_MS = 20_000;
const DAY_MS = 24 * 3_600_000;

/**
 * Starts the chosen roles in this process and wires them: the API wakes the worker, the worker's announcements wake
 * waiting requests, the bot pays over HTTP like anybody else. Closes everything it opened when a step fails.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const opened: (() => Promise<void>)[] = [];
  const close = async () => {
    while (opened.length > 0) await opened.pop()?.();
  };
  try {
    return { ...(await start(options, opened)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function start(options: ServiceOptions, opened: (() => Promise<void>)[]): Promise<Omit<Service, 'close'>> {
  const { config, roles, log, failpoint } = options;
  const startedAtMs = Date.now();
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const server = await listen(config.http.host, config.http.port);
  opened.push(server.close);
  const url = toBaseUrl(config.http.host, server.port);
  const baseUrl = config.http.baseUrl ?? url;

  const surroundings = await prepareSurroundings(options);
  opened.push(surroundings.close);
  const parts = createBaseParts(config.mode, surroundings.base.rpcUrl, surroundings.base.keys);
  await checkChain(parts);

  const stamp = { mode: config.mode, chain: parts.profile.caip2, token: parts.profile.usdc, treasury: parts.treasury.address };
  const store = await openStore(config.databaseUrl);
  opened.push(store.close);
  await stampStore(store, { ...stamp, ...surroundings.stamp }).catch(surroundings.explainStamp);

  let worker: RunningWorker | null = null;
  const queue = await connectQueue({
    target: surroundings.redis,
    stamp,
    log,
    runsWorker: roles.includes('worker'),
    onBell: async (id) => worker?.onBell(id),
  });
  opened.push(queue.close);

  const ids = createIds(randomBytes);
  const now = () => Date.now();
  if (roles.includes('worker')) {
    worker = await startWorker({
      store,
      baseUrl,
      now,
      log,
      failpoint,
      senders: { web: queue.webSender(store, now) },
      ring: queue.ring,
      base: {
        store,
        ...parts,
        ids,
        now,
        log,
        failpoint,
        announce: (paymentIds) => paymentIds.forEach((id) => queue.announce(`payment:${id}`)),
        settings: {
          baseUrl,
          exposureCapMicroUsdc: config.limits.exposureCapMicroUsdc,
          scanEveryMs: config.mode === 'local' ? 150 : 500,
          replaceAfterMs: config.mode === 'local' ? 5_000 : 8_000,
          tipWei: 1_000_000n,
        },
      },
    });
    opened.push(worker.close);
  }

  const deliveryOwner = `${hostname()}:${server.port}`;
  const api: ApiDependencies = {
    store,
    identity: surroundings.identity,
    ids,
    now,
    log,
    startedAtMs,
    failpoint,
    networks: [parts.apiNetwork],
    ring: (outboxId) => ringWorker(worker, queue, outboxId),
    waitForChange: (id, timeoutMs, signal) => queue.waitFor(`payment:${id}`, timeoutMs, signal),
    queueAnswers: queue.answers,
    settings: {
      baseUrl,
      deliveryOwner,
      feeBps: config.fees.bps,
      feeFlat: config.fees.flatMicroUsdc,
      claimTtlMs: config.limits.claimTtlDays * DAY_MS,
      settlementWaitMs: options.settlementWaitMs ?? SETTLEMENT_WAIT_MS,
      localMode: config.mode === 'local',
      operator: {
        name: config.operator.name,
        supportUrl: config.operator.supportUrl ?? '',
        termsUrl: config.operator.termsUrl ?? '',
      },
    },
  };
  if (roles.includes('api')) await missDeliveriesOf(store, [deliveryOwner]);
  const apps: FetchApp[] = [];
  if (roles.includes('bot')) {
    const bot = await startBot({ config, store, parts, surroundings, queue, apiUrl: url, log });
    opened.push(bot.close);
    apps.push(bot.fetch);
  }
  const apiApp = createApi(api, roles.includes('api'));
  server.serve(async (request, env) => {
    for (const app of apps) {
      const answer = await app(request, env);
      if (answer.status !== 404 || answer.headers.has('x-chat')) return answer;
    }
    return apiApp.fetch(request, env);
  });
  return { url, surroundings, parts, store };
}

/** In one process the worker is woken directly; elsewhere the queue carries the bell. */
function ringWorker(worker: RunningWorker | null, queue: QueueConnection, outboxId: number | null): void {
  if (worker !== null) worker.wake();
  else if (outboxId !== null) queue.ring([{ id: outboxId, topic: 'payment' }]);
}

/** A wrong or dead node is said at once, before anything depends on it. */
async function checkChain({ rpc, profile }: BaseParts): Promise<void> {
  let chainId: number;
  try {
    chainId = await rpc.chainId();
  } catch {
    throw new Error('BASE_RPC_URL does not answer. Check that the node runs and that the address is right.');
  }
  if (chainId !== profile.chainId) {
    throw new Error(`BASE_RPC_URL is chain ${chainId}; this mode needs chain ${profile.chainId}.`);
  }
}

