import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';

/** A visitor is a cookie. Chat, user and wallet have one id, made from it. */
export type Visitor = { id: string };

const COOKIE_NAME = 'pennypost_visitor';
const COOKIE_SECONDS = 365 * 24 * 60 * 60;
const SECRET = /^[A-Za-z0-9_-]{43}$/;

/** Null without a cookie of ours. */
export function readVisitor(context: Context): Visitor | null {
  const secret = getCookie(context, COOKIE_NAME);
  return secret !== undefined && SECRET.test(secret) ? toVisitor(secret) : null;
}

/** The visitor of this request, a new one if need be. The cookie lasts a year from the last visit. */
export function welcomeVisitor(context: Context, random: (count: number) => Uint8Array): Visitor {
  const known = getCookie(context, COOKIE_NAME);
  const secret = known !== undefined && SECRET.test(known) ? known : Buffer.from(random(32)).toString('base64url');
  setCookie(context, COOKIE_NAME, secret, {
    path: '/chat',
    httpOnly: true,
    sameSite: 'Lax',
    // Loopback has no TLS, and the `__Host-` prefix would need it.
    secure: new URL(context.req.url).protocol === 'https:',
    maxAge: COOKIE_SECONDS,
  });
  return toVisitor(secret);
}

/** The cookie opens a wallet, so rows and logs hold only a hash of it. */
function toVisitor(secret: string): Visitor {
  return { id: `chat:${createHash('sha256').update(secret).digest('base64url').slice(0, 22)}` };
}
