import type { Context } from 'hono';
import type { ApiEnv } from '../http/env.ts';

/**
 * The x402 extension of A2A under the names that clients use. Its reference code still activates the first generation
 * by the old name; the specification of v0.2 has the new one (google-agentic-commerce/a2a-x402, spec/v0.2, section 2).
 */
export const X402_V0 = 'https://github.com/google-a2a/a2a-x402/v0.1';
export const X402_V02 = 'https://github.com/google-agentic-commerce/a2a-x402/blob/main/spec/v0.2';
const KNOWN: readonly string[] = [X402_V02, X402_V0];

/** Protocol 1.0 has the first name; 0.3 and the published interface have the second. */
export const EXTENSION_HEADERS = ['A2A-Extensions', 'X-A2A-Extensions'] as const;
const EXTENSIONS_MAX = 20;

/** What the caller activates; null when neither header is there. */
export function requestedExtensions(c: Context<ApiEnv>): string[] | null {
  const headers = EXTENSION_HEADERS.map((name) => c.req.header(name)).filter((value) => value !== undefined);
  const uris = headers.flatMap((value) => value.split(',', EXTENSIONS_MAX)).map((uri) => uri.trim());
  const named = uris.filter((uri) => uri !== '');
  return named.length === 0 ? null : named;
}

/** Echoes the extensions in use, under the header name that the caller used. */
export function echoExtensions(c: Context<ApiEnv>): void {
  const used = KNOWN.filter((uri) => requestedExtensions(c)?.includes(uri) === true);
  if (used.length === 0) return;
  for (const name of EXTENSION_HEADERS) {
    if (c.req.header(name) !== undefined) c.header(name, used.join(', '));
  }
}

/** A client that activates only the old name reads x402 requirements of the first generation, any other the second. */
export function wantsFirstGeneration(c: Context<ApiEnv>): boolean {
  const requested = requestedExtensions(c) ?? [];
  return requested.includes(X402_V0) && !requested.includes(X402_V02);
}
