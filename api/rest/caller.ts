import { createHash, timingSafeEqual } from 'node:crypto';
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

/**
 * The bot's service token. It lifts per-IP limits, opens bot-only routes and vouches for the sender's name; the bot pays
 * like everybody. Digests are compared, because the time of comparing must not tell the token's length either.
 */
export function hasBotToken(c: Context<ApiEnv>, token: string | null): boolean {
  const given = /^Bearer +([^ ]+)$/i.exec(c.req.header('Authorization') ?? '')?.[1];
  if (token === null || given === undefined) return false;
  return timingSafeEqual(digestOf(given), digestOf(token));
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
