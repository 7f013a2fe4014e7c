import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, request, type Dispatcher } from 'undici';

/** Why no answer came. `forbidden-address`: the guard refused to connect; nothing was sent. */
export type FetchFault = 'timeout' | 'unreachable' | 'forbidden-address' | 'bad-url' | 'redirected' | 'too-large';

export class FetchFailure extends Error {
  readonly fault: FetchFault;

  constructor(fault: FetchFault, options?: ErrorOptions) {
    super(`fetch failed: ${fault}`, options);
    this.name = 'FetchFailure';
    this.fault = fault;
  }
}

export type FetchedText = { status: number; text: string };

export type GuardedFetch = {
  /** Any status is an answer. Every failure is a FetchFailure. */
  get: (url: string, options: { headers?: Readonly<Record<string, string>>; signal: AbortSignal }) => Promise<FetchedText>;
  close: () => Promise<void>;
};

export type FetchLimits = {
  /** For the whole exchange: name, connection, redirects, body. */
  timeoutMs: number;
  bytesMax: number;
  redirectsMax: number;
  /**
   * Which addresses may be connected to. `isGlobalAddress` for every URL that a stranger has a say in; for endpoints
   * from the configuration `() => true`, because the operator may run them on this machine.
   */
  allowsAddress: (address: string) => boolean;
  /** The addresses of a host. Whatever it answers is checked and then connected to, with no second look-up between. */
  lookup?: (host: string) => Promise<readonly string[]>;
};

/** Requests that wait for a connection to one host; further ones queue until their time limit. */
const CONNECTIONS_PER_HOST_MAX = 64;
const HEADER_BYTES_MAX = 16 * 1024;
/** GitHub refuses callers that name none. */
const USER_AGENT = 'pennypost';

/**
 * GET with limits on time, size and redirects. The guard sits where connections are made, so it holds for each
 * redirect and for names that change their address between two look-ups. A redirect is never followed from https to
 * http, nor to another origin when the request carries headers of the caller's: they may hold a token.
 */
export function createGuardedFetch(limits: FetchLimits): GuardedFetch {
  const agent = new Agent({
    connect: guardConnector(limits),
    connections: CONNECTIONS_PER_HOST_MAX,
    maxHeaderSize: HEADER_BYTES_MAX,
  });
  return {
    close: () => agent.destroy(),
    get: async (url, { headers = {}, signal }) => {
      const limited = AbortSignal.any([signal, AbortSignal.timeout(limits.timeoutMs)]);
      try {
        return await follow(agent, toUrl(url), headers, limited, limits);
      } catch (error) {
        throw toFailure(error, limited);
      }
    },
  };
}

async function follow(
  agent: Agent,
  start: URL,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
  { redirectsMax, bytesMax }: FetchLimits,
): Promise<FetchedText> {
  const isBare = Object.keys(headers).length === 0;
  const sent = { 'user-agent': USER_AGENT, 'accept-encoding': 'identity', ...headers };
  let url = start;
  for (let redirects = 0; ; redirects += 1) {
    const { statusCode: status, headers: answered, body } = await request(url, { dispatcher: agent, headers: sent, signal });
    const { location } = answered;
    if (status < 300 || status > 399 || location === undefined) return { status, text: await readText(body, bytesMax) };
    // Nothing was asked to read it, and an unread body would keep its connection.
    body.on('error', () => {}).destroy();
    const next = toUrl(String(location), url);
    const isSafe = next.protocol === url.protocol || next.protocol === 'https:';
    if (redirects === redirectsMax || !isSafe || !(isBare || next.origin === url.origin)) {
      throw new FetchFailure('redirected');
    }
    url = next;
  }
}

function toUrl(text: string, base?: URL): URL {
  if (!URL.canParse(text, base)) throw new FetchFailure('bad-url');
  const url = new URL(text, base);
  // A name before "@" is there to be taken for the host.
  const isPlain = ['http:', 'https:'].includes(url.protocol) && url.username === '' && url.password === '';
  if (!isPlain) throw new FetchFailure('bad-url');
  return url;
}

async function readText(body: Dispatcher.ResponseData['body'], bytesMax: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    // Leaving the loop ends the connection.
    if (bytes > bytesMax) throw new FetchFailure('too-large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Addresses written into a URL never reach a look-up, so they are checked apart from names. */
function guardConnector({ timeoutMs, allowsAddress, lookup = lookUpBySystem }: FetchLimits): buildConnector.connector {
  const guardedLookup: LookupFunction = (host, { all }, done) => {
    const answer = async (): Promise<void> => {
      const found = await lookup(host);
      // One forbidden address refuses the name: whoever mixes them wants us to fall through to the other one.
      if (found.length === 0 || !found.every(allowsAddress)) throw new FetchFailure('forbidden-address');
      const addresses = found.map((address) => ({ address, family: isIP(address) }));
      if (all) done(null, addresses);
      else done(null, addresses[0]?.address ?? '', addresses[0]?.family);
    };
    answer().catch((error: Error) => done(error, []));
  };
  const connect = buildConnector({ lookup: guardedLookup, timeout: timeoutMs });
  return (options, done) => {
    const host = options.hostname.replace(/^\[(.*)\]$/, '$1');
    if (isIP(host) !== 0 && !allowsAddress(host)) done(new FetchFailure('forbidden-address'), null);
    else connect(options, done);
  };
}

async function lookUpBySystem(host: string): Promise<readonly string[]> {
  return (await systemLookup(host, { all: true })).map(({ address }) => address);
}

function toFailure(error: unknown, signal: AbortSignal): FetchFailure {
  if (error instanceof FetchFailure) return error;
  return new FetchFailure(signal.aborted ? 'timeout' : 'unreachable', { cause: error });
}
