import type { IncomingHttpHeaders } from 'node:http';

const HOSTS = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * False for a request that a foreign page makes a browser on this machine send: the browser then names that site as
 * origin or, after the site has pointed its own name at this machine, as host.
 */
export function isFromHere({ host, origin }: IncomingHttpHeaders): boolean {
  return isLoopback(`http://${host ?? ''}`) && (origin === undefined || isLoopback(origin));
}

function isLoopback(url: string): boolean {
  return URL.canParse(url) && HOSTS.includes(new URL(url).hostname);
}
