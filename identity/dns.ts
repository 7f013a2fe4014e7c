import { Resolver as DnsResolver } from 'node:dns/promises';

/** `empty`: the name has no such records. `no-name`: the name does not exist. `silent`: no answer came. */
export type DnsAnswer =
  | { kind: 'records'; records: readonly string[] }
  | { kind: 'empty' }
  | { kind: 'no-name' }
  | { kind: 'silent'; reason: string };

/**
 * An MX record is its host, and a null MX (RFC 7505) the empty text. A TXT record is one text, its pieces joined.
 */
export type DnsType = 'A' | 'AAAA' | 'MX' | 'NS' | 'TXT';

export type Dns = (name: string, type: DnsType, signal: AbortSignal) => Promise<DnsAnswer>;

/** Two tries fit into a payer's waiting time, so that one lost packet is no failure. */
const TRY_MS = 600;
const TRIES = 2;

/** Asks the given servers, or the system's. Throws at once for an invalid server. */
export function createDns({ servers }: { servers: readonly string[] }): Dns {
  new DnsResolver().setServers(servers);
  return async (name, type, signal) => {
    if (signal.aborted) return { kind: 'silent', reason: 'timeout' };
    // One resolver per question, because cancelling ends all questions of a resolver.
    const resolver = new DnsResolver({ timeout: TRY_MS, tries: TRIES });
    if (servers.length > 0) resolver.setServers(servers);
    const cancel = (): void => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const records = await ask(resolver, name, type);
      return records.length > 0 ? { kind: 'records', records } : { kind: 'empty' };
    } catch (error) {
      return toAnswer(error);
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  };
}

async function ask(resolver: DnsResolver, name: string, type: DnsType): Promise<readonly string[]> {
  switch (type) {
    case 'A':
      return resolver.resolve4(name);
    case 'AAAA':
      return resolver.resolve6(name);
    case 'NS':
      return resolver.resolveNs(name);
    case 'MX':
      return (await resolver.resolveMx(name)).map(({ exchange }) => exchange);
    case 'TXT':
      return (await resolver.resolveTxt(name)).map((pieces) => pieces.join(''));
  }
}

/** Node's codes: ENODATA is an answer without records, ENOTFOUND is NXDOMAIN. Others say nothing about the name. */
function toAnswer(error: unknown): DnsAnswer {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  if (code === 'ENODATA') return { kind: 'empty' };
  if (code === 'ENOTFOUND') return { kind: 'no-name' };
  return { kind: 'silent', reason: code };
}

/** The addresses of a host, for a guarded fetch. None when no answer came in time. */
export function createAddressLookup(dns: Dns, { timeoutMs }: { timeoutMs: number }) {
  return async (host: string): Promise<readonly string[]> => {
    const signal = AbortSignal.timeout(timeoutMs);
    const answers = await Promise.all([dns(host, 'A', signal), dns(host, 'AAAA', signal)]);
    return answers.flatMap((answer) => (answer.kind === 'records' ? answer.records : []));
  };
}
