import type { Context } from 'hono';
import { AppError } from '../../core/errors.ts';
import type { ApiEnv } from './env.ts';

export const BODY_MAX_BYTES = 64 * 1024;
const DEPTH_MAX = 32;

/**
 * Reads a JSON body of at most 64 KiB. An empty body, whatever its content type, is `{}`. Throws AppError for a body
 * that is too large, is not JSON, or says that it is something else.
 */
export async function readJsonBody(request: Request): Promise<unknown> {
  const declared = Number(request.headers.get('content-length') ?? '0');
  if (declared > BODY_MAX_BYTES) throw new AppError('body_too_large');
  const text = await readLimited(request);
  if (text.trim() === '') return {};
  const type = request.headers.get('content-type');
  if (type !== null && !/^application\/(?:[\w.+-]+\+)?json\b/i.test(type)) throw new AppError('unsupported_media_type');
  return parseJson(text);
}

/** Counts what really arrives: a length header can be missing or wrong. */
async function readLimited(request: Request): Promise<string> {
  if (request.body === null) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > BODY_MAX_BYTES) throw new AppError('body_too_large');
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** The JSON object in the body of a GET, which fetch hides: it is read from the connection. `{}` when there is none. */
export async function readGetBody(c: Context<ApiEnv>): Promise<Record<string, unknown>> {
  const incoming = c.env?.incoming;
  if (incoming === undefined || incoming.headers['content-length'] === undefined) return {};
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > BODY_MAX_BYTES) throw new AppError('body_too_large');
    chunks.push(chunk);
  }
  const body = parseJson(new TextDecoder().decode(Buffer.concat(chunks)));
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new AppError('validation_failed');
  return body as Record<string, unknown>;
}

function parseJson(text: string): unknown {
  if (text.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new AppError('invalid_json', { detail: 'The body is not valid JSON.' });
  }
  assertHashable(value, DEPTH_MAX);
  return value;
}

/** A request is named by the hash of its body, which needs values that JSON can write again, and an end. */
function assertHashable(value: unknown, depthLeft: number): void {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new AppError('validation_failed', { detail: 'The body holds a number beyond all limits.' });
  }
  if (typeof value !== 'object' || value === null) return;
  if (depthLeft === 0) {
    throw new AppError('validation_failed', { detail: `The body is nested more than ${DEPTH_MAX} levels deep.` });
  }
  for (const inner of Object.values(value)) assertHashable(inner, depthLeft - 1);
}
