import type { Context } from 'hono';
import type { ApiEnv } from '../http/env.ts';

/** Pages load what this service serves and nothing else; no page may frame them. */
const contentSecurityPolicy = (formTargets: readonly string[]) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    `form-action ${formTargets.length === 0 ? "'none'" : formTargets.join(' ')}`,
    "frame-ancestors 'none'",
  ].join('; ');

export type PageHeaders = {
  isIndexed: boolean;
  /** Where forms of the page may lead, redirects included: `'self'` or origins. None by default. */
  formTargets?: readonly string[];
};

/**
 * Other sites still learn nothing. Without any referrer a browser would post the page's own forms as `Origin: null`.
 */
export const FORM_REFERRER_POLICY = 'same-origin';

/** For every answer below a page's address, in any format. Only those who were given a receipt's address know it. */
export function setPageHeaders(c: Context<ApiEnv>, options: PageHeaders): void {
  const { isIndexed, formTargets = [] } = options;
  c.header('Cache-Control', 'no-store');
  c.header('Vary', 'Accept');
  c.header('X-Content-Type-Options', 'nosniff');
  c.header('Referrer-Policy', formTargets.length === 0 ? 'no-referrer' : FORM_REFERRER_POLICY);
  c.header('Content-Security-Policy', contentSecurityPolicy(formTargets));
  c.header('Cross-Origin-Opener-Policy', 'same-origin');
  if (!isIndexed) c.header('X-Robots-Tag', 'noindex, nofollow');
}
