import type { LookupRequest } from './lookup.ts';

/**
 * A request to an endpoint of the configuration, whose URL may contain a path, a key in its query, and credentials. The
 * credentials go into a header.
 */
export function toEndpointRequest(
  baseUrl: string,
  path: string,
  query: Readonly<Record<string, string>>,
): LookupRequest {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/$/, '')}${path}`;
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  // With a header of ours the guard follows no redirect to another host, which could answer anything.
  const headers = { accept: 'application/json' };
  const { username, password } = url;
  if (username === '' && password === '') return { url: url.href, headers };
  url.username = '';
  url.password = '';
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
  return { url: url.href, headers: { ...headers, authorization } };
}
