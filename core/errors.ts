/**
 * Every failure that a caller may see is a row here. `error` on the wire is its key; the texts are for people.
 * A broken invariant is a plain Error: it becomes `internal_error`, and its text never leaves the server.
 */
type ErrorRow = {
  status: 400 | 402 | 403 | 404 | 405 | 409 | 413 | 415 | 421 | 429 | 431 | 500 | 503;
  retryable: boolean;
  detail: string;
};

export const ERRORS = {
  validation_failed: { status: 400, retryable: false, detail: 'The request does not have the expected form.' },
  invalid_json: { status: 400, retryable: false, detail: 'The body is not valid JSON.' },
  invalid_amount: {
    status: 400,
    retryable: false,
    detail: 'The amount must be 0.01 to 10 USDC with at most 6 decimals.',
  },
  invalid_currency: { status: 400, retryable: false, detail: 'The only currency is USDC.' },
  invalid_receiver: { status: 400, retryable: false, detail: 'The receiver is not a valid name on this platform.' },
  platform_unavailable: { status: 400, retryable: false, detail: 'This installation does not offer that platform.' },
  receiver_not_found: { status: 400, retryable: false, detail: 'Nobody has that name on this platform.' },
  receiver_opted_out: { status: 400, retryable: false, detail: 'The receiver does not accept payments.' },
  payment_already_used: {
    status: 400,
    retryable: false,
    detail: 'This payment proof already paid for another request.',
  },
  ambiguous: { status: 400, retryable: false, detail: 'Several payments fit; narrow it down, best by txn_id.' },
  payment_not_found: { status: 400, retryable: false, detail: 'No such payment is known here.' },
  payment_returned: {
    status: 400,
    retryable: false,
    detail:
      'This transfer was on the chain before it was presented here and does not name this request: it is sent back. Send the signed payment and do not submit it; or bind its nonce to extra.requestHash.',
  },
  payer_barred: {
    status: 400,
    retryable: false,
    detail: 'The issuer of USDC bars this account: nothing can be paid from it. Pay from another one.',
  },
  declined: {
    status: 400,
    retryable: false,
    detail: 'This cannot be done through this service. Its support can tell you more.',
  },
  not_cancellable: { status: 400, retryable: false, detail: 'This payment can no longer be taken back.' },
  invalid_signature: { status: 400, retryable: false, detail: 'The signature does not belong to the payer.' },
  order_in_progress: {
    status: 400,
    retryable: false,
    detail: 'Another payer is paying for this, or has already paid.',
  },
  idempotency_key_reused: {
    status: 400,
    retryable: false,
    detail: 'This idempotency key already names another request.',
  },
  invalid_idempotency_key: {
    status: 400,
    retryable: false,
    detail: 'An idempotency key has 16 to 128 visible ASCII characters.',
  },
  event_endpoint_not_found: {
    status: 400,
    retryable: false,
    detail: 'This payer has registered no endpoint of that id on this network. Nothing was charged.',
  },
  event_endpoint_refused: {
    status: 400,
    retryable: true,
    detail: 'The address did not answer with the challenge, so nothing is told there.',
  },
  too_many_event_endpoints: {
    status: 400,
    retryable: false,
    detail: 'This payer has as many endpoints as one may have here. Those that answer 410 to an event end.',
  },
  invalid_payout_address: { status: 400, retryable: false, detail: 'Money cannot be paid out to that address.' },
  claim_refused: {
    status: 400,
    retryable: false,
    detail: 'The proof was refused, or this claim cannot take that step.',
  },
  wrong_account: {
    status: 400,
    retryable: false,
    detail: 'You proved another account than the one that this money is for.',
  },
  wrong_code: { status: 400, retryable: false, detail: 'That is not the code from the mail.' },
  not_published: { status: 400, retryable: true, detail: 'What proves the name is not published, or not seen yet.' },
  claim_expired: { status: 400, retryable: false, detail: 'The time for this claim is over. Open another one.' },
  invalid_confirm_token: {
    status: 400,
    retryable: false,
    detail: 'This is not the token that confirms this claim, or not any more. Ask for a new one.',
  },
  no_engagement: {
    status: 400,
    retryable: false,
    detail: 'Nobody whom the rules let take part engaged with this post.',
  },
  content_not_found: { status: 400, retryable: false, detail: 'No such post was found, or it was deleted.' },
  budget_too_small: {
    status: 400,
    retryable: false,
    detail: 'Shared out by the rules, this budget leaves a recipient less than 0.01 USDC.',
  },
  budget_too_large: {
    status: 400,
    retryable: false,
    detail: 'This budget gives more than 10 USDC to each person who may be paid.',
  },
  distribution_rejected: {
    status: 400,
    retryable: false,
    detail: 'This distribution was rejected: nobody can pay for it any more.',
  },
  distribution_expired: {
    status: 400,
    retryable: false,
    detail: 'The time for this distribution is over. Create another one.',
  },
  payment_required: { status: 402, retryable: true, detail: 'The payment header is required.' },
  wrong_origin: { status: 403, retryable: false, detail: 'This may be asked from our own pages only.' },
  wrong_order_secret: { status: 403, retryable: false, detail: 'This is not the secret of that distribution.' },
  claim_not_found: { status: 404, retryable: false, detail: 'No such claim was opened from here.' },
  distribution_not_found: { status: 404, retryable: false, detail: 'No such distribution is known here.' },
  not_found: { status: 404, retryable: false, detail: 'There is nothing at this address.' },
  method_not_allowed: { status: 405, retryable: false, detail: 'This address does not answer that method.' },
  distribution_confirmed: { status: 409, retryable: false, detail: 'This distribution is paid.' },
  distribution_confirming: {
    status: 409,
    retryable: true,
    detail: 'A payment for this distribution is on its way. If it fails, the distribution can be rejected.',
  },
  body_too_large: { status: 413, retryable: false, detail: 'A body may have at most 64 KiB.' },
  unsupported_media_type: { status: 415, retryable: false, detail: 'Send the body as application/json.' },
  wrong_host: { status: 421, retryable: false, detail: 'This server does not answer under that name.' },
  rate_limited: { status: 429, retryable: true, detail: 'Too many requests; wait a moment.' },
  too_many_claims: { status: 429, retryable: true, detail: 'Too many claims or codes were asked for; wait a while.' },
  headers_too_large: { status: 431, retryable: false, detail: 'The headers may have at most 16 KiB.' },
  settlement_pending: {
    status: 500,
    retryable: true,
    detail: 'The payment is on its way. Repeat the same request with the same proof; do not sign a new one.',
  },
  service_paused: { status: 500, retryable: true, detail: 'Payments are paused for now.' },
  service_closing: {
    status: 500,
    retryable: false,
    detail: 'This service is closing: it takes no more payments.',
  },
  upstream_unavailable: {
    status: 500,
    retryable: true,
    detail: 'A service that we depend on did not answer. Nothing has changed; try again in a moment.',
  },
  network_unavailable: {
    status: 503,
    retryable: true,
    detail: 'Payments on this network cannot be settled now; try again in a moment.',
  },
  overloaded: {
    status: 503,
    retryable: true,
    detail: 'More payments wait than can land in time. Nothing was taken; ask for the price again later.',
  },
  starting: {
    status: 503,
    retryable: true,
    detail: 'The service is starting. Nothing was taken; try again in a moment.',
  },
  internal_error: { status: 500, retryable: true, detail: 'Something went wrong on our side.' },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;

export type ErrorContext = {
  /** The body key, header or parameter that is wrong. */
  field?: string;
  /** What came and what was wanted, for a person. Never a library's text, a file's path or an internal address. */
  detail?: string;
  /** What to send in `field` instead, where it is certain; in the form of that field. */
  suggestion?: string;
  /** Which case of its code it is, for pages in other languages. Programs do not get it. */
  reason?: string;
  /** Answered with a pending settlement, so that the caller can ask again. */
  settlementAttemptId?: string;
  retryAfterSeconds?: number;
};

/** An expected failure, safe to show. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly context: ErrorContext;

  constructor(code: ErrorCode, context: ErrorContext = {}) {
    super(`${code}: ${context.detail ?? ERRORS[code].detail}`);
    this.name = 'AppError';
    this.code = code;
    this.context = context;
  }

  get status(): ErrorRow['status'] {
    return ERRORS[this.code].status;
  }
}
