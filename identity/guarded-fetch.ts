import { Agent, request, type Dispatcher } from 'undici';
import { FetchFailure } from './fetch-failure.ts';
import { createGuardedConnector, type Guard } from './guarded-connector.ts';
import { startLimit } from './time-limit.ts';

export type FetchedText = { status: number; text: string };

type Headers = Readonly<Record<string, string>>;

export type GuardedFetch = {
  /** Any status is an answer. Every failure is a FetchFailure. */
  get: (url: string, options: { headers?: Headers; signal: AbortSignal }) => Promise<FetchedText>;
  /**
   * The same with a body. A redirect is a failure, because the body may contain a secret. It is never sent twice.
   */
  send: (
    url: string,
    options: { method: 'POST' | 'DELETE'; headers?: Headers; body: string; signal: AbortSignal },
  ) => Promise<FetchedText>;
  close: () => Promise<void>;
};

type Outgoing = { method: 'GET' | 'POST' | 'DELETE'; headers: Headers; body: string | null };

export type FetchLimits = Guard & {
  /** Limits the whole exchange: name, connection, redirects, body. */
  timeoutMs: number;
  bytesMax: number;
  redirectsMax: number;
};

/** Connections to one host at a time; further requests queue until their time limit. */
const CONNECTIONS_PER_HOST_MAX = 64;
const HEADER_BYTES_MAX = 16 * 1024;
/** GitHub refuses requests without one. */
const USER_AGENT = 'pennypost';

/**
 * Requests with limits on time, size and redirects. The guard checks each connection, so it covers redirects and names
 * that change their address between two look-ups.
 */
export function createGuardedFetch(limits: FetchLimits): GuardedFetch {
  const agent = new Agent({
    connect: createGuardedConnector(limits, limits.timeoutMs),
    connections: CONNECTIONS_PER_HOST_MAX,
    maxHeaderSize: HEADER_BYTES_MAX,
  });
  async function exchange(url: string, outgoing: Outgoing, caller: AbortSignal): Promise<FetchedText> {
    const limit = startLimit(limits.timeoutMs, caller);
    try {
      return await follow(agent, toUrl(url), outgoing, limit.signal, limits);
    } catch (error) {
      throw toFailure(error, limit.signal);
    } finally {
      limit.end();
    }
  }

  return {
    close: () => agent.destroy(),
    get: (url, { headers = {}, signal }) => exchange(url, { method: 'GET', headers, body: null }, signal),
    send: (url, { method, headers = {}, body, signal }) => exchange(url, { method, headers, body }, signal),
  };
}

async function follow(
  agent: Agent,
  start: URL,
  { method, headers, body: sentBody }: Outgoing,
  signal: AbortSignal,
  { redirectsMax, bytesMax }: FetchLimits,
): Promise<FetchedText> {
  const isBare = Object.keys(headers).length === 0;
  const sent = { 'user-agent': USER_AGENT, 'accept-encoding': 'identity', ...headers };
  let url = start;
  for (let redirects = 0; ; redirects += 1) {
    const {
      statusCode: status,
      headers: answered,
      body,
    } = await request(url, { dispatcher: agent, method, headers: sent, body: sentBody, signal });
    const { location } = answered;
    if (status < 300 || status > 399 || location === undefined) return { status, text: await readText(body, bytesMax) };
    // An unread body would keep its connection.
    body.on('error', () => {}).destroy();
    if (method !== 'GET' || redirects === redirectsMax) throw new FetchFailure('redirected');
    url = toRedirect(String(location), url, isBare);
  }
}

/**
 * The target of a redirect. Never from https to http, and never to another origin when the request has headers of the
 * caller (`isBare` is false), which may contain a token. Throws FetchFailure.
 */
export function toRedirect(location: string, from: URL, isBare: boolean): URL {
  const to = toUrl(location, from.href);
  const isDowngrade = from.protocol === 'https:' && to.protocol === 'http:';
  if (isDowngrade || !(isBare || to.origin === from.origin)) throw new FetchFailure('redirected');
  return to;
}

function toUrl(text: string, base?: string): URL {
  if (!URL.canParse(text, base)) throw new FetchFailure('bad-url');
  const url = new URL(text, base);
  // A user name before "@" is meant to look like the host.
  const isPlain = ['http:', 'https:'].includes(url.protocol) && url.username === '' && url.password === '';
  if (!isPlain) throw new FetchFailure('bad-url');
  return url;
}

async function readText(body: Dispatcher.ResponseData['body'], bytesMax: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const stream: AsyncIterable<Uint8Array> = body;
  for await (const chunk of stream) {
    bytes += chunk.byteLength;
    // Leaving the loop ends the connection.
    if (bytes > bytesMax) throw new FetchFailure('too-large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function toFailure(error: unknown, signal: AbortSignal): FetchFailure {
  if (error instanceof FetchFailure) return error;
  return new FetchFailure(signal.aborted ? 'timeout' : 'unreachable', { cause: error });
}
