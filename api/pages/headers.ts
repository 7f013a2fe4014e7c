import type { Context } from 'hono';
import type { ApiEnv } from '../rest/env.ts';

/** Pages load what this service serves and nothing else; no page may frame them. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** For every answer below a page's address, whatever its form. A receipt's address is known to those who got it only. */
export function setPageHeaders(c: Context<ApiEnv>, options: { isIndexed: boolean }): void {
  c.header('Cache-Control', 'no-store');
  c.header('Vary', 'Accept');
  c.header('X-Content-Type-Options', 'nosniff');
  c.header('Referrer-Policy', 'no-referrer');
  c.header('Content-Security-Policy', CONTENT_SECURITY_POLICY);
  c.header('Cross-Origin-Opener-Policy', 'same-origin');
  if (!options.isIndexed) c.header('X-Robots-Tag', 'noindex, nofollow');
}
