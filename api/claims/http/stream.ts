import type { StreamPlaces } from '../../../queue/stream-places.ts';
import { createEventStreams, type StreamPace } from '../../environment/event-stream.ts';
import { isFinished, toClaimAnswer, versionOfClaim } from '../answer.ts';
import type { Claims, ClaimView, Opener } from '../claims.ts';
import type { ClaimsDependencies } from '../dependencies.ts';

const PACE: StreamPace = {
  // Payouts land without an announcement about the claim, so a watched claim is read this often.
  pollMs: 2_000,
  quietPollsPerHeartbeat: 8,
  // As long as a claim lasts; a listener that is still there reconnects.
  maxMs: 30 * 60_000,
};

/** `caller`: the address from which it is watched. */
export type Watch = { view: ClaimView; opener: Opener; caller: string; seen: string | null };

export type ClaimStreams = {
  /** Server-sent events: one for each change, each with the claim as programs get it. Ends with the last change. */
  events: (watch: Watch) => ReadableStream<Uint8Array>;
};

type StreamDependencies = Pick<ClaimsDependencies, 'now' | 'log' | 'waitForChange'> & { claims: Pick<Claims, 'read'> };

export function createClaimStreams(dependencies: StreamDependencies, places?: StreamPlaces): ClaimStreams {
  const { claims } = dependencies;
  const { events } = createEventStreams(dependencies, places, PACE);
  return {
    events: ({ view: { claimId, status, receiptSlug }, opener, caller, seen }) =>
      events({
        caller,
        // A cookie is free; a proven name and a receipt's link are not.
        isOwner: status !== 'pending' || opener.kind === 'bot' || receiptSlug !== null,
        // A claim is shown to the browser that opened it, so no other shares its reader.
        subject: `${opener.kind === 'bot' ? 'bot' : opener.browserId} ${claimId}`,
        channel: () => claimId,
        seen,
        read: async () => {
          const view = await claims.read(claimId, opener);
          return { version: versionOfClaim(view), answer: toClaimAnswer(view), isFinished: isFinished(view) };
        },
      }),
  };
}
