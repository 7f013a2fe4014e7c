/** A strict receiver of events: what is not in the form of Standard Webhooks, or wrongly signed, is an error of ours. */
import { createServer, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';

const eventSchema = z.strictObject({
  type: z.enum(['payment.settled', 'payment.collected', 'payment.returned', 'payment.held']),
  timestamp: z.iso.datetime(),
  data: z.strictObject({
    settlement_attempt_id: z.string().regex(/^attempt_[0-9]+_[0-9a-z]+$/),
    txn_ids: z.array(z.int().positive()).min(1),
  }),
});
const challengeSchema = z.strictObject({
  type: z.literal('endpoint.challenge'),
  timestamp: z.iso.datetime(),
  data: z.strictObject({ challenge: z.string().min(40) }),
});

export type ReceivedEvent = { id: string; type: string; txnIds: readonly number[]; status: number };

export type EventReceiver = Awaited<ReturnType<typeof startEventReceiver>>;

type ReceiverOptions = {
  /** The status for each event; 204 when left out. */
  answerOf?: (event: ReceivedEvent) => number;
  /** The clock of a test that lets days pass; absent: the real one, which the library looks at. */
  now?: () => number;
  /** Where its answers lead that are redirects. */
  location?: string;
};

export async function startEventReceiver({ answerOf = () => 204, now, location }: ReceiverOptions = {}) {
  const received: ReceivedEvent[] = [];
  const bodies = new Map<string, string>();
  const faults: string[] = [];
  const state: { secret: string | null; challenges: number } = { secret: null, challenges: 0 };

  function receive(request: IncomingMessage, body: string): { status: number; text: string } {
    if (request.method !== 'POST') throw new Error(`expected POST, found ${request.method}`);
    if (request.headers['content-type'] !== 'application/json') throw new Error('the body is not called JSON');
    if (state.secret === null) {
      state.challenges += 1;
      return { status: 200, text: challengeSchema.parse(JSON.parse(body)).data.challenge };
    }
    const id = String(request.headers['webhook-id']);
    verify(new Webhook(state.secret), id, request.headers as Record<string, string>, body);
    if ((bodies.get(id) ?? body) !== body) throw new Error(`${id} came with another body`);
    bodies.set(id, body);
    const { type, data } = eventSchema.parse(JSON.parse(body));
    if (new Set(data.txn_ids).size !== data.txn_ids.length) throw new Error(`${id} names a line twice`);
    const event = { id, type, txnIds: data.txn_ids, status: 0 };
    event.status = answerOf(event);
    received.push(event);
    return { status: event.status, text: '' };
  }

  /** Throws for a wrong signature, and for a time that is more than five minutes off. */
  function verify(webhook: Webhook, id: string, headers: Record<string, string>, body: string): void {
    if (now === undefined) return void webhook.verify(body, headers);
    const sentAt = new Date(Number(headers['webhook-timestamp']) * 1_000);
    if (Math.abs(sentAt.getTime() - now()) > 300_000) throw new Error(`${id} is of another time`);
    if (webhook.sign(id, sentAt, body) !== headers['webhook-signature']) throw new Error(`${id} is wrongly signed`);
  }

  const server = createServer((request, response) => {
    void text(request).then((body) => {
      try {
        const answer = receive(request, body);
        response.writeHead(answer.status, location === undefined ? {} : { location }).end(answer.text);
      } catch (error) {
        faults.push(String(error));
        response.writeHead(400).end();
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/events`,
    received,
    /** What was not as it should be. */
    faults,
    challenges: () => state.challenges,
    /** From now on it takes events, and echoes no challenge any more. */
    expect: (secret: string) => void (state.secret = secret),
    ofType: (type: string) => received.filter((event) => event.type === `payment.${type}`),
    /** Throws where something was not as it should be. */
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      if (faults.length > 0) throw new Error(`a receiver was told wrongly: ${faults.join('; ')}`);
    },
  };
}
