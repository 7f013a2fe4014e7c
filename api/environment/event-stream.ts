import { createStreamPlaces, type StreamPlaces } from '../../queue/stream-places.ts';
import { createShared } from '../../queue/by-key.ts';
import type { ApiDependencies } from './dependencies.ts';

/** How often a row is read when no announcement comes: the last resort. */
export const POLL_MS = 5_000;

export type StreamPace = { pollMs: number; quietPollsPerHeartbeat: number; maxMs: number };

const PACE: StreamPace = {
  pollMs: POLL_MS,
  // Proxies and phones drop a connection that is silent for about half a minute.
  quietPollsPerHeartbeat: 3,
  // Longer than a payment needs to become final; a listener that is still there reconnects.
  maxMs: 60 * 60_000,
};

const RETRY = 'retry: 3000\n\n';
/** For a listener whose place another took: so many pages are open that they would only push each other out. */
const RETRY_LATER = 'retry: 60000\n\n';

export type EventStreams = {
  /** How many are open in this process. */
  open: () => number;
  /** Server-sent events: one for each change, each with what programs get. Ends with the last change. */
  events: (source: StreamedSource) => ReadableStream<Uint8Array>;
};

/** What is shown now. `version` names it; with `isFinished` nothing can change any more. */
export type Shown = {
  version: string;
  /** Several are sent one after the other. */
  answer: Record<string, unknown> | readonly Record<string, unknown>[];
  isFinished: boolean;
};

export type StreamedSource = {
  /** Who listens: an address. */
  caller: string;
  /** It never gives way to a stranger. */
  isOwner?: boolean;
  /** Names what is shown and to whom; listeners of the same share one reader. */
  subject: string;
  /** The names under which changes are announced; read before each wait. */
  channel: () => string;
  /** The version that the listener has seen already; it is not sent again. */
  seen: string | null;
  /** Null: there is nothing (any more). */
  read: () => Promise<Shown | null>;
};

type StreamDependencies = Pick<ApiDependencies, 'now' | 'log'> & {
  waitForChange: (channel: string, timeoutMs: number, signal: AbortSignal) => Promise<boolean>;
};

export function createEventStreams(
  dependencies: StreamDependencies,
  places: StreamPlaces = createStreamPlaces(),
  pace: StreamPace = PACE,
): EventStreams {
  const readers = createReaders(dependencies, pace.pollMs);

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
    const { caller, subject, isOwner = false } = source;
    let isPushedOut = false;
    const end = () => {
      isPushedOut = true;
      hangUp.abort();
    };
    const leave = places.take({ caller, subject, isOwner, end });
    const reader = readers.join(source);
    try {
      yield* textsOf(dependencies, { source, reader, pace }, hangUp.signal);
      if (isPushedOut) yield RETRY_LATER;
    } catch (error) {
      // The headers are out, so nothing can be answered any more; the listener connects again.
      dependencies.log.error({ err: error, channel: source.channel() }, 'a live stream broke');
    } finally {
      reader.leave();
      leave();
    }
  }

  return { open: places.open, events };
}

type Listening = { source: StreamedSource; reader: Reader; pace: StreamPace };

async function* textsOf(
  { now }: StreamDependencies,
  { source: { seen }, reader, pace }: Listening,
  signal: AbortSignal,
): AsyncGenerator<string, undefined> {
  const endsAt = now() + pace.maxMs;
  let sent = seen;
  let quietPolls = 0;
  yield RETRY;
  while (!signal.aborted && now() < endsAt) {
    const turn = reader.nextTurn();
    const shown = await turn.shown;
    if (shown === null) return;
    const { version, answer, isFinished } = shown;
    if (version !== sent) for (const each of [answer].flat()) yield `id: ${version}\ndata: ${JSON.stringify(each)}\n\n`;
    sent = version;
    if (isFinished) return;
    const isChanged = await untilChange(turn, signal);
    // A wait that is cut short without a change means that this process is stopping.
    if (!isChanged && now() - turn.startedAt < pace.pollMs / 2) return;
    quietPolls = isChanged ? 0 : quietPolls + 1;
    if (quietPolls > 0 && quietPolls % pace.quietPollsPerHeartbeat === 0) yield ': still here\n\n';
  }
}

/** One wait for a change, and what there is to see after it began. */
type Turn = { startedAt: number; change: Promise<boolean>; shown: Promise<Shown | null> };

type Reader = { nextTurn: () => Turn; leave: () => void };

/** All who watch the same wait and read together: a thousand listeners ask the database as often as one. */
function createReaders({ now, waitForChange }: StreamDependencies, pollMs: number) {
  const waits = createShared<object, boolean>();
  /** Keyed by a wait that began before the read, or a change between the two would be missed. */
  const reads = createShared<Promise<boolean>, Shown | null>();
  const watched = new Map<string, { listeners: number; closing: AbortController }>();

  function join({ subject, channel, read }: StreamedSource): Reader {
    const all = watched.get(subject) ?? { listeners: 0, closing: new AbortController() };
    watched.set(subject, all);
    all.listeners += 1;
    return {
      nextTurn() {
        const startedAt = now();
        const change = waits.share(all, () => waitForChange(channel(), pollMs, all.closing.signal));
        return { startedAt, change, shown: reads.share(change, read) };
      },
      leave() {
        all.listeners -= 1;
        if (all.listeners > 0) return;
        all.closing.abort();
        watched.delete(subject);
      },
    };
  }

  return { join };
}

/** False also when the listener hangs up, which does not end the wait of the others. */
function untilChange({ change }: Turn, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const hangUp = () => resolve(false);
    if (signal.aborted) hangUp();
    signal.addEventListener('abort', hangUp);
    void change.then((isChanged) => {
      signal.removeEventListener('abort', hangUp);
      resolve(isChanged);
    });
  });
}
