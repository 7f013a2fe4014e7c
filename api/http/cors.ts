import { createMiddleware } from 'hono/factory';
import type { ApiEnv } from './env.ts';

/** Headers that clients send; the x402 client even sends an `Access-Control-Expose-Headers` request header. */
const ALLOWED_HEADERS = [
  'Content-Type',
  'Accept',
  'Authorization',
  'Payment-Authorization',
  'Accept-Payment',
  'PAYMENT-SIGNATURE',
  'X-PAYMENT',
  'x-payment-response',
  'Idempotency-Key',
  'Event-Endpoint',
  'X-Payer',
  'X-Request-Id',
  'Access-Control-Expose-Headers',
  // A client that reads an event stream without EventSource sends the last id itself.
  'Last-Event-ID',
].join(', ');

const EXPOSED_HEADERS = [
  'PAYMENT-REQUIRED',
  'x-payment-request',
  'PAYMENT-RESPONSE',
  'X-PAYMENT-RESPONSE',
  'WWW-Authenticate',
  'Payment-Receipt',
  'payment-error',
  'Idempotent-Replayed',
  'X-Request-Id',
  'Retry-After',
].join(', ');

/**
 * Lets any origin call the routes behind it, and none with credentials: nothing here knows a caller by cookie.
 * Preflights end here. Set before anything can fail, so that a foreign page can read a refusal too.
 */
export function allowAnyOrigin(methods: 'GET, HEAD, OPTIONS' | 'GET, POST, OPTIONS') {
  return createMiddleware<ApiEnv>(async (c, next) => {
    c.header('Access-Control-Allow-Origin', '*');
    c.header('Access-Control-Expose-Headers', EXPOSED_HEADERS);
    if (c.req.method !== 'OPTIONS') return next();
    return c.body(null, 204, {
      'Access-Control-Allow-Methods': methods,
      'Access-Control-Allow-Headers': ALLOWED_HEADERS,
      'Access-Control-Max-Age': '7200',
    });
  });
}
