import { AppError, ERRORS, type ErrorCode } from '../../core/errors.ts';
import { Refusal, REFUSALS } from './refusal.ts';

/** The `error` of a JSON-RPC response. */
export type RpcFailure = { code: number; message: string; data: unknown };

/** How details are written: protocol 1.0 wants a list of ErrorInfo (section 9.5), other clients read an object. */
export type Dialect = 'modern' | 'plain';

type Told = { code: number; reason: string; detail: string; more: Record<string, string | number | boolean> };

/** Turns an expected failure into the protocol's form; null for what is not expected. */
export function toFailure(error: unknown, dialect: Dialect, requestId: string): RpcFailure | null {
  const told = tell(error);
  if (told === null) return null;
  const { code, reason, detail, more } = told;
  const fields = { ...more, request_id: requestId };
  const data =
    dialect === 'plain'
      ? { error: reason, detail, ...fields }
      : [
          {
            '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
            reason: reason.toUpperCase(),
            domain: isOfProtocol(code) ? 'a2a-protocol.org' : 'pennypost',
            metadata: toTexts({ error: reason, ...fields }),
          },
        ];
  return { code, message: detail, data };
}

function tell(error: unknown): Told | null {
  if (error instanceof Refusal) {
    const more: Told['more'] = error.field === null ? {} : { field: error.field };
    return { code: REFUSALS[error.word].code, reason: error.reason ?? error.word, detail: error.detail, more };
  }
  if (!(error instanceof AppError)) return null;
  const { field, detail, suggestion, settlementAttemptId, retryAfterSeconds } = error.context;
  const row = ERRORS[error.code];
  const more = {
    ...(field === undefined ? {} : { field }),
    ...(suggestion === undefined ? {} : { suggestion }),
    retryable: row.retryable,
    ...(retryAfterSeconds === undefined ? {} : { retry_after_seconds: retryAfterSeconds }),
    ...(settlementAttemptId === undefined ? {} : { settlement_attempt_id: settlementAttemptId }),
  };
  return { code: codeOf(error), reason: error.code, detail: detail ?? row.detail, more };
}

/** Errors that may pass have the same codes as over MCP, clear of those that A2A uses. */
const LATER: Partial<Record<ErrorCode, number>> = {
  settlement_pending: -32050,
  service_paused: -32051,
  service_closing: -32051,
  upstream_unavailable: -32052,
  rate_limited: -32053,
  starting: -32054,
  network_unavailable: -32055,
  overloaded: -32056,
  internal_error: -32603,
};

/** A broken text is a parse error, a wrong call has invalid params, the rest is no request here. */
function codeOf({ code, status }: AppError): number {
  const later = LATER[code];
  if (later !== undefined) return later;
  if (code === 'invalid_json') return -32700;
  return status === 400 ? -32602 : -32600;
}

/** A2A 1.0, section 5.4. */
function isOfProtocol(code: number): boolean {
  return code <= -32001 && code >= -32009;
}

/** ErrorInfo has texts only. */
function toTexts(values: Record<string, string | number | boolean>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, String(value)]));
}
