/** The parameters of a call: from its query and its body, in any of the four forms that the Bot API takes. */
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { readMultipart } from './multipart.ts';
import { Refusal, badRequest } from './refusal.ts';

export type Upload = { filename: string; bytes: Buffer };
export type CallBody = { parameters: Record<string, unknown>; uploads: Map<string, Upload> };

/** The real server's limit for a request with files. */
const BODY_BYTES_MAX = 50 * 1024 * 1024;

const jsonBody = z.record(z.string(), z.unknown());

export async function readCall(request: IncomingMessage, query: URLSearchParams): Promise<CallBody> {
  const parameters: Record<string, unknown> = Object.fromEntries(query);
  const uploads = new Map<string, Upload>();
  const body = await readBytes(request);
  if (body.length === 0) return { parameters, uploads };

  const contentType = request.headers['content-type'] ?? '';
  if (contentType.startsWith('application/json')) {
    Object.assign(parameters, parseJsonBody(body.toString('utf8')));
  } else if (contentType.startsWith('application/x-www-form-urlencoded')) {
    Object.assign(parameters, Object.fromEntries(new URLSearchParams(body.toString('utf8'))));
  } else if (contentType.startsWith('multipart/form-data')) {
    for (const part of readParts(body, contentType)) {
      if (part.filename === null) parameters[part.name] = part.bytes.toString('utf8');
      else uploads.set(part.name, { filename: part.filename, bytes: part.bytes });
    }
  } else {
    throw badRequest(`content-type "${contentType}" is none of those that the Bot API takes`);
  }
  return { parameters, uploads };
}

function parseJsonBody(text: string): Record<string, unknown> {
  try {
    return jsonBody.parse(JSON.parse(text));
  } catch {
    throw badRequest("can't parse request JSON object");
  }
}

function readParts(body: Buffer, contentType: string) {
  try {
    return readMultipart(body, contentType);
  } catch (error) {
    throw badRequest(error instanceof Error ? error.message : 'broken multipart');
  }
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > BODY_BYTES_MAX) throw new Refusal(413, 'Request Entity Too Large');
  }
  return Buffer.concat(chunks);
}
