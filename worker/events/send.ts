import type { Logger } from 'pino';
import { eventBody, FAILURES_MAX, pauseAfter, REST_MS, signedContent } from '../../core/events/events.ts';
import { isTaskEvent, pushMessage } from '../../core/events/push.ts';
import type { PassPoint } from '../../core/failpoints.ts';
import type { EventSecrets } from '../../chain/event-secrets.ts';
import {
  endEndpoint,
  failDelivery,
  markDelivered,
  putOffDelivery,
  type DeliveryRow,
} from '../../db/events/deliveries.ts';
import type { Store } from '../../db/store/store.ts';
import type { EndpointRow } from '../../db/events/endpoints.ts';
import { FetchFailure } from '../../identity/fetch-failure.ts';
import type { GuardedFetch } from '../../identity/guarded-fetch.ts';

/** The receiver wants nothing more. */
const GONE = 410;

export type EventSending = {
  store: Store;
  now: () => number;
  log: Logger;
  failpoint: PassPoint;
  secrets: Pick<EventSecrets, 'sign'>;
  fetch: Pick<GuardedFetch, 'send'>;
};

/**
 * Tells an endpoint one event, and writes down what came of it. It may be told twice, under the same id. Answers whether
 * the endpoint took it. Rejects when it is called off: then nobody has failed.
 */
export async function sendEvent(
  sending: EventSending,
  endpoint: EndpointRow,
  delivery: DeliveryRow,
  closing: AbortSignal,
): Promise<boolean> {
  const { store, now, log, failpoint } = sending;
  failpoint('event.before-send');
  const answer = await ask(sending, endpoint, delivery, closing);
  failpoint('event.after-send');
  const nowMs = now();
  if (answer.isTaken) {
    await markDelivered(store, delivery, { answer: answer.text, nowMs });
    return true;
  }
  const { id, endpointId } = delivery;
  if (answer.isGone) {
    await endEndpoint(store, endpointId, { reason: 'gone', nowMs });
    log.info({ endpointId }, 'an endpoint wants no more events');
    return false;
  }
  const pauseMs = pauseAfter(delivery.failures + 1);
  if (pauseMs !== null) {
    const times = { nextAtMs: nowMs + pauseMs, restsUntilMs: nowMs + REST_MS };
    await putOffDelivery(store, delivery, { answer: answer.text, ...times });
    return false;
  }
  const ended = await failDelivery(store, delivery, { answer: answer.text, nowMs });
  log.warn({ endpointId, deliveryId: id, failures: FAILURES_MAX, ended }, 'an event was not taken in three days');
  return false;
}

type Answer = { isTaken: boolean; isGone: boolean; text: string };

async function ask(
  sending: EventSending,
  endpoint: EndpointRow,
  delivery: DeliveryRow,
  closing: AbortSignal,
): Promise<Answer> {
  const message = messageOf(sending, endpoint, delivery);
  if (message === null) return { isTaken: false, isGone: false, text: 'no key of its network' };
  try {
    const { status } = await sending.fetch.send(endpoint.url, { method: 'POST', ...message, signal: closing });
    return { isTaken: status >= 200 && status < 300, isGone: status === GONE, text: String(status) };
  } catch (error) {
    if (!(error instanceof FetchFailure) || closing.aborted) throw error;
    return { isTaken: false, isGone: false, text: error.fault };
  }
}

type Message = { headers: Record<string, string>; body: string };

/** Null where it cannot be signed. A task's receiver knows our requests by the token that its caller gave, and by no signature. */
function messageOf({ secrets, now }: EventSending, endpoint: EndpointRow, delivery: DeliveryRow): Message | null {
  const { id, endpointId, type, taskId, paymentId, atMs, txnIds } = delivery;
  const timestamp = Math.floor(now() / 1_000);
  const named = { 'webhook-id': id, 'webhook-timestamp': String(timestamp) };
  const { network, push } = endpoint;
  if (isTaskEvent(type)) {
    if (push === null || taskId === null) throw new Error(`endpoint ${endpointId} is no task's, and ${id} is one's`);
    const { headers, body } = pushMessage(push, { type, taskId, atMs });
    return { headers: { ...headers, ...named }, body };
  }
  if (network === null || paymentId === null)
    throw new Error(`endpoint ${endpointId} is no payer's, and ${id} is one's`);
  const body = eventBody({ type, atMs, paymentId, txnIds });
  const signature = secrets.sign(network, endpointId, signedContent(id, timestamp, body));
  if (signature === null) return null;
  return { headers: { 'content-type': 'application/json', ...named, 'webhook-signature': signature }, body };
}
