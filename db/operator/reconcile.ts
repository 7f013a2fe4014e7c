import { inArray } from 'drizzle-orm';
import { familyOf, type Family, type Network } from '../../core/networks.ts';
import { findViolations } from '../audit/invariants.ts';
import { acceptMarks } from '../processes/high-water.ts';
import type { StopReason } from '../../core/payments/stops.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';
import { recordAction, type Command } from './actions.ts';
import { judgeInbounds, markInbounds } from './lost-inbounds.ts';
import { lostNames, type Naming } from './lost-names.ts';
import { explainLost, openOutflows, stoppingOutflows, type OutflowEnd } from './lost-outflows.ts';
import type { Outflow } from './paid-before.ts';
import { beginWaitsAnew } from './safety.ts';
import { listStops, type Stop } from './stops.ts';

/**
 * How much newer than the restore the scanned chain must be: what was signed in the lost time has landed by then, or never
 * will. An authorization is valid for an hour, a transaction on Solana for about a minute.
 */
const LATER_SECONDS = { evm: 65 * 60, svm: 5 * 60 } as const satisfies Record<Family, number>;

type Cursor = Tables['scanCursors']['$inferSelect'];

/** The stop that a process put up when it noticed that the database has lost what it had signed. */
export async function restoredStop(store: Store): Promise<Stop | null> {
  return (await listStops(store)).find(({ reason }) => reason === 'database_restored') ?? null;
}

/** `waits`: the networks whose chain has to be read on, and until when (unix seconds). `unexplained`: transfers of ours. */
export type ReconcileResult =
  | { kind: 'nothing' }
  | { kind: 'waits'; networks: { network: Network; untilSeconds: number }[] }
  | { kind: 'unexplained'; outflows: readonly Outflow[] }
  | { kind: 'done'; landed: number; lost: number; returned: number; held: number; stillStopped: readonly Stop[] };

export type Reconciling = Naming & {
  newId: () => string;
  command: Command;
  nowMs: number;
  /** For controls, which take the rule away. */
  mark?: typeof markInbounds;
};

/**
 * Ends the stop of a restored database. First nothing else can take what came in during the lost time. Then each transfer
 * that left is booked by its name, and what came in and was not paid out goes back to its payer; what is in doubt is held
 * and listed. While a transfer of ours has no name of ours, signing stays stopped: `known` are those that the operator
 * says are their own.
 */
export async function reconcile(
  store: Store,
  known: readonly string[],
  reconciling: Reconciling,
): Promise<ReconcileResult> {
  const { newId, nowMs, mark = markInbounds } = reconciling;
  const stop = await restoredStop(store);
  if (stop === null) return { kind: 'nothing' };
  const cursors = await store.read.select().from(store.tables.scanCursors);
  const networks = unreadNetworks(cursors, stop, await stoppingOutflows(store.read, store));
  if (networks.length > 0) return { kind: 'waits', networks };
  await mark(store, cursors, nowMs);
  const outflows = await openOutflows(store.read, store);
  const candidates = await lostNames(store, reconciling, outflows);
  const ends: OutflowEnd[] = [];
  for (const out of outflows)
    ends.push(await explainLost(store, out, known.includes(out.fact), { candidates, newId, nowMs }));
  const count = (wanted: OutflowEnd) => ends.filter((end) => end === wanted).length;
  const ended = await end(store, { ...reconciling, stop, cursors });
  if (ended.kind !== 'done') return ended;
  const stillStopped = await liftFollowing(store);
  return { ...ended, landed: count('landed'), lost: count('lost'), stillStopped };
}

/**
 * A transfer of ours that these books cannot explain and that is younger than the restore was signed elsewhere: what that
 * installation signed last may still land as well.
 */
function unreadNetworks(cursors: readonly Cursor[], { sinceMs }: Stop, open: readonly Outflow[]) {
  return cursors.flatMap(({ network, blockTime, finalizedBlock }) => {
    const own = open.filter((out) => out.network === network);
    const lastMs = Math.max(sinceMs, ...own.map(({ seenAtMs }) => seenAtMs));
    const untilSeconds = Math.ceil(lastMs / 1_000) + LATER_SECONDS[familyOf(network)];
    const isRead = blockTime >= untilSeconds && own.every(({ block }) => block <= finalizedBlock);
    return isRead ? [] : [{ network, untilSeconds }];
  });
}

type Ending = Reconciling & { stop: Stop; cursors: readonly Cursor[] };

/** What came in until then is settled: whatever was signed for it has landed by now, or never will. */
export function settledBeforeMs({ network, blockTime }: Pick<Cursor, 'network' | 'blockTime'>): number {
  return (blockTime - LATER_SECONDS[familyOf(network)]) * 1_000;
}

/** In one transaction with a last look: anything that another installation signs meanwhile starts it all again. */
async function end(store: Store, { stop, cursors, command, nowMs }: Ending) {
  const { restoredCursors, reconciliations } = store.tables;
  const settledBefore = new Map(cursors.map((cursor) => [cursor.network, settledBeforeMs(cursor)]));
  return store.tx(async (db) => {
    const outflows = await stoppingOutflows(db, store);
    if (outflows.length > 0) return { kind: 'unexplained' as const, outflows };
    const cleared = await clear(db, store, ['database_restored', 'unexplained_outflow']);
    if (!cleared.includes('database_restored')) return { kind: 'nothing' as const };
    const judged = await judgeInbounds(db, store, { settledBefore, nowMs });
    await beginWaitsAnew(db, store, nowMs);
    await db.insert(reconciliations).values({ noticedAtMs: stop.sinceMs, atMs: nowMs });
    await db.delete(restoredCursors);
    const processes = await acceptMarks(db, store);
    const result = `${processes} processes had signed more, ${judged.returned} given back, ${judged.held} held`;
    await recordAction(db, store.tables, command, { result, nowMs });
    return { kind: 'done' as const, ...judged };
  });
}

async function clear(db: Db, { tables: { signingStops } }: Store, reasons: readonly StopReason[]): Promise<string[]> {
  const rows = await db
    .delete(signingStops)
    .where(inArray(signingStops.reason, [...reasons]))
    .returning({ reason: signingStops.reason });
  return rows.map(({ reason }) => reason);
}

/** What the audit found wrong while the lost time was in no book. Answers what is left, such as the operator's own stop. */
async function liftFollowing(store: Store): Promise<Stop[]> {
  if ((await findViolations(store)).length === 0) await store.tx((db) => clear(db, store, ['invariant_broken']));
  return listStops(store);
}
