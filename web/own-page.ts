import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { pageOf } from '../core/http/own-site.ts';
import { parseUnambiguous } from '../core/http/repeated-key.ts';

/** More than the longest address and amount. */
const FORM_BYTES_MAX = 4 * 1024;

type Refuse = (c: Context) => Response | Promise<Response>;

/** A browser sends its cookie with a post from any page, and says whose page that was. */
export function onlyOwnForm({ publicUrl }: { publicUrl: string }, refuse: Refuse): MiddlewareHandler {
  return async (c, next) => (isFromOwnPage(c, publicUrl) ? next() : refuse(c));
}

export function smallForm(refuse: Refuse): MiddlewareHandler {
  return bodyLimit({ maxSize: FORM_BYTES_MAX, onError: refuse });
}

/** Lets only a script of our own pages post; JSON alone keeps plain forms out. */
export function onlyOwnScript({ publicUrl }: { publicUrl: string }): MiddlewareHandler {
  return async (c, next) => {
    if (!isFromOwnPage(c, publicUrl)) return c.json({ error: 'foreign_origin' }, 403);
    const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
    if (type !== 'application/json') return c.json({ error: 'unsupported_media_type' }, 415);
    return next();
  };
}

export function smallJson(maxBytes: number): MiddlewareHandler {
  return bodyLimit({ maxSize: maxBytes, onError: (c) => c.json({ error: 'body_too_large' }, 413) });
}

/** The body; null where it cannot be read, is no JSON, or names a key twice. Each schema refuses that. */
export async function readJson(c: Context): Promise<unknown> {
  return parseUnambiguous(await c.req.text().catch(() => ''));
}

/** These pages act for the cookie's owner, so the browser must say that one of them asks. */
function isFromOwnPage(c: Context, publicUrl: string): boolean {
  return pageOf({ site: c.req.header('sec-fetch-site'), origin: c.req.header('origin') }, publicUrl) === 'own';
}
