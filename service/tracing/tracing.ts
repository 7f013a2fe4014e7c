import type { RequestTraces } from '../../api/environment/trace-requests.ts';
import type { Responses } from '../../api/responses/responses.ts';
import type { Failpoint, Passage, PassPoint } from '../../core/failpoints.ts';
import { passedPayments, passedTransfers, paymentsOfLines } from '../../db/stories/passed.ts';
import type { Store } from '../../db/store/store.ts';
import { waitAtMost } from '../../queue/deadline.ts';
import { createRequestTraces } from './requests.ts';
import type { SpanCounts, SpanSender } from './sender.ts';
import type { Span } from './span.ts';

export type Tracing = {
  /** Sees what passes the points of the payment path. Never throws, and takes no time of the payment. */
  pass: PassPoint;
  requests: RequestTraces;
  watch: (responses: Responses) => Responses;
  counts: () => SpanCounts;
  close: () => Promise<void>;
};

/** What the time went into at whose end a point stands. */
const STEPS: Partial<Record<Failpoint, string>> = {
  'accept.after-claim': 'accept.reserve',
  'settle.before-store': 'settle.sign',
  'settle.after-store': 'settle.store',
  'settle.after-send': 'settle.broadcast',
  'task.after-match': 'task.pay',
  'payout.before-assign': 'payout.authorize',
  'payout.after-assign': 'payout.assign',
  'payout.before-store': 'payout.sign',
  'payout.after-store': 'payout.store',
  'payout.after-send': 'payout.broadcast',
  'receipt.after-post': 'receipt.post',
  'order.after-answer': 'order.pay',
};

/** So many questions to the database at once; what passes meanwhile is dropped. */
const QUESTIONS_MAX = 2;
/** At the end of the process. */
const QUESTIONS_LIMIT_MS = 1_000;

/** The traces of payments: spans hang on the points that each step passes anyway, and on the middleware of requests. */
export function createTracing(sender: SpanSender, store: Store, now: () => number): Tracing {
  const reachedMs = new WeakMap<Passage, number>();
  const questions = new Set<Promise<void>>();
  const { requests, watch, reserved } = createRequestTraces(send, now);

  /** A payment that has come so far does not fail for want of its trace. */
  function send(span: Span): void {
    try {
      sender.send(span);
    } catch {
      sender.drop(1);
    }
  }

  function pass(point: Failpoint, passage: Passage): void {
    const endMs = now();
    const startMs = reachedMs.get(passage) ?? passage.sinceMs;
    reachedMs.set(passage, endMs);
    if (point === 'accept.after-claim') reserved(passage);
    if (point === 'scan.after-apply') return ask(() => landedSpans(store, passage, endMs));
    const name = STEPS[point];
    if (name === undefined) return;
    const { network, carrier, payments = [], transfers = [], lines = [] } = passage;
    const step = { name, startMs, endMs, network, ...(carrier !== undefined && { carrier }) };
    const isRoot = point === 'task.after-match';
    for (const paymentId of payments) send({ ...step, paymentId, isRoot });
    if (transfers.length > 0) {
      ask(async () => (await gatherTransfers(store, transfers)).map(({ moved }) => ({ ...step, ...moved })));
    }
    if (lines.length > 0) {
      ask(async () => (await paymentsOfLines(store, lines)).map((paymentId) => ({ ...step, paymentId })));
    }
  }

  /** Behind the payment's back: nobody waits for the answer. */
  function ask(read: () => Promise<Span[]>): void {
    if (questions.size >= QUESTIONS_MAX) return sender.drop(1);
    const question = read()
      .then((spans) => spans.forEach(send))
      .catch(() => sender.drop(1))
      .finally(() => questions.delete(question));
    questions.add(question);
  }

  return {
    pass: (point, passage) => {
      if (passage === undefined) return;
      try {
        pass(point, passage);
      } catch {
        sender.drop(1);
      }
    },
    requests,
    watch,
    counts: sender.counts,
    close: async () => {
      await waitAtMost(Promise.all(questions), QUESTIONS_LIMIT_MS);
      await sender.close();
    },
  };
}

/** One span for all transfers of a payment. */
async function gatherTransfers(store: Store, ids: readonly string[]) {
  const rows = await passedTransfers(store, ids);
  const payments = new Set(rows.map(({ paymentId }) => paymentId));
  return [...payments].map((paymentId) => {
    const own = rows.filter((row) => row.paymentId === paymentId);
    return { moved: { paymentId, transfers: own.length }, sentAtMs: own[0]?.sentAtMs ?? null };
  });
}

/** From the broadcast to the books. A payment that had settled before has become final. */
async function landedSpans(store: Store, passage: Passage, endMs: number): Promise<Span[]> {
  const { network, sinceMs, payments = [], transfers = [] } = passage;
  const [changed, landed] = await Promise.all([passedPayments(store, payments), gatherTransfers(store, transfers)]);
  const came = changed.map(({ paymentId, status, settledAtMs, sentAtMs }) => {
    const isNew = settledAtMs === null || settledAtMs >= sinceMs;
    const startMs = (isNew ? sentAtMs : settledAtMs) ?? sinceMs;
    return { paymentId, name: 'chain.confirm', startMs, endMs, network, status };
  });
  const left = landed.map(({ moved, sentAtMs }) => {
    return { ...moved, name: 'payout.confirm', startMs: sentAtMs ?? sinceMs, endMs, network };
  });
  return [...came, ...left];
}
