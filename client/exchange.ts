/** One exchange with a service, limited in time and size, without redirects. */

/** Longer than a service waits for a settlement before it answers "not yet". */
const TIME_LIMIT_MS = 30_000;
/** A batch of a hundred long e-mail addresses, each with its links. */
const ANSWER_BYTES_MAX = 256 * 1024;

export type Answer = { status: number; headers: Headers; json: unknown };

export type HttpDeps = {
  fetch: typeof globalThis.fetch;
  /**
   * Aborted when the caller closes: open requests end at once, and their fate is open as after any lost answer. It has
   * one listener per request, which is removed with the request.
   */
  closing?: AbortSignal;
  timeLimitMs?: number;
};

/** Null when no complete answer came: the request may or may not have taken effect. */
export function postJson(
  deps: HttpDeps,
  url: string,
  headers: Record<string, string>,
  body: unknown,
): Promise<Answer | null> {
  const all = { 'content-type': 'application/json', ...headers };
  return exchange(deps, url, { method: 'POST', headers: all, body: JSON.stringify(body) });
}

/** The same for a GET. */
export function getJson(deps: HttpDeps, url: string, headers: Record<string, string> = {}): Promise<Answer | null> {
  return exchange(deps, url, { method: 'GET', headers });
}

type Asked = { method: 'GET' | 'POST'; headers: Record<string, string>; body?: string };

async function exchange(deps: HttpDeps, url: string, { headers, ...asked }: Asked): Promise<Answer | null> {
  const { fetch, closing, timeLimitMs = TIME_LIMIT_MS } = deps;
  if (closing?.aborted) return null;
  const controller = new AbortController();
  const abort = () => controller.abort();
  // The timer also cuts off a body that never ends.
  const timer = setTimeout(abort, timeLimitMs);
  // Not AbortSignal.any: `closing` lives as long as the process, so a request must leave no listener on it.
  closing?.addEventListener('abort', abort);
  try {
    const response = await fetch(url, {
      ...asked,
      headers: { accept: 'application/json', ...headers },
      redirect: 'error',
      signal: controller.signal,
    });
    return { status: response.status, headers: response.headers, json: parseJson(await readBounded(response)) };
  } catch {
    // fetch has one error for refused, reset, timed out and cut off. For all of them: ask again, never guess.
    return null;
  } finally {
    clearTimeout(timer);
    closing?.removeEventListener('abort', abort);
  }
}

async function readBounded({ body }: Response): Promise<string> {
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = body?.getReader();
  if (reader === undefined) return '';
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.byteLength;
    if (size > ANSWER_BYTES_MAX) {
      await reader.cancel();
      throw new Error(`expected at most ${ANSWER_BYTES_MAX} bytes, found more`);
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** Null for what is not JSON; the status still counts. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
