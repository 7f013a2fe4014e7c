/** JSON-RPC over HTTP, with the limits of a node and with faults. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { type Dispatcher, toParseError } from './dispatcher.ts';
import type { Faults } from '../rpc/faults.ts';
import { isFromHere } from './loopback.ts';

/** A node's default. */
export const BODY_BYTES_MAX = 50 * 1024;
/** Faults are for Solana's methods: those that set and clear them must always come through. */
const LOCAL_METHOD = /^local_/;

export type HttpParts = { dispatcher: Dispatcher; faults: Faults };

export async function serveHttp(
  { dispatcher, faults }: HttpParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const refusal = refusalOf(request);
  if (refusal) return void response.writeHead(refusal.status, { connection: 'close' }).end(refusal.text);
  if (request.method === 'GET') return void response.writeHead(200).end('ok');
  const body = await readBody(request);
  if (body === null) return void response.writeHead(413, { connection: 'close' }).end('the body is too large');
  const calls = parseJson(body);
  const methods = methodsOf(calls);
  if (methods.length > 0 && faults.take('unavailable', methods)) {
    return void response.writeHead(503).end('service unavailable');
  }
  const reply = calls === undefined ? toParseError() : await dispatcher.answer(calls);
  if (methods.length > 0 && faults.take('lose_reply', methods)) return void request.socket.destroy();
  response.writeHead(200, { 'content-type': 'application/json' }).end(reply === null ? '' : JSON.stringify(reply));
}

function refusalOf(request: IncomingMessage): { status: number; text: string } | null {
  if (!isFromHere(request.headers)) return { status: 403, text: 'the local chain is for this machine only' };
  if (request.method === 'GET' && request.url === '/health') return null;
  if (request.method !== 'POST') return { status: 405, text: 'POST is required' };
  // A form of another site could send any other type without asking the browser's user.
  const isJson = /^application\/json\b/i.test(request.headers['content-type'] ?? '');
  return isJson ? null : { status: 415, text: 'Content-Type: application/json is required' };
}

async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_BYTES_MAX) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Undefined for what is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const namedSchema = z.object({ method: z.string() });

function methodsOf(calls: unknown): string[] {
  const list: unknown[] = Array.isArray(calls) ? calls : [calls];
  return list.flatMap((call) => {
    const named = namedSchema.safeParse(call);
    return named.success && !LOCAL_METHOD.test(named.data.method) ? [named.data.method] : [];
  });
}
