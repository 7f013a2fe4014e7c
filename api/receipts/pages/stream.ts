import type { ApiDependencies } from '../../environment/dependencies.ts';
import type { StreamPlaces } from '../../../queue/stream-places.ts';
import { createEventStreams, type EventStreams } from '../../environment/event-stream.ts';
import { toReceiptAnswer, versionOf } from '../answer.ts';
import { readReceipt } from '../read.ts';
import type { ReceiptPlace } from '../view.ts';

export type ReceiptStreams = Pick<EventStreams, 'open'> & {
  /** Server-sent events: one for each change, each with the receipt as programs get it. Ends with the last change. */
  events: (source: StreamSource) => ReadableStream<Uint8Array>;
};

export type StreamSource = {
  slug: string;
  /** The address of who listens. */
  caller: string;
  paymentId: string;
  /** The version that the listener has seen already; it is not sent again. */
  seen: string | null;
};

type StreamDependencies = Pick<ApiDependencies, 'store' | 'now' | 'log' | 'waitForChange'>;

export function createReceiptStreams(
  dependencies: StreamDependencies,
  place: ReceiptPlace,
  places?: StreamPlaces,
): ReceiptStreams {
  const { open, events } = createEventStreams(dependencies, places);
  return {
    open,
    events: ({ slug, caller, paymentId, seen }) =>
      events({
        caller,
        subject: slug,
        channel: () => paymentId,
        seen,
        read: async () => {
          const shown = await readReceipt(dependencies, place, slug);
          if (shown === null) return null;
          const { view } = shown;
          return { version: versionOf(view), answer: toReceiptAnswer(view), isFinished: view.isFinished };
        },
      }),
  };
}
