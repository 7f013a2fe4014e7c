import {
  and,
  asc,
  eq,
  gt,
  isNotNull,
  isNull,
  lte,
  min,
  notInArray,
  sql,
  type Placeholder,
  type SQL,
} from 'drizzle-orm';
import { EVENT_TYPES, type DeliveryOutcome, type EndpointEnd } from '../../core/events/events.ts';
import { given, placeholder, prepare } from '../store/prepare.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';

export type DeliveryRow = Tables['eventDeliveries']['$inferSelect'];

/**
 * The endpoints that something is due for, those that wait longest first, and when the next delivery comes due after
 * that.
 */
export async function dueEndpoints(
  { read, tables }: Store,
  nowMs: number,
  limit: number,
  except: readonly string[],
  whose: Whose,
): Promise<{ items: string[]; nextDueAtMs: number | null }> {
  const find = async () => {
    if (limit === 0) return [];
    if (except.length === 0) return DUE_TO[whose](read, { nowMs, limit });
    return selectDue(read, tables, whose, notInArray(tables.eventDeliveries.endpointId, [...except]), { nowMs, limit });
  };
  const items = await find();
  const [next] = await nextDue(read, { nowMs });
  return { items: items.map(({ endpointId }) => endpointId), nextDueAtMs: next?.nextAtMs ?? null };
}

type Whose = 'payers' | 'tasks';
type Given = { nowMs: number | Placeholder; limit: number | Placeholder };

function selectDue(db: Db, tables: Tables, whose: Whose, isOther: SQL | undefined, { nowMs, limit }: Given) {
  const { eventDeliveries: due, eventEndpoints } = tables;
  const { taskId } = eventEndpoints;
  const isWanted = whose === 'tasks' ? isNotNull(taskId) : isNull(taskId);
  return (
    db
      .select({ endpointId: due.endpointId })
      .from(due)
      // An endpoint that is gone counts with the payers': what is due to it ends there.
      .leftJoin(eventEndpoints, eq(eventEndpoints.id, due.endpointId))
      .where(and(isNotNull(due.nextAtMs), lte(due.nextAtMs, nowMs), isWanted, isOther))
      .groupBy(due.endpointId)
      .orderBy(asc(min(due.nextAtMs)))
      .limit(limit)
  );
}

const dueTo = (whose: Whose) =>
  prepare((db, tables) => selectDue(db, tables, whose, undefined, given('nowMs', 'limit')));

/** Hardly ever is one left out. */
const DUE_TO = { payers: dueTo('payers'), tasks: dueTo('tasks') };

const nextDue = prepare((db, { eventDeliveries: due }) =>
  db
    .select({ nextAtMs: due.nextAtMs })
    .from(due)
    .where(and(isNotNull(due.nextAtMs), gt(due.nextAtMs, placeholder('nowMs'))))
    .orderBy(asc(due.nextAtMs))
    .limit(1),
);

/** What is due for an endpoint, in the order of what happened. Once read it is sealed: it may be sent from here on. */
export async function sealDue(
  { tx, tables }: Store,
  endpointId: string,
  { nowMs, limit }: { nowMs: number; limit: number },
): Promise<DeliveryRow[]> {
  const { eventDeliveries: due } = tables;
  const isDue = and(eq(due.endpointId, endpointId), isNotNull(due.nextAtMs), lte(due.nextAtMs, nowMs));
  return tx(async (db) => {
    const rows = await db.select().from(due).where(isDue).orderBy(asc(due.atMs), asc(due.id)).limit(limit);
    for (const { id } of rows.filter(({ isSealed }) => !isSealed))
      await db.update(due).set({ isSealed: true }).where(eq(due.id, id));
    return rows.toSorted((one, other) => one.atMs - other.atMs || rankOf(one) - rankOf(other));
  });
}

/** What happens at once happens in this order. */
const rankOf = ({ type }: DeliveryRow): number => EVENT_TYPES.indexOf(type);

type Ended = { outcome: DeliveryOutcome; answer: string | null; nowMs: number };

