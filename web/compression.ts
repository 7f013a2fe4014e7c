import { gzipSync } from 'node:zlib';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

/** Below this the header and the work cost more than the transfer. */
const COMPRESSED_FROM_CHARACTERS = 1_024;

export function takesGzip(c: Context): boolean {
  return /(?:^|[\s,])(?:gzip|\*)(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(c.req.header('Accept-Encoding') ?? '');
}

/**
 * A page, compressed where the browser takes that. Its length tells a listener nothing: the only secrets on pages are
 * tokens that are new with each answer.
 */
export function answerHtml(c: Context, text: string, status: ContentfulStatusCode): Response {
  c.header('Content-Type', 'text/html; charset=UTF-8');
  c.header('Vary', 'Accept-Encoding', { append: true });
  if (text.length < COMPRESSED_FROM_CHARACTERS || !takesGzip(c)) return c.body(text, status);
  c.header('Content-Encoding', 'gzip');
  return c.body(new Uint8Array(gzipSync(text)), status);
}
