import type { Context, MiddlewareHandler } from 'hono';
import { createMiddleware } from 'hono/factory';
import { matchedRoutes } from 'hono/route';
import { Counter, Histogram, type Registry } from 'prom-client';
import type { ApiEnv } from '../http/env.ts';

/** From a challenge (a millisecond) to a payment that waits for its settlement (20 s at most). */
const BUCKETS_SECONDS = [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 25];
const DURATIONS = 'pennypost_http_request_duration_seconds';
const LABELS = ['route', 'method', 'status'] as const;
type Label = (typeof LABELS)[number];
/** Callers may send any method; each one that HTTP knows would otherwise be a series of its own. */
const METHODS = ['GET', 'HEAD', 'POST', 'OPTIONS'];

/** Counts and times every request that comes after it. Mount it first. */
export function createRequestCounter(registry: Registry, monotonicMs: () => number): MiddlewareHandler<ApiEnv> {
  const durations = new Histogram({
    name: DURATIONS,
    help: 'How long requests waited for their answer; of an event stream, for its beginning.',
    labelNames: LABELS,
    buckets: BUCKETS_SECONDS,
    registers: [registry],
  });
  tellRequests(registry, durations);
  return createMiddleware<ApiEnv>(async (c, next) => {
    const startedMs = monotonicMs();
    await next();
    const labels = { route: routeOf(c), method: methodOf(c), status: String(c.res.status) };
    durations.observe(labels, (monotonicMs() - startedMs) / 1_000);
  });
}

/** The histogram has counted already; counting each request a second time would cost as much again. */
function tellRequests(registry: Registry, durations: Histogram<Label>): void {
  new Counter({
    name: 'pennypost_http_requests_total',
    help: 'Requests that were answered, by the pattern of their route.',
    labelNames: LABELS,
    registers: [registry],
    async collect() {
      const { values } = await durations.get();
      // Without a pause in between, or two readers at once would see twice as many.
      this.reset();
      for (const { metricName, labels, value } of values) {
        if (metricName === `${DURATIONS}_count`) this.inc(labels, value);
      }
    },
  });
}

/**
 * The pattern, such as `/receipts/:slug`, never the path: that names people and receipts, and strangers choose it. A
 * pattern with a star is a middleware's, which does not show what answered.
 */
function routeOf(c: Context<ApiEnv>): string {
  const pattern = matchedRoutes(c).findLast(({ path }) => !path.includes('*'))?.path;
  if (pattern === undefined) return 'unknown';
  // Their names change with their content.
  return pattern.startsWith('/assets/') ? '/assets' : pattern;
}

function methodOf(c: Context<ApiEnv>): string {
  return METHODS.includes(c.req.method) ? c.req.method : 'other';
}
