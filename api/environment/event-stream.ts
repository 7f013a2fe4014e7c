import type { ApiDependencies } from './dependencies.ts';

/** How often a row is read when no announcement comes: the last resort. */
export const POLL_MS = 5_000;
/** Proxies and phones drop a connection that is silent for about half a minute. */
const QUIET_POLLS_PER_HEARTBEAT = 3;
/** Longer than a payment needs to become final; a listener that is still there reconnects. */
const STREAM_MAX_MS = 60 * 60_000;
/** Each open stream costs a socket and a read every few seconds; a page that finds no place asks now and then. */
export const STREAMS_MAX = 256;

export type EventStreams = {
  isFull: () => boolean;
  /** How many are open in this process. */
  open: () => number;
  /** Server-sent events: one for each change, each with what programs get. Ends with the last change. */
  events: (source: StreamedSource) => ReadableStream<Uint8Array>;
};

/** What is shown now. `version` names it; with `isFinished` nothing can change any more. */
export type Shown = { version: string; answer: Record<string, unknown>; isFinished: boolean };

export type StreamedSource = {
  /** The payment whose announcements mean a change; read before each wait. */
  paymentId: () => string;
  /** The version that the listener has seen already; it is not sent again. */
  seen: string | null;
  /** Null: there is nothing (any more). */
  read: () => Promise<Shown | null>;
};

type StreamDependencies = Pick<ApiDependencies, 'now' | 'log' | 'waitForChange'>;

export function createEventStreams(dependencies: StreamDependencies, streamsMax = STREAMS_MAX): EventStreams {
  let open = 0;
  const isFull = () => open >= streamsMax;

  function events(source: StreamedSource): ReadableStream<Uint8Array> {
    const hangUp = new AbortController();
    const texts = holdPlace(source, hangUp);
    const encoder = new TextEncoder();
    return new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          const next = await texts.next();
          if (next.done === true) controller.close();
          else controller.enqueue(encoder.encode(next.value));
        },
        async cancel() {
          hangUp.abort();
          await texts.return(undefined);
        },
      },
      // Takes nothing before the first read: an answer that is thrown away must not hold a place.
      { highWaterMark: 0 },
    );
  }

  async function* holdPlace(source: StreamedSource, hangUp: AbortController): AsyncGenerator<string, undefined> {
    if (isFull()) return;
    open += 1;
    try {
      yield* textsOf(dependencies, source, hangUp.signal);
    } catch (error) {
      // The headers are out, so nothing can be answered any more; the listener connects again.
      dependencies.log.error({ err: error, paymentId: source.paymentId() }, 'a live stream broke');
    } finally {
      open -= 1;
      hangUp.abort();
    }
  }

  return { isFull, open: () => open, events };
}

async function* textsOf(
  { now, waitForChange }: StreamDependencies,
  { paymentId, seen, read }: StreamedSource,
  signal: AbortSignal,
): AsyncGenerator<string, undefined> {
  const endsAt = now() + STREAM_MAX_MS;
  let sent = seen;
  let quietPolls = 0;
  yield 'retry: 3000\n\n';
  while (!signal.aborted && now() < endsAt) {
    const startedAt = now();
    // Listens first and reads afterwards, or a change between the two would be missed.
    const change = waitForChange(paymentId(), POLL_MS, signal);
    const shown = await read();
    if (shown === null) return;
    const { version, answer, isFinished } = shown;
    if (version !== sent) yield `id: ${version}\ndata: ${JSON.stringify(answer)}\n\n`;
    sent = version;
    if (isFinished) return;
    const isChanged = await change;
    // A wait that is cut short without a change means that this process is stopping.
    if (!isChanged && now() - startedAt < POLL_MS / 2) return;
    quietPolls = isChanged ? 0 : quietPolls + 1;
    if (quietPolls > 0 && quietPolls % QUIET_POLLS_PER_HEARTBEAT === 0) yield ': still here\n\n';
  }
}
