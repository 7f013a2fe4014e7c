import { AsyncLocalStorage } from 'node:async_hooks';
import type { Answered, RequestTraces } from '../../api/environment/trace-requests.ts';
import type { CallerConnection, Responses } from '../../api/responses/responses.ts';
import type { Passage } from '../../core/failpoints.ts';
import { readTraceParent, type Span } from './span.ts';

/** A request under way. Which payment it is about turns out while it runs, or only after its answer has begun. */
type Asked = {
  startMs: number;
  answered: (Answered & { endMs: number }) | null;
  paymentId: string | null;
  /** The payment was reserved for it: everything about the payment stands under its span. */
  reserved: Passage | null;
  isTold: boolean;
};

type Tools = { current: AsyncLocalStorage<Asked>; send: (span: Span) => void; now: () => number };

/** The part of a payment's trace that its requests are. One that has no payment leaves no trace. */
export function createRequestTraces(send: Tools['send'], now: Tools['now']) {
  const current = new AsyncLocalStorage<Asked>();
  const requests: RequestTraces = {
    async request(run) {
      const asked: Asked = { startMs: now(), answered: null, paymentId: null, reserved: null, isTold: false };
      await current.run(asked, async () => {
        const answered = await run();
        asked.answered = { ...answered, endMs: now() };
      });
      tell(send, asked);
    },
  };
  return {
    requests,
    watch: (responses: Responses) => watchResponses({ current, send, now }, responses),
    /** Called within the request that has reserved a payment. */
    reserved: (passage: Passage): void => {
      const asked = current.getStore();
      if (asked) asked.reserved = passage;
    },
  };
}

function tell(send: Tools['send'], asked: Asked): void {
  const { paymentId, answered, reserved, startMs } = asked;
  if (paymentId === null || answered === null || asked.isTold) return;
  asked.isTold = true;
  const { method, route, status, traceParent, endMs } = answered;
  send({
    paymentId,
    name: `${method} ${route}`,
    startMs,
    endMs,
    isRoot: reserved !== null,
    request: { method, route, status },
    link: readTraceParent(traceParent),
    ...(reserved && { network: reserved.network }),
  });
}

/** A caller's connection: since when it waits for its payment, or hands the answer over. */
type Waiting = { asked: Asked; waitsSinceMs: number; handsSinceMs: number | null; isOver: boolean };

/** Tells of the wait and of the answer, and finds out which payment a request is about. */
function watchResponses({ current, send, now }: Tools, responses: Responses): Responses {
  const waiting = new WeakMap<CallerConnection, Waiting>();

  function find(connection: CallerConnection, paymentId: string): Waiting | null {
    const known = waiting.get(connection);
    if (known === undefined || known.isOver) return null;
    known.asked.paymentId ??= paymentId;
    tell(send, known.asked);
    return known;
  }

  return {
    ...responses,
    hold: (connection) => {
      const asked = current.getStore();
      if (asked && !waiting.has(connection)) {
        waiting.set(connection, { asked, waitsSinceMs: now(), handsSinceMs: null, isOver: false });
      }
      return responses.hold(connection);
    },
    opened: (connection, paymentId) => {
      const known = find(connection, paymentId);
      if (known) known.waitsSinceMs = now();
      responses.opened(connection, paymentId);
    },
    hand: (connection, paymentId) => {
      const known = find(connection, paymentId);
      if (known) {
        known.handsSinceMs = now();
        send({ paymentId, name: 'accept.wait', startMs: known.waitsSinceMs, endMs: known.handsSinceMs });
      }
      return responses.hand(connection, paymentId);
    },
    end: (connection, paymentId, delivery) => {
      const known = find(connection, paymentId);
      if (known) {
        known.isOver = true;
        const name = known.handsSinceMs === null ? 'accept.wait' : 'answer.deliver';
        const startMs = known.handsSinceMs ?? known.waitsSinceMs;
        send({ paymentId, name, startMs, endMs: now(), status: delivery });
      }
      return responses.end(connection, paymentId, delivery);
    },
  };
}
