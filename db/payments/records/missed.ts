import { and, eq, lte, or, type SQL } from 'drizzle-orm';
import type { Tables } from '../../schema/tables.ts';

/** An answer leaves within a second of its settlement, however it is noticed; one that has not after this time has nobody to take it. */
const HANDING_MS = 5_000;
/** No request waits longer than this, so what still waits has lost its caller with its process. */
const WAITING_MS = 30_000;

/**
 * Whether a payment's caller was not handed its answer: it was told so, or its process died without a word. Two callers
 * who wait side by side are not meant.
 */
export function isMissed(tables: Tables, nowMs: number): SQL | undefined {
  const { payments } = tables;
  return or(
    eq(payments.delivery, 'missed'),
    and(
      eq(payments.delivery, 'waiting'),
      or(lte(payments.settledAtMs, nowMs - HANDING_MS), lte(payments.createdAtMs, nowMs - WAITING_MS)),
    ),
  );
}
