import type { Network } from '../../core/networks.ts';
import { and, asc, eq, inArray, isNull, lte, sql, type SQL } from 'drizzle-orm';
import { BOOKED_PURPOSES, purposesOf, type TransferKind } from '../../core/transfers/purposes.ts';
import type { TransferRow } from '../payments/records/find.ts';
import type { Tables } from '../schema/tables.ts';
import { placeholder, prepare } from '../store/prepare.ts';
import type { Store } from '../store/store.ts';

/** Those that may share a carrier of this kind. */
export function isOfKind({ transfers }: Tables, kind: TransferKind): SQL {
  return inArray(transfers.purpose, purposesOf(kind));
}

/** Those that the ledger knows of, and the scan sees. */
export function isBooked({ transfers }: Tables): SQL {
  return inArray(transfers.purpose, BOOKED_PURPOSES);
}

/** Counts against the exposure cap. Without a parameter, so that both databases know it as the condition of an index. */
export const isExposed = ({ transfers }: Tables): SQL => sql`${transfers.exposed} = true`;

/** On one network, at most `limit`, the oldest first. */
export type Due = { network: Network; kind: TransferKind; nowMs: number; limit: number };

/** Planned transfers whose generation is not signed yet. */
export async function queuedTransfers(store: Store, due: Due): Promise<TransferRow[]> {
  return QUEUED[due.kind](store.read, due);
}

/** Transfers whose authorization is signed and stored, and that no batch carries now. */
export async function assignedTransfers(store: Store, due: Due): Promise<TransferRow[]> {
  return ASSIGNED[due.kind](store.read, due);
}

type StateOf = (tables: Tables) => SQL | undefined;

const dueOf = (kind: TransferKind, stateOf: StateOf) =>
  prepare((db, tables) => {
    const { transfers } = tables;
    const isDue = and(eq(transfers.network, placeholder('network')), lte(transfers.nextTryAtMs, placeholder('nowMs')));
    return db
      .select()
      .from(transfers)
      .where(and(stateOf(tables), isDue, isOfKind(tables, kind)))
      .orderBy(asc(transfers.createdAtMs))
      .limit(placeholder('limit'));
  });

const dueByKind = (stateOf: StateOf) => ({
  payout: dueOf('payout', stateOf),
  withdrawal: dueOf('withdrawal', stateOf),
  sweep: dueOf('sweep', stateOf),
});

const QUEUED = dueByKind(({ transfers }) => eq(transfers.status, 'queued'));
const ASSIGNED = dueByKind(({ transfers }) => and(eq(transfers.status, 'assigned'), isNull(transfers.carrierId)));

/** Transfers of our own money whose authorization has been signed and may have run out unused. */
export async function expiredTransfers(
  store: Store,
  network: Network,
  chainTime: number,
  limit: number,
): Promise<TransferRow[]> {
  const { transfers } = store.tables;
  const isSigned = inArray(transfers.status, ['assigned', 'broadcast']);
  return store.read
    .select()
    .from(transfers)
    .where(and(eq(transfers.network, network), isBooked(store.tables), isSigned, lte(transfers.validBefore, chainTime)))
    .limit(limit);
}
