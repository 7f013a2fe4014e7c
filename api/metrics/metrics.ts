import type { MiddlewareHandler } from 'hono';
import type { Logger } from 'pino';
import { Counter, Gauge, Registry } from 'prom-client';
import type { Network } from '../../core/networks.ts';
import { readMails } from '../../db/costs/mails.ts';
import { readSpent } from '../../db/costs/spent.ts';
import { countFinished, readInFlight, sumLedger } from '../../db/audit/metrics.ts';
import { readAlerts } from '../../db/operator/alerts.ts';
import { readStandings } from '../../db/networks/standing.ts';
import type { Store } from '../../db/store/store.ts';
import type { ApiEnv } from '../http/env.ts';
import { createFirstWordTimer } from './chat.ts';
import { GAUGES, type Facts } from './gauges.ts';
import { processRegistry } from './process.ts';
import { createReading } from './reading.ts';
import { createRequestCounter } from './requests.ts';

/** The numbers of one process, and those of the database, which every process reports alike. */
export type Metrics = {
  countRequests: MiddlewareHandler<ApiEnv>;
  observeFirstWord: (transport: string, seconds: number) => void;
  /** In the text format of Prometheus. */
  render: () => Promise<{ contentType: string; text: string }>;
  close: () => Promise<void>;
};

export type MetricsOptions = {
  store: Store;
  networks: readonly Network[];
  now: () => number;
  /** For durations: unlike `now` it never jumps. */
  monotonicMs: () => number;
  log: Logger;
  /** Since the start, what became of the spans of traces; absent: there are none. */
  spans?: () => { sent: number; dropped: number };
};

/** Prometheus gives up after 10 s by default; what the process itself knows should reach it even then. */
const WAIT_MS = 3_000;
/** While SQLite reads, nothing else runs, so reading takes at most a hundredth of the time. */
const REST_FACTOR = 100;
export function createMetrics(options: MetricsOptions): Metrics {
  const { now, monotonicMs, networks } = options;
  const registry = new Registry();
  const countRequests = createRequestCounter(registry, monotonicMs);
  const observeFirstWord = createFirstWordTimer(registry);
  if (options.spans) tellSpans(registry, options.spans);
  const gauges = GAUGES.map((row) => {
    const { name, help, labelNames } = row;
    return { row, gauge: new Gauge({ name, help, labelNames: [...labelNames], registers: [registry] }) };
  });
  const books = createBooks(options);

  function show(facts: Facts): void {
    for (const { row, gauge } of gauges) {
      gauge.reset();
      // A gauge without labels resets to zero, which would be false for an unknown value.
      gauge.remove({});
      for (const { labels, value } of row.samples(facts)) gauge.set(labels, value);
    }
  }

  return {
    countRequests,
    observeFirstWord,
    render: async () => {
      const known = await books.latest();
      show({ ...known, networks, nowMs: now() });
      const texts = [await registry.metrics(), await processRegistry().metrics()];
      return { contentType: registry.contentType, text: texts.join('\n') };
    },
    close: books.close,
  };
}

function tellSpans(registry: Registry, spans: NonNullable<MetricsOptions['spans']>): void {
  new Counter({
    name: 'pennypost_trace_spans_total',
    help: 'Spans that the collector of traces has taken, and those that were dropped because it did not.',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(spans())) this.inc({ outcome }, count);
    },
  });
}

/** The questions to the database, each as rare as its cost demands. */
function createBooks({ store, networks, now, monotonicMs, log }: MetricsOptions) {
  const onFailure = (error: unknown) => log.warn({ err: error }, 'metrics could not read the database');
  const quick = { monotonicMs, onFailure, waitMs: WAIT_MS, restFactor: REST_FACTOR };
  const inFlight = createReading({ ...quick, read: () => readInFlight(store) });
  const ledger = createReading({ ...quick, read: () => sumLedger(store) });
  const spent = createReading({ ...quick, read: () => readSpent(store, networks, now()) });
  const mails = createReading({ ...quick, read: () => readMails(store, now()) });
  const standings = createReading({ ...quick, read: () => readStandings(store, networks, now()) });
  const alerts = createReading({ ...quick, read: () => readAlerts(store) });
  const finished = createReading({ ...quick, read: () => countFinished(store) });
  return {
    latest: async () => {
      const [first, second, third, fourth, fifth, sixth, last] = await Promise.all([
        inFlight.latest(),
        ledger.latest(),
        spent.latest(),
        mails.latest(),
        standings.latest(),
        alerts.latest(),
        finished.latest(),
      ]);
      const costs = { spent: third, mails: fourth };
      return { inFlight: first, ledger: second, ...costs, standings: fifth, alerts: sixth, finished: last };
    },
    close: async () => {
      await Promise.all(
        [inFlight, ledger, spent, mails, standings, alerts, finished].map((reading) => reading.close()),
      );
    },
  };
}
