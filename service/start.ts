import type { HttpBindings } from '@hono/node-server';
import { createApi, createFront } from '../api/app.ts';
import type { ApiDependencies } from '../api/environment/dependencies.ts';
import type { RunningWorker } from '../worker/start.ts';
import { isFromTelegram } from '../bot/telegram/webhook.ts';
import { toApiDependencies } from './api.ts';
import { startBotRole } from './bot.ts';
import { askDatabase, openSharedParts, type SharedParts, type Opened } from './shared-parts.ts';
import type { FetchApp } from './http/server.ts';
import { listenForMetrics, startMetrics } from './metrics.ts';
import type { ServiceOptions } from './options.ts';
import { readSettling } from '../api/health/health.ts';
import { createAdmission } from '../api/admission/admission.ts';
import type { PassPoint } from '../core/failpoints.ts';
import type { Network } from '../core/networks.ts';
import { readBacklog } from '../db/payments/backlog.ts';
import { countServing } from '../db/processes/lease.ts';
import { createJob } from '../queue/job.ts';
import { openTracing } from './tracing/open.ts';
import { createWaits } from './readiness/waits.ts';
import { createWatch } from './readiness/watch.ts';
import { startWorkerRole } from './worker.ts';

export type Service = SharedParts & { close: () => Promise<void> };

/**
 * Starts the chosen roles in this process and wires them: the API wakes the worker, the worker's announcements wake
 * waiting requests, the bot pays over HTTP like any other payer. What is missing is waited for; only what waiting does
 * not cure ends it, with everything closed that it opened.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const opened: Opened = [];
  const ending = new AbortController();
  const closing = AbortSignal.any([ending.signal, ...(options.closing ? [options.closing] : [])]);
  const close = async () => {
    ending.abort();
    while (opened.length > 0) await opened.pop()?.();
  };
  try {
    return { ...(await startRoles({ ...options, closing }, opened)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

type Stoppable = ServiceOptions & { closing: AbortSignal };

async function startRoles(given: Stoppable, opened: Opened): Promise<SharedParts> {
  const { roles, closing } = given;
  const waits = createWaits(given);
  const startedAtMs = Date.now();
  const running: { worker: RunningWorker | null } = { worker: null };
  const metricsServer = await listenForMetrics(given.config);
  if (metricsServer !== null) opened.push(metricsServer.close);
  const shared = await openSharedParts(given, opened, waits, async (wakeUp) => running.worker?.onWakeUp(wakeUp));
  const options = await withTraces(given, shared, opened);
  if (roles.includes('worker')) {
    running.worker = await askDatabase(waits, () => startWorkerRole(options, shared));
    opened.push(running.worker.close);
  }
  const isOpen = (network: Network) => shared.openings.get(network)?.isOpen() === true;
  const state = { roles, waitingFor: waits.names, isStopping: () => closing.aborted };
  const asked = { ...toApiDependencies(options, shared, running.worker, startedAtMs), process: state };
  const watch = createWatch({ readSettling: () => readSettling(asked), isOpen, waits, log: options.log });
  const admission = createAdmission({
    now: asked.now,
    networks: [...shared.networks.keys()],
    read: () => readBacklog(shared.store),
    sharers: () => countServing(shared.store, 'api'),
    onRush: () => looks.wake(),
  });
  const looks = createJob({ name: 'admission', everyMs: ADMISSION_EVERY_MS, log: options.log, step: admission.look });
  const api = { ...asked, outageOf: watch.outageOf, admission };
  await askDatabase(waits, watch.look);
  const metrics = await startMetrics(options, shared, metricsServer);
  if (metrics !== null) opened.push(metrics.close);
  const apiApp = createApi(api, roles.includes('api'), metrics?.mounted);
  const bot = roles.includes('bot') ? await startBotRole(options, shared, metrics?.mounted.metrics) : null;
  if (bot !== null) opened.push(bot.close);
  const besides = options.beside?.(shared);
  shared.server.serve(bot === null ? apiApp.fetch : beside(behindFront(bot.fetch, api, options), apiApp.fetch));
  // Requests are answered before anything that answers them is closed; both ports at once, because a stop has one limit.
  opened.push(async () => void (await Promise.all([shared.server.close(), besides?.close()])));
  bot?.start();
  opened.push(watch.start().close);
  if (roles.includes('api')) {
    looks.start();
    opened.push(looks.close);
  }
  return shared;
}

/** Traces see what passes the failpoints. Closed after the roles, so that their last steps are sent too. */
async function withTraces(options: Stoppable, { store }: SharedParts, opened: Opened): Promise<Stoppable> {
  const tracing = await openTracing(options, store);
  if (tracing === null) return options;
  opened.push(tracing.close);
  const failpoint: PassPoint = (name, passage) => {
    tracing.pass(name, passage);
    options.failpoint(name, passage);
  };
  return { ...options, tracing, failpoint };
}

const ADMISSION_EVERY_MS = 1_000;

/** The bot's pages live under /chat, /purse and /pay (/wallet leads to /purse), and Telegram calls it; everything else is the API's. */
function beside(bot: FetchApp, api: FetchApp): FetchApp {
  return (request, env) => (BOT_PATHS.test(new URL(request.url).pathname) ? bot(request, env) : api(request, env));
}

/** Telegram calls from few addresses for all of its people, so what carries its secret is not counted. */
function behindFront(bot: FetchApp, api: ApiDependencies, { config }: ServiceOptions): FetchApp {
  const secret = config.telegram?.webhookSecret;
  const front = createFront(api, { isProven: (request) => secret !== undefined && isFromTelegram(request, secret) });
  front.all('*', (c) => bot(c.req.raw, c.env as HttpBindings));
  return front.fetch;
}

const BOT_PATHS = /^\/(?:chat|purse|wallet|pay|telegram)(?:\/|$)/;
