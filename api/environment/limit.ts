import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { AppError } from '../../core/errors.ts';
import type { ApiDependencies } from './dependencies.ts';
import { callerAddress, hasBotToken } from '../http/caller.ts';
import { costOf } from '../http/costs.ts';
import type { ApiEnv } from '../http/env.ts';

/** Never refused: over the limit the static picture is the answer. */
const IS_PICTURE = /^\/receipts\/[^/]+\/preview\.png$/;

/** A caller with a proof that is known already is answered over any limit, so these look at the proof themselves. */
const MAY_BE_PAID = /^\/(?:payments\/|rewards(?:\/|$)|mcp$|a2a$)/;

/** Names the link that a request came by, where only its holder has it; null for a stranger. */
export type LinkOf = (c: Context<ApiEnv>) => Promise<string | null>;
export const NO_LINKS: LinkOf = async () => null;

type Limits = Pick<ApiDependencies, 'callerLimiter' | 'linkLimiter' | 'settings'>;

/**
 * Counts every request by its cost, per IPv4 address or /64, before anything else looks at it. Callers with the bot's
 * token, and those that `isProven` knows by a secret, are not counted. Strangers may share an address with the holder of a
 * link: beyond the limit each link has some requests of its own.
 */
export function limitRequests(
  { callerLimiter, linkLimiter, settings }: Limits,
  isProven: (request: Request) => boolean = () => false,
  linkOf: LinkOf = NO_LINKS,
) {
  return createMiddleware<ApiEnv>(async (c, next) => {
    const { method, path } = c.req;
    const cost = costOf({ method, path, accept: c.req.header('Accept') });
    if (cost === 0 || hasBotToken(c, settings.botApiToken) || isProven(c.req.raw)) return next();
    const address = callerAddress(c, settings.isTrustedProxy);
    if (callerLimiter.allows(address, cost)) return next();
    const retryAfterSeconds = callerLimiter.retryAfterSeconds(address, cost);
    if (!mayBePaid(c) && !IS_PICTURE.test(path)) {
      const link = linkLimiter === undefined ? null : await linkOf(c);
      if (link !== null && linkLimiter?.allows(link, cost) === true) return next();
      const ofLink = link === null ? undefined : linkLimiter?.retryAfterSeconds(link, cost);
      throw new AppError('rate_limited', { retryAfterSeconds: Math.min(ofLink ?? Infinity, retryAfterSeconds) });
    }
    c.set('overLimitSeconds', retryAfterSeconds);
    return next();
  });
}

function mayBePaid({ req: { method, path } }: Context<ApiEnv>): boolean {
  return MAY_BE_PAID.test(path) && (method === 'POST' || path === '/payments/validate');
}
