import { setMaxListeners } from 'node:events';

/** One exchange with the API as an outsider has it: bounded in time and size, and never redirected elsewhere. */
const TIME_LIMIT_MS = 30_000;
/** A batch of a hundred long e-mail addresses, each with its links. */
const ANSWER_BYTES_MAX = 256 * 1024;

export type Answer = { status: number; headers: Headers; json: unknown };

export type HttpDeps = {
  fetch: typeof globalThis.fetch;
  /** Aborted when the bot closes: open requests end at once, with an open fate like after any lost reply. */
  closing: AbortSignal;
  timeLimitMs?: number;
};

/** Null when there was no complete answer: then the request may have had its effect, or not. */
export function postJson(
  deps: HttpDeps,
  url: string,
  headers: Record<string, string>,
  body: unknown,
): Promise<Answer | null> {
  const all = { 'content-type': 'application/json', ...headers };
  return exchange(deps, url, { method: 'POST', headers: all, body: JSON.stringify(body) });
}

/** The same for what only asks. */
export function getJson(deps: HttpDeps, url: string, headers: Record<string, string>): Promise<Answer | null> {
  return exchange(deps, url, { method: 'GET', headers });
}

type Asked = { method: 'GET' | 'POST'; headers: Record<string, string>; body?: string };

async function exchange(deps: HttpDeps, url: string, { headers, ...asked }: Asked): Promise<Answer | null> {
  if (deps.closing.aborted) return null;
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, deps.timeLimitMs ?? TIME_LIMIT_MS);
  // By hand, not with AbortSignal.any: `closing` lives as long as the process, and this must leave nothing on it.
  // There are as many listeners as requests under way, and each is taken away with its own: that is no leak to warn of.
  setMaxListeners(0, deps.closing);
  deps.closing.addEventListener('abort', abort);
  try {
    const response = await deps.fetch(url, {
      ...asked,
      headers: { accept: 'application/json', ...headers },
      redirect: 'error',
      signal: controller.signal,
    });
    return { status: response.status, headers: response.headers, json: parseJson(await readBounded(response)) };
  } catch {
    // fetch has one error for refused, reset, timed out and cut off. All mean the same here: ask again, never guess.
    return null;
  } finally {
    clearTimeout(timer);
    deps.closing.removeEventListener('abort', abort);
  }
}

async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const body: AsyncIterable<Uint8Array> | null = response.body;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    // Leaving the loop early cancels the stream.
    if (size > ANSWER_BYTES_MAX) throw new Error(`an answer has at most ${ANSWER_BYTES_MAX} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Null for what is not JSON: the status alone still says something. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
