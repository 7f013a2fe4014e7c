import { AppError, ERRORS, type ErrorCode } from '../../core/errors.ts';

/** A JSON-RPC error as it is answered. */
export type Refusal = { code: number; message: string; data: Record<string, unknown> };

export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;
const PARSE_ERROR = -32700;
/** Ours: the data says what to pay. */
export const PAYMENT_REQUIRED = -32402;

/**
 * Errors that may pass have codes of their own, in the range that JSON-RPC leaves to servers and away from those that
 * MCP and its libraries use (-32000 to -32002, -32020 to -32022, -32042). Every other failure of the table has its word
 * in `error` of the data: wrong arguments are -32602, what cannot be a request here is -32600.
 */
const LATER: Partial<Record<ErrorCode, number>> = {
  settlement_pending: -32050,
  service_paused: -32051,
  service_closing: -32051,
  upstream_unavailable: -32052,
  rate_limited: -32053,
  starting: -32054,
  network_unavailable: -32055,
  overloaded: -32056,
  internal_error: INTERNAL_ERROR,
};

/** The one table of errors in the form of JSON-RPC. The text is for people, and some hosts show nothing else. */
export function toRefusal({ code, context }: AppError): Refusal {
  const { status, retryable, detail: general } = ERRORS[code];
  const { field, detail = general, suggestion, settlementAttemptId, retryAfterSeconds } = context;
  return {
    code: LATER[code] ?? (code === 'invalid_json' ? PARSE_ERROR : status === 400 ? INVALID_PARAMS : INVALID_REQUEST),
    message: detail,
    data: {
      error: code,
      ...(field === undefined ? {} : { field }),
      detail,
      ...(suggestion === undefined ? {} : { suggestion }),
      retryable,
      ...(settlementAttemptId === undefined ? {} : { settlement_attempt_id: settlementAttemptId }),
      ...(retryAfterSeconds === undefined ? {} : { retry_after_seconds: retryAfterSeconds }),
    },
  };
}

/** Carries a refusal that is no row of the table: a price. */
export class Refused extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.message);
    this.name = 'Refused';
    this.refusal = refusal;
  }
}

/** Null for an unexpected error: that is logged, and its text never shown. */
export function refusalOf(error: unknown): Refusal | null {
  if (error instanceof Refused) return error.refusal;
  return error instanceof AppError ? toRefusal(error) : null;
}
