import type { MountedMetrics } from '../api/app.ts';
import { createMetricsApp } from '../api/metrics/app.ts';
import type { Config } from '../core/config/config.ts';
import { toBaseUrl } from '../core/config/sections.ts';
import type { SharedParts } from './shared-parts.ts';
import { listen, type HttpServer } from './http/server.ts';
import type { ServiceOptions } from './options.ts';

export type RunningMetrics = {
  /** For the main port, which answers to the admin token only. */
  mounted: MountedMetrics;
  close: () => Promise<void>;
};

/** Takes METRICS_PORT, at the same address as PORT; null when it is not set. Until `startMetrics` it answers 503. */
export async function listenForMetrics({ admin, http }: Config): Promise<HttpServer | null> {
  const { metricsPort } = admin;
  if (metricsPort === undefined) return null;
  try {
    return await listen(http.host, metricsPort);
  } catch (cause) {
    const found = `METRICS_PORT ${metricsPort} on ${http.host} cannot be used.`;
    throw new Error(`${found} Stop what listens there, or set METRICS_PORT to another.`, { cause });
  }
}

/** The metrics of every role of this process. Null without METRICS_PORT and ADMIN_TOKEN, since no caller could ask. */
export async function startMetrics(
  { config, log, tracing }: ServiceOptions,
  { store }: Pick<SharedParts, 'store'>,
  server: HttpServer | null,
): Promise<RunningMetrics | null> {
  const { token = null } = config.admin;
  if (server === null && token === null) return null;
  // Loading its library takes as long as wiring everything else, and most starts do not use it.
  const { createMetrics } = await import('../api/metrics/metrics.ts');
  const metrics = createMetrics({
    store,
    networks: config.networks,
    now: () => Date.now(),
    monotonicMs: () => performance.now(),
    log,
    ...(tracing && { spans: tracing.counts }),
  });
  if (server !== null) {
    server.serve(createMetricsApp(metrics, 'everyone', log).fetch);
    log.info({ url: `${toBaseUrl(config.http.host, server.port)}/metrics` }, 'metrics are served');
  }
  return {
    mounted: { metrics, token },
    close: async () => {
      await server?.close();
      await metrics.close();
    },
  };
}
