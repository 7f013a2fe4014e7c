import type { ApiDependencies } from '../dependencies.ts';
import { toReceiptAnswer, versionOf } from './answer.ts';
import { readReceipt } from './read.ts';
import type { ReceiptPlace } from './view.ts';

/** How often a row is looked at when no announcement comes: the last resort. */
export const POLL_MS = 5_000;
/** Proxies and phones drop a connection that is silent for about half a minute. */
const QUIET_POLLS_PER_HEARTBEAT = 3;
/** Longer than a payment needs to become final; whoever still listens then connects again. */
const STREAM_MAX_MS = 60 * 60_000;
/** Each open stream costs a socket and a read every few seconds; a page that finds no place asks now and then. */
export const STREAMS_MAX = 256;

export type ReceiptStreams = {
  isFull: () => boolean;
  /** How many are open in this process. */
  open: () => number;
  /** Server-sent events: one for each change, each with the receipt as programs get it. Ends with the last change. */
  events: (source: StreamSource) => ReadableStream<Uint8Array>;
};

export type StreamSource = {
  slug: string;
  paymentId: string;
  /** The version that the listener has seen already; it is not sent again. */
  seen: string | null;
};

type StreamDependencies = Pick<ApiDependencies, 'store' | 'now' | 'log' | 'waitForChange'>;

export function createReceiptStreams(
  dependencies: StreamDependencies,
  place: ReceiptPlace,
  streamsMax = STREAMS_MAX,
): ReceiptStreams {
  let open = 0;
  const isFull = () => open >= streamsMax;

  function events(source: StreamSource): ReadableStream<Uint8Array> {
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
      // Nothing is taken before somebody reads: an answer that is thrown away must not hold a place.
      { highWaterMark: 0 },
    );
  }

  async function* holdPlace(source: StreamSource, hangUp: AbortController): AsyncGenerator<string, undefined> {
    if (isFull()) return;
    open += 1;
    try {
      yield* receiptEvents(dependencies, place, source, hangUp.signal);
    } catch (error) {
      // The headers are out, so nothing can be answered any more; the listener connects again.
      dependencies.log.error({ err: error, paymentId: source.paymentId }, 'a receipt stream broke');
    } finally {
      open -= 1;
      hangUp.abort();
    }
  }

  return { isFull, open: () => open, events };
}

async function* receiptEvents(
  { store, now, waitForChange }: StreamDependencies,
  place: ReceiptPlace,
  { slug, paymentId, seen }: StreamSource,
  signal: AbortSignal,
): AsyncGenerator<string, undefined> {
  const endsAt = now() + STREAM_MAX_MS;
  let sent = seen;
  let quietPolls = 0;
  yield 'retry: 3000\n\n';
  while (!signal.aborted && now() < endsAt) {
    const startedAt = now();
    // Listen first, read afterwards: a change between the two would be missed the other way round.
    const change = waitForChange(paymentId, POLL_MS, signal);
    const shown = await readReceipt(store, place, slug);
    if (shown === null) return;
    const { view } = shown;
    const version = versionOf(view);
    if (version !== sent) yield `id: ${version}\ndata: ${JSON.stringify(toReceiptAnswer(view))}\n\n`;
    sent = version;
    if (view.isFinished) return;
    const isChanged = await change;
    // A wait that is cut short without a change means that this process is stopping.
    if (!isChanged && now() - startedAt < POLL_MS / 2) return;
    quietPolls = isChanged ? 0 : quietPolls + 1;
    if (quietPolls > 0 && quietPolls % QUIET_POLLS_PER_HEARTBEAT === 0) yield ': still here\n\n';
  }
}
