import { readChallenge } from '../core/payments/challenge.ts';
import type { Channel, PaidAnswer, Price, Sent } from './channel.ts';
import { postJson, type Answer, type HttpDeps } from './exchange.ts';
import { readRefusal } from './refusal.ts';

/** A request that is paid for, the same for each try: the service knows a repeat by route, body and key. */
export type RestRequest<Paid extends PaidAnswer> = {
  url: string;
  idempotencyKey: string;
  /** Opens the routes that only our bot has. */
  apiToken?: string | undefined;
  body: Record<string, unknown>;
  /** Null for what does not say that this was paid. */
  readPaid: (answer: Answer) => Paid | null;
  /** Others may pay for the same: then an answer without a payment of ours may say that it is paid, or being paid. */
  isShared?: boolean;
  /**
   * A visitor has signed it, who may mean no good: a 429 ends their header at once, and nothing is kept waiting for them.
   * What the service has taken it answers before it counts anybody's tries.
   */
  isVisitors?: boolean;
};

/** While someone else's payment is on its way nothing is decided: it may still fail, and then this one is good. */
const IN_PROGRESS = 'order_in_progress';
/** Said once; asking again within seconds would not end it. */
const PAUSED = 'service_paused';

/** The x402 flow over REST, second generation. The only place that reads a 402 and that sets the payment's header. */
export function createRestChannel<Paid extends PaidAnswer>(deps: HttpDeps, request: RestRequest<Paid>): Channel<Paid> {
  const { url, idempotencyKey, apiToken, body } = request;
  const headers = {
    'idempotency-key': idempotencyKey,
    ...(apiToken !== undefined && { authorization: `Bearer ${apiToken}` }),
  };
  return {
    askPrice: async () => readPrice(request, await postJson(deps, url, headers, body)),
    send: async (header) =>
      readSent(request, await postJson(deps, url, { ...headers, 'payment-signature': header }, body)),
  };
}

function readPrice<Paid extends PaidAnswer>(
  { readPaid, isShared }: RestRequest<Paid>,
  answer: Answer | null,
): Price<Paid> {
  if (answer === null) return { kind: 'unreachable', refusal: null };
  if (answer.status === 402) {
    const challenge = readChallenge(answer.headers.get('payment-required'));
    const unreadable = { ...readRefusal(answer), reason: 'unreadable_price', detail: UNREADABLE };
    return challenge === null ? unreadable : { kind: 'price', challenge };
  }
  const paid = isShared && answer.status === 200 ? readPaid(answer) : null;
  if (paid !== null) return paid;
  const refusal = readRefusal(answer);
  if (isShared && refusal.reason === IN_PROGRESS) return { kind: 'busy' };
  const isRetryable = answer.status === 429 || answer.status >= 500;
  return isRetryable && refusal.reason !== PAUSED ? { kind: 'unreachable', refusal } : refusal;
}

function readSent<Paid extends PaidAnswer>(
  { readPaid, isShared, isVisitors }: RestRequest<Paid>,
  answer: Answer | null,
): Sent<Paid> {
  if (answer === null) return { kind: 'pending', waitMs: null };
  const { status } = answer;
  const paid = status === 200 ? readPaid(answer) : null;
  if (paid !== null) return paid;
  const refusal = readRefusal(answer);
  const isTooMuch = status === 429 && isVisitors === true;
  const isRefused = status === 400 || status === 402 || isTooMuch;
  if (!isRefused || (isShared && refusal.reason === IN_PROGRESS)) return { kind: 'pending', waitMs: waitOf(answer) };
  // A payment is refused only after the service has looked whether it holds this very header.
  return { ...refusal, isUnclaimed: refusal.isUnclaimed || status === 402 };
}

const UNREADABLE = 'The price of this service cannot be read.';

function waitOf({ headers }: Answer): number | null {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds * 1_000 : null;
}
