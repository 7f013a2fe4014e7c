import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { AppError } from '../../core/errors.ts';
import type { ApiEnv } from '../http/env.ts';
import { NO_LINKS, type LinkOf } from './limit.ts';

/** Pages. A picture is not one: it is drawn in another thread, and would hold its turn for all that time. */
const READ = /^\/(?:$|receipts\/[^/]+$|rewards\/[^/]+$|claim\/|claims\/(?!callback\/))/;

/**
 * `atOnce`: how many pages are worked on at a time. `waitingMax`: a reader beyond that is refused at once. `manyFrom`: with
 * fewer readers waiting nobody waits for long, and looking a link up would cost as much as it saves.
 */
export type TurnLimits = {
  atOnce: number;
  waitingMax: number;
  manyFrom: number;
  holdersMax: number;
  perLinkMax: number;
};
const LIMITS: TurnLimits = { atOnce: 8, waitingMax: 256, manyFrom: 64, holdersMax: 64, perLinkMax: 2 };

type Waiting = { link: string | null; go: () => void };

/**
 * Payments share one thread with pages. A payment takes many short steps, and between two of them every page under way
 * takes its own: without turns, a few hundred readers would hold a payer up at each step. Holders of a link have places
 * and every second turn of their own, but only a few for each link, because strangers make links too.
 */
export function takeTurns(
  { now, linkOf = NO_LINKS }: { now: () => number; linkOf?: LinkOf },
  changed: Partial<TurnLimits> = {},
) {
  const { atOnce, waitingMax, manyFrom, holdersMax, perLinkMax } = { ...LIMITS, ...changed };
  const strangers: Waiting[] = [];
  const holders: Waiting[] = [];
  let underWay = 0;
  let isHoldersTurn = true;
  let tookMs = 0;

  function queueFor(link: string | null): Waiting[] | null {
    const ofLink = link === null ? 0 : holders.filter((other) => other.link === link).length;
    if (link !== null && ofLink < perLinkMax && holders.length < holdersMax) return holders;
    return strangers.length < waitingMax ? strangers : null;
  }

  /** The place goes from one to the next. */
  function leave(): void {
    const [first, second] = isHoldersTurn ? [holders, strangers] : [strangers, holders];
    isHoldersTurn = !isHoldersTurn;
    const next = first.shift() ?? second.shift();
    if (next === undefined) underWay -= 1;
    else next.go();
  }

  async function takeTurn(c: Context<ApiEnv>): Promise<void> {
    const isMany = underWay >= atOnce && strangers.length >= manyFrom;
    const link = isMany ? await linkOf(c) : null;
    // Only now: while the link was looked up, all who could call the next one may have left.
    if (underWay < atOnce) {
      underWay += 1;
      return;
    }
    const queue = queueFor(link);
    if (queue === null) throw new AppError('rate_limited', { retryAfterSeconds: secondsUntilServed() });
    await new Promise<void>((go) => queue.push({ link, go }));
  }

  /** How long until all who wait now are served, judged by the last ones. */
  function secondsUntilServed(): number {
    return Math.max(1, Math.ceil(((strangers.length + holders.length) * tookMs) / atOnce / 1_000));
  }

  return createMiddleware<ApiEnv>(async (c, next) => {
    if (c.req.method === 'POST' || !READ.test(c.req.path)) return next();
    await takeTurn(c);
    const sinceMs = now();
    try {
      await next();
    } finally {
      tookMs = Math.max(0, tookMs + (now() - sinceMs - tookMs) / 8);
      leave();
    }
  });
}
