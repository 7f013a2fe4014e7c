export type Login = { username?: string; password?: string; tls?: object };
export type Address = Login & { host: string; port: number; db: number };

/**
 * One address of REDIS_URL. The Error of a wrong one neither shows it nor has a cause: an address may hold a password,
 * and the cause would show it whole.
 */
export function parseAddress(text: string): Address {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : null;
  const login = url === null ? null : parseLogin(url);
  const db = /^\/?(\d{0,4})$/.exec(url?.pathname ?? '?')?.[1];
  if (url === null || login === null || db === undefined || url.hostname === '' || url.search + url.hash !== '') {
    throw new Error('REDIS_URL: expected redis://[user:password@]host[:port][/number] or rediss://…, %-encoded.');
  }
  const port = url.port === '' ? 6379 : Number(url.port);
  return { host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port, db: Number(db), ...login };
}

export function hasSameLogin(one: Login, other: Login): boolean {
  const tls = (one.tls === undefined) === (other.tls === undefined);
  return tls && one.username === other.username && one.password === other.password;
}

function parseLogin(url: URL): Login | null {
  if (url.protocol !== 'redis:' && url.protocol !== 'rediss:') return null;
  try {
    return {
      ...(url.username !== '' && { username: decodeURIComponent(url.username) }),
      ...(url.password !== '' && { password: decodeURIComponent(url.password) }),
      ...(url.protocol === 'rediss:' && { tls: {} }),
    };
  } catch {
    return null;
  }
}
