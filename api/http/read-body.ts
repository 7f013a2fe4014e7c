import type { IncomingMessage } from 'node:http';
import type { Context } from 'hono';
import { AppError } from '../../core/errors.ts';
import { findRepeatedKey } from '../../core/http/repeated-key.ts';
import type { ApiEnv } from './env.ts';

export const BODY_MAX_BYTES = 64 * 1024;
const DEPTH_MAX = 32;

/**
 * Reads a JSON body of at most 64 KiB. An empty body, whatever its content type, is `{}`. Throws AppError for a body
 * that is too large, is not JSON, or says that it is something else.
 */
export async function readJsonBody(request: Request): Promise<unknown> {
  const body = await readBodyOrNothing(request);
  return body === undefined ? {} : body;
}

/** The same, but undefined for an empty body. */
export async function readBodyOrNothing(request: Request): Promise<unknown> {
  const declared = request.headers.get('content-length');
  assertLength(declared);
  const text = declared === null ? await readStream(request) : await readDeclared(request);
  if (text.trim() === '') return undefined;
  const type = request.headers.get('content-type');
  if (type !== null && !/^application\/(?:[\w.+-]+\+)?json\b/i.test(type)) throw new AppError('unsupported_media_type');
  return parseJson(text);
}

/** The connection's parser lets through as many bytes as were declared. Reading them in one go is cheapest. */
async function readDeclared(request: Request): Promise<string> {
  return decode(new Uint8Array(await request.arrayBuffer().catch(refuseBrokenOff)));
}

async function readStream({ body }: Request): Promise<string> {
  return body === null ? '' : readLimited(body as unknown as AsyncIterable<Uint8Array>);
}

/** The caller hung up: not our failure, and nothing that may fill the log. */
function refuseBrokenOff(): never {
  throw new AppError('invalid_json', { detail: 'The body broke off.' });
}

/** The JSON object in the body of a GET, which fetch hides: it is read from the connection. `{}` when there is none. */
export async function readGetBody(c: Context<ApiEnv>): Promise<Record<string, unknown>> {
  const incoming = c.env?.incoming;
  if (incoming === undefined || !hasBody(incoming.headers)) return {};
  assertLength(incoming.headers['content-length']);
  const body = parseJson(await readLimited(readAndDrain(incoming)));
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new AppError('validation_failed', { detail: 'The body must be a JSON object.' });
  }
  return body as Record<string, unknown>;
}

/**
 * Ends a reading early without closing the connection, on which the refusal is still to be sent, and without leaving
 * the rest of the body in front of the next request.
 */
async function* readAndDrain(incoming: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    yield* incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
  } finally {
    incoming.resume();
  }
}

function hasBody(headers: Readonly<Record<string, unknown>>): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

function assertLength(declared: string | null | undefined): void {
  if (Number(declared ?? '0') > BODY_MAX_BYTES) throw new AppError('body_too_large');
}

/** Counts what really arrives: a length header can be missing or wrong. */
async function readLimited(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      size += chunk.byteLength;
      if (size > BODY_MAX_BYTES) throw new AppError('body_too_large');
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    refuseBrokenOff();
  }
  return decode(Buffer.concat(chunks));
}

/** Bytes that are no text are refused: a replacement character would change what the caller wrote. */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new AppError('invalid_json', { detail: 'The body is not UTF-8.' });
  }
}

function parseJson(text: string): unknown {
  if (text.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new AppError('invalid_json', { detail: 'The body is not valid JSON.' });
  }
  const repeated = findRepeatedKey(text);
  if (repeated !== null) {
    throw new AppError('invalid_json', { detail: `The body names ${JSON.stringify(repeated)} twice in one object.` });
  }
  assertHashable(value, DEPTH_MAX);
  return value;
}

/**
 * A request is named by the hash of its body, which needs values that JSON can write again (RFC 8785): finite numbers,
 * whole characters, and an end.
 */
function assertHashable(value: unknown, depthLeft: number): void {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new AppError('validation_failed', { detail: 'The body holds a number beyond all limits.' });
  }
  if (typeof value === 'string') assertWhole(value);
  if (typeof value !== 'object' || value === null) return;
  if (depthLeft === 0) {
    throw new AppError('validation_failed', { detail: `The body is nested more than ${DEPTH_MAX} levels deep.` });
  }
  for (const [key, inner] of Object.entries(value)) {
    assertWhole(key);
    assertHashable(inner, depthLeft - 1);
  }
}

/** An escape such as `\ud83d` alone is half a character. */
function assertWhole(text: string): void {
  if (!/\p{Surrogate}/u.test(text)) return;
  throw new AppError('validation_failed', { detail: 'The body holds half of a character (a lone surrogate).' });
}