/** The endpoint has it. */
export async function markDelivered(
  { tx, tables }: Store,
  { id, endpointId }: Pick<DeliveryRow, 'id' | 'endpointId'>,
  { answer, nowMs }: { answer: string; nowMs: number },
): Promise<void> {
  const { eventEndpoints } = tables;
  await tx(async (db) => {
    await end(db, tables, id, { outcome: 'delivered', answer, nowMs });
    await db.update(eventEndpoints).set({ deliveredAtMs: nowMs }).where(eq(eventEndpoints.id, endpointId));
  });
}

/** It is tried again then, and nothing else is sent there before `restsUntilMs`. */
export async function putOffDelivery(
  { tx, tables }: Store,
  { id, endpointId }: Pick<DeliveryRow, 'id' | 'endpointId'>,
  { answer, nextAtMs, restsUntilMs }: { answer: string; nextAtMs: number; restsUntilMs: number },
): Promise<void> {
  const { eventDeliveries: due } = tables;
  await tx(async (db) => {
    await db
      .update(due)
      .set({ nextAtMs, lastAnswer: answer, failures: sql`${due.failures} + 1` })
      .where(and(eq(due.id, id), isNotNull(due.nextAtMs)));
    await rest(db, tables, endpointId, restsUntilMs);
  });
}

/** Nothing that is due is sent there before then; nobody has failed. */
export async function restEndpoint({ tx, tables }: Store, endpointId: string, untilMs: number): Promise<void> {
  await tx((db) => rest(db, tables, endpointId, untilMs));
}

async function rest(db: Db, { eventDeliveries: due }: Tables, endpointId: string, untilMs: number): Promise<void> {
  await db
    .update(due)
    .set({ nextAtMs: untilMs })
    .where(and(eq(due.endpointId, endpointId), isNotNull(due.nextAtMs), lte(due.nextAtMs, untilMs)));
}

/** It failed for the last time. Where nothing has reached the endpoint since it happened, the endpoint ends with it. */
export async function failDelivery(
  { tx, tables }: Store,
  { id, endpointId, atMs }: Pick<DeliveryRow, 'id' | 'endpointId' | 'atMs'>,
  { answer, nowMs }: { answer: string; nowMs: number },
): Promise<'failed' | 'unreachable'> {
  const { eventDeliveries: due, eventEndpoints } = tables;
  return tx(async (db) => {
    await db
      .update(due)
      .set({ failures: sql`${due.failures} + 1` })
      .where(eq(due.id, id));
    await end(db, tables, id, { outcome: 'failed', answer, nowMs });
    const [endpoint] = await db
      .select({ deliveredAtMs: eventEndpoints.deliveredAtMs })
      .from(eventEndpoints)
      .where(eq(eventEndpoints.id, endpointId));
    if ((endpoint?.deliveredAtMs ?? -Infinity) >= atMs) return 'failed';
    await endWithin(db, tables, endpointId, { reason: 'unreachable', nowMs });
    return 'unreachable';
  });
}

/** Nothing more is told there. */
export async function endEndpoint(
  { tx, tables }: Store,
  endpointId: string,
  ended: { reason: EndpointEnd; nowMs: number },
): Promise<void> {
  await tx((db) => endWithin(db, tables, endpointId, ended));
}

async function endWithin(
  db: Db,
  { eventDeliveries: due, eventEndpoints }: Tables,
  endpointId: string,
  { reason, nowMs }: { reason: EndpointEnd; nowMs: number },
): Promise<void> {
  await db.update(eventEndpoints).set({ endedAtMs: nowMs, endReason: reason }).where(eq(eventEndpoints.id, endpointId));
  const over = { isSealed: true, nextAtMs: null, endedAtMs: nowMs, outcome: 'endpoint_ended' } as const;
  await db
    .update(due)
    .set(over)
    .where(and(eq(due.endpointId, endpointId), isNotNull(due.nextAtMs)));
}

async function end(db: Db, { eventDeliveries }: Tables, id: string, { outcome, answer, nowMs }: Ended): Promise<void> {
  const over = { isSealed: true, nextAtMs: null, endedAtMs: nowMs, outcome, lastAnswer: answer };
  await db.update(eventDeliveries).set(over).where(eq(eventDeliveries.id, id));
}
