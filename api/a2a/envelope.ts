import { z } from 'zod';
import { quoteText } from '../../core/characters.ts';
import { Refusal } from './refusal.ts';

export type RpcId = string | number | null;
export type RpcRequest = { id: RpcId; method: string; params: Record<string, unknown> };

const ID_MAX = 128;
const METHOD_MAX = 100;

const id = z.union([z.string().max(ID_MAX), z.int(), z.null()]);
const params = z.record(z.string().min(1), z.unknown());

/**
 * Reads one JSON-RPC request. Refuses batches, which A2A does not have, and notifications, whose sender would pay and
 * never learn it. Every answer carries the id back, so the id is bounded.
 */
export function readEnvelope(body: unknown): RpcRequest {
  if (Array.isArray(body)) {
    throw new Refusal('invalid_request', { detail: 'JSON-RPC batches are not taken: send one request at a time.' });
  }
  if (typeof body !== 'object' || body === null) {
    throw new Refusal('invalid_request', { detail: 'A JSON-RPC request is an object.' });
  }
  const given = body as Record<string, unknown>;
  if (given['jsonrpc'] !== '2.0') {
    throw new Refusal('invalid_request', { field: 'jsonrpc', detail: '"jsonrpc" must be "2.0".' });
  }
  const { method } = given;
  if (typeof method !== 'string' || method === '' || method.length > METHOD_MAX) {
    const detail = `"method" must be a text of 1 to ${METHOD_MAX} characters.`;
    throw new Refusal('invalid_request', { field: 'method', detail });
  }
  if (given['id'] === undefined) {
    const detail = 'A request without "id" is a notification, which could not be answered: nothing was done.';
    throw new Refusal('invalid_request', { field: 'id', detail });
  }
  const readId = id.safeParse(given['id']);
  if (!readId.success) {
    const detail = `"id" must be a text of at most ${ID_MAX} characters, a whole number below 2^53, or null.`;
    throw new Refusal('invalid_request', { field: 'id', detail });
  }
  return { id: readId.data, method, params: readParams(given['params'], method) };
}

function readParams(given: unknown, method: string): Record<string, unknown> {
  if (given === undefined) return {};
  const read = params.safeParse(given);
  if (read.success) return read.data;
  const detail = `"params" of ${quoteText(method)} must be an object.`;
  throw new Refusal('invalid_params', { field: 'params', detail });
}

/** The id that an answer can name, whatever else is wrong with the request. */
export function idOf(body: unknown): RpcId {
  if (typeof body !== 'object' || body === null || !('id' in body)) return null;
  const read = id.safeParse(body.id);
  return read.success ? read.data : null;
}
