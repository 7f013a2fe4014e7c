import { timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import type { ApiEnv } from './env.ts';

/**
 * Who calls, for limits: the address of the connection or, behind proxies that the operator trusts, the address that
 * the last of them vouches for. Anybody else could write whatever they like into the header.
 */
export function callerAddress(c: Context<ApiEnv>, trustedProxies: readonly string[]): string {
  let address = plain(c.env?.incoming?.socket.remoteAddress ?? 'unknown');
  const hops = (c.req.header('x-forwarded-for') ?? '').split(',').map((hop) => hop.trim());
  while (trustedProxies.includes(address)) {
    const next = hops.pop();
    if (next === undefined || next === '') break;
    address = plain(next);
  }
  return address;
}

/** IPv4 over an IPv6 socket is the same caller. */
function plain(address: string): string {
  return address.replace(/^::ffff:/i, '');
}

/** The bot's service token. It lifts per-IP limits and opens bot-only routes; the bot pays like everybody. */
export function hasBotToken(c: Context<ApiEnv>, token: string | null): boolean {
  const given = /^Bearer (.+)$/.exec(c.req.header('Authorization') ?? '')?.[1];
  if (token === null || given === undefined) return false;
  const [a, b] = [Buffer.from(given), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}
