import { createApi } from '../api/app.ts';
import type { RunningWorker } from '../worker/start.ts';
import { settleOldDeliveries, toApiDependencies } from './api.ts';
import { startBotRole } from './bot.ts';
import { openSharedParts, type SharedParts, type Opened } from './shared-parts.ts';
import type { FetchApp } from './http.ts';
import { listenForMetrics, startMetrics } from './metrics.ts';
import type { ServiceOptions } from './options.ts';
import { startWorkerRole } from './worker.ts';

export type Service = SharedParts & { close: () => Promise<void> };

/**
 * Starts the chosen roles in this process and wires them: the API wakes the worker, the worker's announcements wake
 * waiting requests, the bot pays over HTTP like any other payer. Closes everything it opened when a step fails.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const opened: Opened = [];
  const close = async () => {
    while (opened.length > 0) await opened.pop()?.();
  };
  try {
    return { ...(await startRoles(options, opened)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startRoles(options: ServiceOptions, opened: Opened): Promise<SharedParts> {
  const { roles } = options;
  const startedAtMs = Date.now();
  const running: { worker: RunningWorker | null } = { worker: null };
  const metricsServer = await listenForMetrics(options.config);
  if (metricsServer !== null) opened.push(metricsServer.close);
  const shared = await openSharedParts(options, opened, async (id) => running.worker?.onWakeUp(id));
  if (roles.includes('worker')) {
    running.worker = await startWorkerRole(options, shared);
    opened.push(running.worker.close);
  }
  const api = toApiDependencies(options, shared, running.worker, startedAtMs);
  if (roles.includes('api')) await settleOldDeliveries(api);
  const metrics = await startMetrics(options, shared, metricsServer);
  if (metrics !== null) opened.push(metrics.close);
  const apiApp = createApi(api, roles.includes('api'), metrics?.mounted);
  const bot = roles.includes('bot') ? await startBotRole(options, shared, metrics?.mounted.metrics) : null;
  if (bot !== null) opened.push(bot.close);
  shared.server.serve(bot === null ? apiApp.fetch : beside(bot.fetch, apiApp.fetch));
  // Requests are answered before anything that answers them is closed.
  opened.push(shared.server.close);
  bot?.start();
  return shared;
}

/** The bot's pages live under /chat, /wallet and /pay, and Telegram calls it; everything else is the API's. */
function beside(bot: FetchApp, api: FetchApp): FetchApp {
  return (request, env) => (BOT_PATHS.test(new URL(request.url).pathname) ? bot(request, env) : api(request, env));
}

const BOT_PATHS = /^\/(?:chat|wallet|pay|telegram)(?:\/|$)/;
