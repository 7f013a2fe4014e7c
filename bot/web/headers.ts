/** Scripts and styles come from our own files only; nothing inline, so text of a stranger cannot become code. */
export const pageHeaders = toPageHeaders("'none'");

/** `formAction`: where forms of the page may lead. */
export function toPageHeaders(formAction: "'none'" | "'self'") {
  return {
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self'",
      "connect-src 'self'",
      "base-uri 'none'",
      `form-action ${formAction}`,
      "frame-ancestors 'none'",
    ].join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  } as const;
}
