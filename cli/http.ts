/** One exchange with a service: bounded in time and size, and never redirected to another one. */
export type Exchange = {
  method: 'GET' | 'POST';
  url: string;
  headers?: Record<string, string>;
  body?: Record<string, unknown>;
};

export type Answer = { status: number; headers: Headers; json: unknown };

/** Longer than a service waits for a settlement before it says "not yet". */
const TIME_LIMIT_MS = 30_000;
const ANSWER_BYTES_MAX = 256 * 1024;

/**
 * Null when no whole answer came, for whatever reason: then the request may have had its effect or not, and only asking
 * again can tell.
 */
export async function exchange(
  fetch: typeof globalThis.fetch,
  { method, url, headers, body }: Exchange,
): Promise<Answer | null> {
  try {
    const response = await fetch(url, {
      method,
      headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
      redirect: 'error',
      // It also ends the reading of a body that never ends.
      signal: AbortSignal.timeout(TIME_LIMIT_MS),
    });
    return { status: response.status, headers: response.headers, json: toJson(await readAll(response)) };
  } catch {
    return null;
  }
}

async function readAll({ body }: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const stream: AsyncIterable<Uint8Array> | null = body;
  for await (const chunk of stream ?? []) {
    chunks.push(chunk);
    bytes += chunk.byteLength;
    if (bytes > ANSWER_BYTES_MAX) throw new Error(`expected at most ${ANSWER_BYTES_MAX} bytes, found more`);
  }
  return Buffer.concat(chunks);
}

/** Null for what is none: a status says something without it. */
function toJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return null;
  }
}
