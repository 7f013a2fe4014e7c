import { z } from 'zod';
import { AppError } from '../../core/errors.ts';
import { readJsonBody } from '../http/read-body.ts';
import { isRecord } from './record.ts';
import { INVALID_PARAMS, INVALID_REQUEST, Refused } from './refusal.ts';

/** Ids are repeated in answers and in others' logs; no client needs a longer one. */
const ID_MAX = 256;
const METHOD_MAX = 128;

const id = z.union([z.string().max(ID_MAX), z.int()]);
const envelope = z.object({ jsonrpc: z.literal('2.0'), method: z.string().min(1).max(METHOD_MAX) });

/** One JSON-RPC message in the form that all other code relies on. Without an id it is a notification. */
export type Message = {
  jsonrpc: '2.0';
  id?: string | number;
  method: string;
  params?: Record<string, unknown>;
};

/** Reads a posted body. Throws AppError as REST does; valid JSON that cannot be a message is Refused (-32600). */
export async function readBody(request: Request): Promise<unknown> {
  try {
    return await readJsonBody(request);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'validation_failed') throw error;
    throw invalid(error.context.detail ?? 'The body cannot be read.');
  }
}

/** Reads one message. Throws Refused (-32600 or -32602) that says what is wrong with it. */
export function readMessage(body: unknown): Message {
  if (Array.isArray(body)) throw invalid('Send one message at a time: batches are not served.');
  if (!isRecord(body)) throw invalid('A message is a JSON object.');
  const parsed = envelope.safeParse(body);
  if (!parsed.success) {
    throw invalid(`A message has "jsonrpc": "2.0" and a "method" of 1 to ${METHOD_MAX} characters.`);
  }
  const { params } = body;
  if (params !== undefined && !isRecord(params)) throw wrong('params', '"params" must be an object.');
  if (params?.['_meta'] !== undefined && !isRecord(params['_meta'])) {
    throw wrong('params._meta', '"_meta" must be an object.');
  }
  return { ...parsed.data, ...idIn(body), ...(params === undefined ? {} : { params }) };
}

/** The id of a body that may be no message at all, so that the refusal reaches its caller; null where there is none. */
export function readId(body: unknown): string | number | null {
  const parsed = id.safeParse(isRecord(body) ? body['id'] : undefined);
  return parsed.success ? parsed.data : null;
}

function idIn(body: Record<string, unknown>): { id?: string | number } {
  if (!('id' in body)) return {};
  const parsed = id.safeParse(body['id']);
  if (parsed.success) return { id: parsed.data };
  throw invalid(`An "id" is a text of at most ${ID_MAX} characters or a whole number below 2^53.`);
}

function invalid(detail: string): Refused {
  return new Refused({ code: INVALID_REQUEST, message: detail, data: { error: 'invalid_request', detail } });
}

function wrong(field: string, detail: string): Refused {
  return new Refused({ code: INVALID_PARAMS, message: detail, data: { error: 'validation_failed', field, detail } });
}
