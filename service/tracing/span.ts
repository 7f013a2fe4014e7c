import { createHash } from 'node:crypto';
import type { Network } from '../../core/networks.ts';

/** A step of one payment, over. Its fields are all that ever leaves: ids, names of ours, numbers. */
export type Span = {
  paymentId: string;
  name: string;
  startMs: number;
  endMs: number;
  /** What all others of the payment stand under. */
  isRoot?: boolean;
  network?: Network;
  carrier?: string;
  /** How many transfers of the payment were part of it. */
  transfers?: number;
  status?: string;
  request?: { method: string; route: string; status: number };
  /** The caller's own place in a trace of theirs. */
  link?: TracePlace | null;
};

export type TracePlace = { traceId: string; spanId: string };

/**
 * Made from the payment's id, so that every process knows where its spans belong: nothing is stored with the payment or
 * handed from one process to another.
 */
export function placeOf(paymentId: string): TracePlace {
  const hash = createHash('sha256').update(`pennypost payment ${paymentId}`).digest('hex');
  return { traceId: hash.slice(0, 32), spanId: hash.slice(32, 48) };
}

/** A `traceparent` of W3C Trace Context; null where it is none. */
export function readTraceParent(header: string | undefined): TracePlace | null {
  const [, traceId, spanId] =
    /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(?:-|$)/.exec(header ?? '') ?? [];
  if (traceId === undefined || spanId === undefined) return null;
  return /^0+$/.test(traceId) || /^0+$/.test(spanId) ? null : { traceId, spanId };
}
