import { randomBytes } from 'node:crypto';
import { proofHeaderIn } from '../../api/payments/proof-header.ts';
import { ERRORS } from '../../core/errors.ts';
import { createIds } from '../../core/ids.ts';

const ids = createIds(randomBytes);
const RETRY_AFTER_SECONDS = 5;
/** A JSON-RPC body above this is refused later anyway. */
const BODY_MAX_BYTES = 64 * 1024;

/**
 * What a process answers before its database does. Whether a proof is known cannot be looked up then, so its caller is
 * told to repeat it: a 503 could make it sign a second one.
 */
export function createStartingApp(waitingFor: () => readonly string[] = () => []) {
  return async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    switch (pathname) {
      case '/health/live':
        return answer(200, { code: 200, msg: 'alive' });
      case '/health/ready':
      case '/health':
        return answer(503, { code: 503, msg: 'starting', parts: {}, waiting_for: waitingFor() });
      default:
        return refuse((await mayHavePaid(request, pathname)) ? 'settlement_pending' : 'starting');
    }
  };
}

const NOT_LOOKED_UP =
  'The service is starting, so it cannot be looked up yet what became of this payment. Repeat the same request with the same proof; do not sign a new one.';

function refuse(code: 'settlement_pending' | 'starting'): Response {
  const { status, retryable, detail: general } = ERRORS[code];
  const [msg, detail] = code === 'starting' ? [general, general] : ['Internal server error', NOT_LOOKED_UP];
  const requestId = ids.requestId();
  const body = { code: status, msg, error: code, detail, retryable, request_id: requestId };
  return answer(status, body, { 'Retry-After': String(RETRY_AFTER_SECONDS), 'X-Request-Id': requestId });
}

function answer(status: number, body: object, headers: Record<string, string> = {}): Response {
  return Response.json(body, {
    status,
    headers: {
      'Cache-Control': 'no-store',
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': 'X-Request-Id, Retry-After',
      'X-Content-Type-Options': 'nosniff',
      ...headers,
    },
  });
}

/** A request with a proof or a key, in a header or, over JSON-RPC, in its body. */
async function mayHavePaid(request: Request, pathname: string): Promise<boolean> {
  if (request.headers.has('Idempotency-Key') || proofHeaderIn(request.headers) !== null) return true;
  if (request.method !== 'POST' || (pathname !== '/mcp' && pathname !== '/a2a')) return false;
  if (Number(request.headers.get('content-length') ?? Infinity) > BODY_MAX_BYTES) return true;
  return /x402[./]?payment|paymentauth|"payment"|"taskId"/i.test(await request.text().catch(() => 'x402.payment'));
}
