import type { IncomingMessage } from 'node:http';
import { failure } from '../forms/failure.ts';
import { formFailure } from '../forms/form.ts';
import type { Upload } from '../state/uploads.ts';

export type ReadBody = { body: unknown; uploads: Upload[] };

/** A body is JSON, or a form with JSON in `payload_json` and files in `files[n]`. */
export async function readBody(request: IncomingMessage, bytesMax: number): Promise<ReadBody> {
  const bytes = await collect(request, bytesMax);
  if (bytes.length === 0) return { body: undefined, uploads: [] };
  const type = request.headers['content-type'] ?? '';
  if (type.startsWith('application/json')) return { body: parseJson(bytes.toString('utf8')), uploads: [] };
  if (type.startsWith('multipart/form-data')) return await readMultipart(bytes, type);
  throw formFailure([
    {
      path: [],
      code: 'CONTENT_TYPE_INVALID',
      message: `Expected "Content-Type" header to be one of {'application/json', 'multipart/form-data'}.`,
    },
  ]);
}

/** With listeners, because the iterator of a request costs as much as all the rest of a small one. */
function collect(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length > bytesMax) reject(failure('bodyTooLarge'));
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', reject);
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw failure('invalidJson');
  }
}

async function readMultipart(bytes: Buffer, type: string): Promise<ReadBody> {
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData().catch(() => {
    throw formFailure([{ path: [], code: 'CONTENT_TYPE_INVALID', message: 'The form could not be read.' }]);
  });
  let body: unknown;
  const uploads: Upload[] = [];
  for (const [name, value] of form) {
    if (name === 'payload_json' && typeof value === 'string') {
      body = parseJson(value);
      continue;
    }
    const place = /^files\[(\d{1,2})\]$/.exec(name)?.[1];
    if (place === undefined || typeof value === 'string') {
      throw formFailure([
        { path: [name], code: 'UNKNOWN_FIELD', message: 'A form has payload_json and files[n] only.' },
      ]);
    }
    uploads.push({
      place: Number(place),
      filename: value.name,
      contentType: value.type || 'application/octet-stream',
      bytes: Buffer.from(await value.arrayBuffer()),
    });
  }
  if (uploads.length > 10) {
    throw formFailure([{ path: ['files'], code: 'BASE_TYPE_MAX_LENGTH', message: 'Must be 10 or fewer in length.' }]);
  }
  return { body, uploads };
}
