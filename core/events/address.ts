import { getDomain } from 'tldts';

/** Longer addresses are refused. */
export const ADDRESS_MAX = 500;
/** Below it services live that are no receivers of events, but for 443. */
const PORT_MIN = 1_024;

/**
 * An endpoint's address as it is stored and signed; null for one that takes no events. With TLS only the host's own
 * certificate lets anything be told there, wherever its name points to later; without it only in local mode.
 */
export function readEndpointAddress(text: string, { allowsHttp }: { allowsHttp: boolean }): string | null {
  if (text.length > ADDRESS_MAX || !URL.canParse(text)) return null;
  const url = new URL(text);
  const { protocol, username, password, hash, port } = url;
  const hasScheme = protocol === 'https:' || (allowsHttp && protocol === 'http:');
  const isPlain = username === '' && password === '' && hash === '' && !text.includes('#');
  const hasPort = port === '' || Number(port) >= PORT_MIN;
  return hasScheme && isPlain && hasPort && url.href.length <= ADDRESS_MAX ? url.href : null;
}

/** What counts as one host for limits: all names under a domain that one owner has. */
export function hostOf(address: string): string {
  const { hostname } = new URL(address);
  return getDomain(hostname, { allowPrivateDomains: true }) ?? hostname;
}
