import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { pageHeaders } from './headers.ts';

const BODY_BYTES_MAX = 16 * 1024;

/** Headers of every answer under /chat: nothing is cached, framed, or loaded from elsewhere. */
export const withPageHeaders: MiddlewareHandler = async (context, next) => {
  await next();
  for (const [name, value] of Object.entries(pageHeaders)) context.res.headers.set(name, value);
};

/**
 * Lets only our own page post. A cookie travels with a foreign site's request too, so the browser's own word about
 * where it comes from must be there and must be us; JSON alone keeps plain forms out.
 */
export const onlyOwnPage: MiddlewareHandler = async (context, next) => {
  if (!comesFromOwnPage(context)) return context.json({ error: 'foreign_origin' }, 403);
  const type = context.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') return context.json({ error: 'unsupported_media_type' }, 415);
  return next();
};

export const smallBody = bodyLimit({
  maxSize: BODY_BYTES_MAX,
  onError: (context) => context.json({ error: 'body_too_large' }, 413),
});

function comesFromOwnPage(context: Context): boolean {
  const site = context.req.header('sec-fetch-site');
  const origin = context.req.header('origin');
  if (site !== undefined && site !== 'same-origin') return false;
  if (origin === undefined) return site === 'same-origin';
  // Compared by host: a proxy in front may have taken the TLS off.
  return URL.canParse(origin) && new URL(origin).host === new URL(context.req.url).host;
}
