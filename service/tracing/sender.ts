/** Brings spans to a collector by the libraries of OpenTelemetry. Loaded only where traces are switched on. */
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace, type Attributes } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  RandomIdGenerator,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type SpanExporter,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import type { Config } from '../../core/config/config.ts';
import { waitAtMost } from '../../queue/deadline.ts';
import { reasonOf } from '../../queue/outage.ts';
import { placeOf, type Span, type TracePlace } from './span.ts';

/** More spans than these are dropped: a collector that is away or slow costs some megabytes and nothing else. */
const WAITING_MAX = 2_048;
const EXPORT_LIMIT_MS = 5_000;
/** What is not taken by then is lost, because the end of a process has a limit. */
const CLOSE_LIMIT_MS = 2_000;

export type SpanCounts = { sent: number; dropped: number };

export type SpanSender = {
  /** At once: it waits in memory. */
  send: (span: Span) => void;
  /** Could not even be made, such as for want of the database. */
  drop: (count: number) => void;
  counts: () => SpanCounts;
  close: () => Promise<void>;
};

type Traces = NonNullable<Config['traces']>;

export function createSpanSender(traces: Traces, role: string, log: Pick<Logger, 'info' | 'warn'>): SpanSender {
  const counts = { sent: 0, dropped: 0, waiting: 0 };
  const ids = createIds();
  const exporter = new OTLPTraceExporter({
    url: traces.url,
    headers: Object.fromEntries(traces.headers),
    timeoutMillis: EXPORT_LIMIT_MS,
  });
  const counted = countTaken(exporter, counts, log);
  const batches = new BatchSpanProcessor({ exporter: counted, maxQueueSize: WAITING_MAX });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': traces.serviceName, 'pennypost.roles': role }),
    // By the trace's id: all processes keep the same payments.
    sampler: new TraceIdRatioBasedSampler(traces.share),
    idGenerator: ids,
    spanProcessors: [limitWaiting(batches, counts)],
  });
  const tracer = provider.getTracer('pennypost');

  function send(span: Span): void {
    const place = placeOf(span.paymentId);
    const parent = trace.setSpanContext(ROOT_CONTEXT, { ...place, traceFlags: TraceFlags.SAMPLED, isRemote: true });
    const begin = () =>
      tracer.startSpan(
        span.name,
        {
          startTime: span.startMs,
          kind: span.request ? SpanKind.SERVER : SpanKind.INTERNAL,
          attributes: attributesOf(span),
          links: span.link ? [{ context: { ...span.link, traceFlags: TraceFlags.NONE, isRemote: true } }] : [],
        },
        span.isRoot === true ? ROOT_CONTEXT : parent,
      );
    const begun = span.isRoot === true ? ids.as(place, begin) : begin();
    if ((span.request?.status ?? 0) >= 500) begun.setStatus({ code: SpanStatusCode.ERROR });
    begun.end(span.endMs);
  }

  return {
    send,
    drop: (count) => void (counts.dropped += count),
    counts: () => ({ sent: counts.sent, dropped: counts.dropped }),
    close: () => waitAtMost(provider.shutdown(), CLOSE_LIMIT_MS),
  };
}

function attributesOf({ paymentId, network, carrier, transfers, status, request }: Span): Attributes {
  return {
    'pennypost.payment': paymentId,
    ...(network !== undefined && { 'pennypost.network': network }),
    ...(carrier !== undefined && { 'pennypost.carrier': carrier }),
    ...(transfers !== undefined && { 'pennypost.transfers': transfers }),
    ...(status !== undefined && { 'pennypost.status': status }),
    ...(request && {
      'http.request.method': request.method,
      'http.route': request.route,
      'http.response.status_code': request.status,
    }),
  };
}

/** Random ids, except for the span that is made meanwhile. */
function createIds() {
  const random = new RandomIdGenerator();
  let given: TracePlace | null = null;
  return {
    generateTraceId: () => given?.traceId ?? random.generateTraceId(),
    generateSpanId: () => given?.spanId ?? random.generateSpanId(),
    as: <T>(place: TracePlace, make: () => T): T => {
      given = place;
      try {
        return make();
      } finally {
        given = null;
      }
    },
  };
}

type Counts = SpanCounts & { waiting: number };

/** The library drops what is too much as well, but does not tell how much that was. */
function limitWaiting(batches: SpanProcessor, counts: Counts): SpanProcessor {
  return {
    onStart: (span, context) => batches.onStart(span, context),
    onEnd(span) {
      if (counts.waiting >= WAITING_MAX) {
        counts.dropped += 1;
        return;
      }
      counts.waiting += 1;
      batches.onEnd(span);
    },
    forceFlush: () => batches.forceFlush(),
    shutdown: () => batches.shutdown(),
  };
}

/** One line when the collector stops taking spans, and one when it takes them again. */
function countTaken(exporter: SpanExporter, counts: Counts, log: Pick<Logger, 'info' | 'warn'>): SpanExporter {
  let isAway = false;
  return {
    export(spans, done) {
      const taken = (result: Parameters<typeof done>[0]) => {
        counts.waiting -= spans.length;
        const isTaken = result.error === undefined && result.code === 0;
        counts[isTaken ? 'sent' : 'dropped'] += spans.length;
        if (!isTaken && !isAway)
          log.warn({ reason: reasonOf(result.error) }, 'the collector of traces takes no spans; they are dropped');
        if (isTaken && isAway) log.info({}, 'the collector of traces takes spans again');
        isAway = !isTaken;
        done(result);
      };
      try {
        exporter.export(spans, taken);
      } catch (error) {
        taken({ code: 1, error: error instanceof Error ? error : new Error('the exporter failed') });
      }
    },
    shutdown: () => exporter.shutdown(),
    ...(exporter.forceFlush && { forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve() }),
  };
}
