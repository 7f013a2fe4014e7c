import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { toPageHeaders } from '../web/headers.ts';

/** More than the longest address and amount. */
const FORM_BYTES_MAX = 4 * 1024;
const HEADERS = toPageHeaders("'self'");

/** Balances and addresses are nobody else's, so nothing of it is kept anywhere. Files set their own. */
export const withPageHeaders: MiddlewareHandler = async (context, next) => {
  await next();
  for (const [name, value] of Object.entries(HEADERS)) context.res.headers.set(name, value);
  if (!context.res.headers.has('cache-control')) context.res.headers.set('cache-control', 'no-store');
};

type Refuse = (context: Context) => Response | Promise<Response>;

/** A browser sends its cookie with a post from any page, and says whose page that was. */
export function onlyOwnForm(refuse: Refuse): MiddlewareHandler {
  return async (context, next) => (comesFromOwnPage(context) ? next() : refuse(context));
}

export function smallForm(refuse: Refuse): MiddlewareHandler {
  return bodyLimit({ maxSize: FORM_BYTES_MAX, onError: refuse });
}

function comesFromOwnPage(context: Context): boolean {
  const site = context.req.header('sec-fetch-site');
  const origin = context.req.header('origin');
  // `none`: the person did it, such as loading the answer to a form again.
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  if (origin === undefined) return site !== undefined;
  // Compared by host: a proxy in front may have taken the TLS off.
  return URL.canParse(origin) && new URL(origin).host === new URL(context.req.url).host;
}
