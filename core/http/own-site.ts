import { isLoopback } from '../config/readers.ts';

/**
 * Whether a request that names this host is meant for the service at `baseUrl`. Any other name is a page whose own name
 * points at us (DNS rebinding), or a mistake. On a machine of one's own every loopback name is the same service.
 */
export function isOwnHostname(hostname: string, baseUrl: string): boolean {
  const own = new URL(baseUrl).hostname;
  return hostname === own || (isLoopback(own) && isLoopback(hostname));
}

/** What a browser adds by itself about the page that a request comes from. No page can change it. */
export type PageHeaders = { site: string | undefined; origin: string | undefined };

/**
 * Which page sent the request: one of the service at `baseUrl`, another, or none, as with a program. A cookie travels
 * with a foreign page's request too, so only the first may act for the cookie's owner.
 */
export function pageOf({ site, origin }: PageHeaders, baseUrl: string): 'own' | 'foreign' | 'none' {
  // `none`: the person did it, such as by reloading the answer to a form.
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return 'foreign';
  if (origin !== undefined) return isOwnOrigin(origin, baseUrl) ? 'own' : 'foreign';
  return site === undefined ? 'none' : 'own';
}

function isOwnOrigin(origin: string, baseUrl: string): boolean {
  if (!URL.canParse(origin)) return false;
  const [theirs, own] = [new URL(origin), new URL(baseUrl)];
  return theirs.protocol === own.protocol && theirs.port === own.port && isOwnHostname(theirs.hostname, baseUrl);
}
