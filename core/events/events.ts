/** What a payer's endpoint is told: that a payment has reached a state, and nothing else about it. */
export const PAYMENT_EVENTS = ['settled', 'collected', 'returned', 'held'] as const;
export type PaymentEvent = (typeof PAYMENT_EVENTS)[number];

/** What the endpoint of an A2A task is told: that the task has reached a state, in the order of a payment. */
export const TASK_EVENTS = ['task_working', 'task_input_required', 'task_completed', 'task_canceled'] as const;
export type TaskEvent = (typeof TASK_EVENTS)[number];

export const EVENT_TYPES = [...PAYMENT_EVENTS, ...TASK_EVENTS] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Why an endpoint is told nothing more: it said so (410), or nothing has reached it for as long as it is tried. */
export const ENDPOINT_ENDS = ['gone', 'unreachable'] as const;
export type EndpointEnd = (typeof ENDPOINT_ENDS)[number];

export const DELIVERY_OUTCOMES = ['delivered', 'failed', 'endpoint_ended'] as const;
export type DeliveryOutcome = (typeof DELIVERY_OUTCOMES)[number];

export const ENDPOINT_ID = /^ep_[A-Za-z0-9_-]{22}$/;

/** Of one payer on one network, besides those that have ended. */
export const ENDPOINTS_MAX = 10;
/** An endpoint that no payment has named for so long after its registration is forgotten. */
export const UNUSED_AFTER_MS = 30 * 24 * 3_600_000;
/** What reaches a state within this time of the first line of its batch is told with it. */
export const GATHERING_MS = 2_000;

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** After each failure but the last; together just under three days. */
const PAUSES_MS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  18 * HOUR,
  22 * HOUR,
] as const;

/** A delivery that has failed so often has failed. */
export const FAILURES_MAX = PAUSES_MS.length + 1;
/** Between two requests to an endpoint of which one has failed. */
export const REST_MS = 5 * SECOND;

/** How long to wait after that many failures; null: it is not tried again. */
export function pauseAfter(failures: number): number | null {
  return PAUSES_MS[failures - 1] ?? null;
}

export type ThinEvent = { type: PaymentEvent; atMs: number; paymentId: string; txnIds: readonly number[] };

/** The body, in the form of Standard Webhooks. The same event has the same bytes. */
export function eventBody({ type, atMs, paymentId, txnIds }: ThinEvent): string {
  return JSON.stringify({
    type: `payment.${type}`,
    timestamp: new Date(atMs).toISOString(),
    data: { settlement_attempt_id: paymentId, txn_ids: txnIds },
  });
}

/** What an address is asked before anything is told there. It has to answer with the challenge and nothing else. */
export function challengeBody(challenge: string, atMs: number): string {
  return JSON.stringify({
    type: 'endpoint.challenge',
    timestamp: new Date(atMs).toISOString(),
    data: { challenge },
  });
}

/** What a receiver's signature is about. */
export function signedContent(id: string, timestampSeconds: number, body: string): string {
  return `${id}.${timestampSeconds}.${body}`;
}
