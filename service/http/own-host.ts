import type { Socket } from 'node:net';
import type { HttpBindings } from '@hono/node-server';
import type { ProxyTrust } from '../../api/http/proxies.ts';
import { isLoopback } from '../../core/config/readers.ts';
import { isOwnHostname } from '../../core/http/own-site.ts';
import type { Logger } from 'pino';

/** What supervisors ask by address. It holds nothing about anyone. */
const PROBES: readonly string[] = ['/health/live', '/health/ready'];

export type Site = {
  /** Without a given address it may name another port than the one that was taken: only its host name counts. */
  baseUrl: string;
  isTrustedProxy: ProxyTrust;
  log: Pick<Logger, 'warn'>;
};

type Exchange = Pick<HttpBindings, 'incoming'>;

/**
 * Whether a request may be answered: it names this service, or comes from a proxy that may call us by an inner name: one
 * that the operator trusts, or one on this machine. A play-money service on a machine of one's own has no proxy: there
 * the name of a foreign page that points at it would pass as one.
 */
export function isForUs(request: Request, { incoming }: Exchange, site: Site): boolean {
  const { hostname, pathname } = new URL(request.url);
  if (isOwnHostname(hostname, site.baseUrl) || PROBES.includes(pathname)) return true;
  if (isLoopback(new URL(site.baseUrl).hostname)) return false;
  const peer = peerOf(incoming.socket);
  return site.isTrustedProxy(peer) || (isLoopback(peer) && isLoopback(hostname));
}

/** Warns once when a proxy is in front that is not trusted: all its callers share one limit until it is named. */
export function createProxyWarning({ isTrustedProxy, log }: Site): (exchange: Exchange) => void {
  let hasWarned = false;
  return ({ incoming }) => {
    if (hasWarned || incoming.headers['x-forwarded-for'] === undefined) return;
    const peer = peerOf(incoming.socket);
    if (isTrustedProxy(peer)) return;
    hasWarned = true;
    log.warn({ peer }, 'X-Forwarded-For came from an address that TRUSTED_PROXIES does not name; it is ignored');
  };
}

export function peerOf({ remoteAddress }: Pick<Socket, 'remoteAddress'>): string {
  return (remoteAddress ?? '').replace(/^::ffff:/i, '');
}
