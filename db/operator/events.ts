import { and, asc, desc, eq, isNotNull, ne } from 'drizzle-orm';
import type { EventType } from '../../core/events/events.ts';
import { enqueueAgain } from '../store/outbox.ts';
import type { Store } from '../store/store.ts';
import { recordAction, type Command } from './actions.ts';

export type ShownEvent = {
  id: string;
  type: EventType;
  txnIds: readonly number[];
  /** Whose payments it is about; null where callers of a task are told. */
  payer: string | null;
  url: string;
  endpointId: string;
  /** Why the endpoint is told nothing more; null while it is. */
  endpointEnd: string | null;
  atMs: number;
  failures: number;
  /** When it is tried next; null once it is over. */
  nextAtMs: number | null;
  outcome: string | null;
  lastAnswer: string | null;
};

/** What is still to be told, and what nobody took, the newest of that. */
export async function openEvents(store: Store, limit: number): Promise<{ waiting: ShownEvent[]; lost: ShownEvent[] }> {
  const { eventDeliveries: told } = store.tables;
  const waiting = await shown(store).where(isNotNull(told.nextAtMs)).orderBy(asc(told.nextAtMs)).limit(limit);
  const lost = await shown(store).where(ne(told.outcome, 'delivered')).orderBy(desc(told.endedAtMs)).limit(limit);
  return { waiting, lost };
}

/** All that was told, or is to be, about the payment that has this line. */
export async function eventsOf(store: Store, txnId: number): Promise<ShownEvent[]> {
  const { eventDeliveries: told, lines } = store.tables;
  const [line] = await store.read.select({ paymentId: lines.paymentId }).from(lines).where(eq(lines.txnId, txnId));
  if (line === undefined) return [];
  return shown(store).where(eq(told.paymentId, line.paymentId)).orderBy(asc(told.atMs), asc(told.id));
}

function shown({ read, tables }: Store) {
  const { eventDeliveries: told, eventEndpoints } = tables;
  return read
    .select({
      id: told.id,
      type: told.type,
      txnIds: told.txnIds,
      payer: eventEndpoints.payer,
      url: eventEndpoints.url,
      endpointId: told.endpointId,
      endpointEnd: eventEndpoints.endReason,
      atMs: told.atMs,
      failures: told.failures,
      nextAtMs: told.nextAtMs,
      outcome: told.outcome,
      lastAnswer: told.lastAnswer,
    })
    .from(told)
    .innerJoin(eventEndpoints, eq(eventEndpoints.id, told.endpointId))
    .$dynamic();
}

/**
 * Tells it once more, with all tries before it. An endpoint that ended because nothing reached it is open again; one that
 * said that it wants nothing more stays ended.
 */
export async function repeatEvent(
  store: Store,
  id: string,
  command: Command,
  nowMs: number,
): Promise<'repeated' | 'unknown' | 'gone'> {
  const { tables } = store;
  const { eventDeliveries: told, eventEndpoints } = tables;
  return store.tx(async (db) => {
    const [found] = await db
      .select({ endpointId: told.endpointId, reason: eventEndpoints.endReason })
      .from(told)
      .innerJoin(eventEndpoints, eq(eventEndpoints.id, told.endpointId))
      .where(eq(told.id, id));
    if (found === undefined) return 'unknown';
    if (found.reason === 'gone') return 'gone';
    const isEnded = and(eq(eventEndpoints.id, found.endpointId), isNotNull(eventEndpoints.endedAtMs));
    await db.update(eventEndpoints).set({ endedAtMs: null, endReason: null }).where(isEnded);
    const anew = { isSealed: true, failures: 0, nextAtMs: nowMs, endedAtMs: null, outcome: null };
    await db.update(told).set(anew).where(eq(told.id, id));
    await enqueueAgain(db, tables, 'event_due', { deliveryId: id }, nowMs);
    await recordAction(db, tables, command, { result: `repeated event ${id}`, nowMs });
    return 'repeated';
  });
}
