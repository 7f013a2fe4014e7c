import { and, eq, lte, or, type SQL } from 'drizzle-orm';
import type { Tables } from '../../schema/tables.ts';

/** An answer leaves within a second of its settlement; one still here after this time has no caller to take it. */
const HANDING_MS = 5_000;
/** No request waits longer than this, so what still waits has lost its caller with its process. */
const WAITING_MS = 30_000;

/**
 * Whether a payment's caller was not handed its answer: the delivery failed, or the process died first. It does not
 * mean two callers who wait side by side.
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
