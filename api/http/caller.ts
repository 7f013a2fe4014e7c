import { createHash, timingSafeEqual } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { Context } from 'hono';
import type { ApiEnv } from './env.ts';
import type { ProxyTrust } from './proxies.ts';

/**
 * The caller's address for limits: that of the connection or, behind proxies that the operator trusts, the one that the
 * last of them vouches for. Any other client could write anything into the header.
 */
export function callerAddress(c: Context<ApiEnv>, isTrustedProxy: ProxyTrust): string {
  let address = connectionAddress(c);
  const hops = (c.req.header('x-forwarded-for') ?? '').split(',').map((hop) => hop.trim());
  while (isTrustedProxy(address)) {
    const next = hops.pop();
    if (next === undefined || next === '') break;
    address = plain(next);
  }
  return callerOf(address);
}

/** What stands for one caller: an IPv4 address or, of IPv6, the network, since its owner has 2^64 addresses. */
export function callerOf(address: string): string {
  const own = plain(address);
  return own.includes(':') && isIPv6(own) ? networkOf(own) : own;
}

/** The other end of the connection: a proxy, where there is one. */
export function connectionAddress(c: Context<ApiEnv>): string {
  return plain(c.env?.incoming?.socket.remoteAddress ?? 'unknown');
}

/** Its first 64 bits, as four groups. */
function networkOf(address: string): string {
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::');
  const groups = head === '' ? [] : head.split(':');
  // "::" stands for zeros, and what follows it may reach into the first half.
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - groups.length - after.length)).fill('0');
  const all = [...groups, ...zeros, ...after].slice(0, 4);
  return `${all.map((group) => group.toLowerCase().replace(/^0+(?=.)/, '')).join(':')}::/64`;
}

/** IPv4 over an IPv6 socket is the same caller. */
function plain(address: string): string {
  return address.replace(/^::ffff:/i, '');
}

/**
 * The bot's service token. It lifts per-IP limits, opens bot-only routes and vouches for the sender's name; the bot
 * pays like any caller. Digests are compared, so that the time of comparing does not give away the token's length
 * either.
 */
export function hasBotToken(c: Context<ApiEnv>, token: string | null): boolean {
  const given = /^Bearer +([^ ]+)$/i.exec(c.req.header('Authorization') ?? '')?.[1];
  if (token === null || given === undefined) return false;
  return timingSafeEqual(digestOf(given), digestOf(token));
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
