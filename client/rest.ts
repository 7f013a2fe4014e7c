import { readChallenge } from '../core/payments/challenge.ts';
import type { Channel, PaidAnswer, Price, Sent } from './channel.ts';
import { postJson, type Answer, type HttpDeps } from './exchange.ts';
import { readRefusal } from './refusal.ts';

/** A paid request, the same for each try: the service recognises a repeat by route, body and key. */
export type RestRequest<Paid extends PaidAnswer> = {
  url: string;
  idempotencyKey: string;
  /** Gives access to the routes of our bot. */
  apiToken?: string | undefined;
  /** Who will pay. */
  payer?: string | undefined;
  body: Record<string, unknown>;
  /** Null for an answer that does not confirm this payment. */
  readPaid: (answer: Answer) => Paid | null;
  /** Others may pay for the same: an answer without our payment may then say that it is paid, or being paid. */
  isShared?: boolean;
  /**
   * A visitor has signed it, who may be hostile: a 429 ends their header at once, so that nothing waits for them. That
   * is safe, because the service answers for a payment it has taken before it counts tries.
   */
  isVisitors?: boolean;
};

/** Another payer's payment is on its way. It may still fail, and then this one counts. */
const IN_PROGRESS = 'order_in_progress';
/** A pause lasts longer than some seconds, and a closing service never takes it, so asking again does not help. */
const PAUSED: readonly (string | null)[] = ['service_paused', 'service_closing'];

/** The x402 flow over REST, second generation. Only this file reads a 402 and sets the payment header. */
export function createRestChannel<Paid extends PaidAnswer>(deps: HttpDeps, request: RestRequest<Paid>): Channel<Paid> {
  const { url, idempotencyKey, apiToken, payer, body } = request;
  const headers = {
    'idempotency-key': idempotencyKey,
    ...(payer !== undefined && { 'x-payer': payer }),
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
  return isRetryable && !PAUSED.includes(refusal.reason) ? { kind: 'unreachable', refusal } : refusal;
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
  // The service answers 402 only after it has looked for a payment under this header.
  return { ...refusal, isUnclaimed: refusal.isUnclaimed || status === 402 };
}

const UNREADABLE = 'The price of this service cannot be read.';

function waitOf({ headers }: Answer): number | null {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds * 1_000 : null;
}
