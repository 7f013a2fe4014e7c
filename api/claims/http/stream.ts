import { isFinished, toClaimAnswer, versionOfClaim } from '../answer.ts';
import type { Claims, ClaimView, Opener } from '../claims.ts';
import type { ClaimsDependencies } from '../dependencies.ts';

/** Payouts land without an announcement about the claim, so a watched claim is read this often. */
const POLL_MS = 2_000;
/** Proxies and phones drop a connection that is silent for about half a minute. */
const QUIET_POLLS_PER_HEARTBEAT = 8;
/** As long as a claim lasts; a listener that is still there reconnects. */
const STREAM_MAX_MS = 30 * 60_000;
/** Each open stream costs a socket and some reads every two seconds. */
export const CLAIM_STREAMS_MAX = 256;
/** A person has a few windows open; no browser needs all places. */
const STREAMS_PER_BROWSER_MAX = 6;

export type Watch = { view: ClaimView; opener: Opener; seen: string | null };

export type ClaimStreams = {
  hasPlace: (opener: Opener) => boolean;
  /** Server-sent events: one for each change, each with the claim as programs get it. Ends with the last change. */
  events: (watch: Watch) => ReadableStream<Uint8Array>;
};

type StreamDependencies = Pick<ClaimsDependencies, 'now' | 'log' | 'waitForChange'> & { claims: Pick<Claims, 'read'> };

export function createClaimStreams(dependencies: StreamDependencies, streamsMax = CLAIM_STREAMS_MAX): ClaimStreams {
  const open = new Map<string, number>();
  const hasPlace = (opener: Opener): boolean => {
    const total = [...open.values()].reduce((sum, count) => sum + count, 0);
    if (total >= streamsMax) return false;
    return opener.kind === 'bot' || (open.get(nameOf(opener)) ?? 0) < STREAMS_PER_BROWSER_MAX;
  };

  function count(opener: Opener, change: 1 | -1): void {
    const name = nameOf(opener);
    const left = (open.get(name) ?? 0) + change;
    if (left > 0) open.set(name, left);
    else open.delete(name);
  }

  async function* holdPlace(watch: Watch, hangUp: AbortController): AsyncGenerator<string, undefined> {
    if (!hasPlace(watch.opener)) return;
    count(watch.opener, 1);
    try {
      yield* claimEvents(dependencies, watch, hangUp.signal);
    } catch (error) {
      // The headers are out, so nothing can be answered any more; the listener connects again.
      dependencies.log.error({ err: error, claimId: watch.view.claimId }, 'a claim stream broke');
    } finally {
      count(watch.opener, -1);
      hangUp.abort();
    }
  }

  return {
    hasPlace,
    events: (watch) => {
      const hangUp = new AbortController();
      const texts = holdPlace(watch, hangUp);
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
    },
  };
}

async function* claimEvents(
  { claims, now, waitForChange }: StreamDependencies,
  { view: { claimId }, opener, seen }: Watch,
  signal: AbortSignal,
): AsyncGenerator<string, undefined> {
  const endsAt = now() + STREAM_MAX_MS;
  let sent = seen;
  let quietPolls = 0;
  yield 'retry: 3000\n\n';
  while (!signal.aborted && now() < endsAt) {
    const startedAt = now();
    // Listens first and reads afterwards, or a change between the two would be missed.
    const change = waitForChange(claimId, POLL_MS, signal);
    const view = await claims.read(claimId, opener);
    const version = versionOfClaim(view);
    quietPolls = version === sent ? quietPolls + 1 : 0;
    if (version !== sent) yield `id: ${version}\ndata: ${JSON.stringify(toClaimAnswer(view))}\n\n`;
    else if (quietPolls % QUIET_POLLS_PER_HEARTBEAT === 0) yield ': still here\n\n';
    sent = version;
    if (isFinished(view)) return;
    const isChanged = await change;
    // A wait that is cut short without a change means that this process is stopping.
    if (!isChanged && now() - startedAt < POLL_MS / 2) return;
  }
}

function nameOf(opener: Opener): string {
  return opener.kind === 'bot' ? 'bot' : opener.browserId;
}
