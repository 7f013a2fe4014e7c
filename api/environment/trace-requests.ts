import { createMiddleware } from 'hono/factory';
import type { ApiEnv } from '../http/env.ts';
import { routeOf } from '../http/route.ts';

/** What a trace may know of a request: the pattern of its route, never its path, headers or body. */
export type Answered = { method: string; route: string; status: number; traceParent: string | undefined };

export type RequestTraces = {
  /** Runs a request to its answer. */
  request: (run: () => Promise<Answered>) => Promise<void>;
};

export function traceRequests(traces: RequestTraces) {
  return createMiddleware<ApiEnv>((c, next) =>
    traces.request(async () => {
      await next();
      const { method } = c.req;
      return { method, route: patternOf(c), status: c.res.status, traceParent: c.req.header('traceparent') };
    }),
  );
}

/** An answer that is there is not lost for want of a name. */
function patternOf(c: Parameters<typeof routeOf>[0]): string {
  try {
    return routeOf(c);
  } catch {
    return 'unknown';
  }
}
