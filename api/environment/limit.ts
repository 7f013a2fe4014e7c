import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { AppError } from '../../core/errors.ts';
import type { ApiDependencies } from './dependencies.ts';
import { callerAddress, hasBotToken } from '../http/caller.ts';
import { costOf } from '../http/costs.ts';
import type { ApiEnv } from '../http/env.ts';

/** What people read. A picture is not among them: it is drawn beside, and would hold its turn for that long. */
const READ = /^\/(?:$|receipts\/[^/]+$|rewards\/[^/]+$|claim\/|claims\/(?!callback\/))/;
/** Of what people read, so much is worked on at once. */
const READ_AT_ONCE = 8;
/** Who comes later is told so at once. */
const WAITING_MAX = 256;

/** Never refused: over the limit the static picture is the answer. */
const IS_PICTURE = /^\/receipts\/[^/]+\/preview\.png$/;

/** A caller with a proof that is known already is answered over any limit, so these look at the proof themselves. */
const MAY_BE_PAID = /^\/(?:payments\/|rewards(?:\/|$)|mcp$|a2a$)/;

/**
 * Counts every request by its cost, per IPv4 address or /64, before anything else looks at it. Callers with the bot's
 * token, and those that `isProven` knows by a secret, are not counted.
 */
export function limitRequests(
  { callerLimiter, settings }: Pick<ApiDependencies, 'callerLimiter' | 'settings'>,
  isProven: (request: Request) => boolean = () => false,
) {
  return createMiddleware<ApiEnv>(async (c, next) => {
    const { method, path } = c.req;
    const cost = costOf({ method, path, accept: c.req.header('Accept') });
    if (cost === 0 || hasBotToken(c, settings.botApiToken) || isProven(c.req.raw)) return next();
    const address = callerAddress(c, settings.isTrustedProxy);
    if (callerLimiter.allows(address, cost)) return next();
    const retryAfterSeconds = callerLimiter.retryAfterSeconds(address, cost);
    if (!mayBePaid(c) && !IS_PICTURE.test(path)) throw new AppError('rate_limited', { retryAfterSeconds });
    c.set('overLimitSeconds', retryAfterSeconds);
    return next();
  });
}

function mayBePaid({ req: { method, path } }: Context<ApiEnv>): boolean {
  return MAY_BE_PAID.test(path) && (method === 'POST' || path === '/payments/validate');
}

/**
 * Payments share one thread with pages. A payment takes many short steps, and between two of them as many pages are worked
 * on as are under way: without turns a few hundred readers would make a payer wait for all of them each time.
 */
export function takeTurns(atOnce = READ_AT_ONCE) {
  const waiting: (() => void)[] = [];
  let underWay = 0;
  return createMiddleware<ApiEnv>(async ({ req: { method, path } }, next) => {
    if (method === 'POST' || !READ.test(path)) return next();
    if (waiting.length >= WAITING_MAX) throw new AppError('rate_limited', { retryAfterSeconds: 2 });
    if (underWay >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else underWay += 1;
    try {
      await next();
    } finally {
      const first = waiting.shift();
      if (first === undefined) underWay -= 1;
      // The place goes from one to the next.
      else first();
    }
  });
}
