import type { Context, MiddlewareHandler } from 'hono';

/** Pages load what this service serves and nothing else; no page may frame them. */
const contentSecurityPolicy = (formTargets: readonly string[]) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    `form-action ${formTargets.length === 0 ? "'none'" : formTargets.join(' ')}`,
    "frame-ancestors 'none'",
  ].join('; ');

export type PageHeaders = {
  isIndexed: boolean;
  /** Where forms of the page may lead, redirects included: `'self'` or origins. None by default. */
  formTargets?: readonly string[];
};

/** For every answer below a page's address, in any format. Only those who were given a receipt's address know it. */
export function setPageHeaders(c: Context, { isIndexed, formTargets = [] }: PageHeaders): void {
  c.header('Cache-Control', 'no-store');
  c.header('Vary', 'Accept');
  c.header('X-Content-Type-Options', 'nosniff');
  // Other sites learn nothing. Without any referrer a browser would post the page's own forms as `Origin: null`.
  c.header('Referrer-Policy', formTargets.length === 0 ? 'no-referrer' : 'same-origin');
  c.header('Content-Security-Policy', contentSecurityPolicy(formTargets));
  c.header('Cross-Origin-Opener-Policy', 'same-origin');
  if (!isIndexed) c.header('X-Robots-Tag', 'noindex, nofollow');
}

/**
 * For an application of which every answer is for one visitor alone: balances and addresses are kept nowhere, and no
 * other site may load anything of it.
 */
export const withPrivatePages: MiddlewareHandler = async (c, next) => {
  setPageHeaders(c, { isIndexed: false, formTargets: ["'self'"] });
  c.header('Cross-Origin-Resource-Policy', 'same-origin');
  await next();
};
