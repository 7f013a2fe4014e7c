import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { NETWORKS, type Network } from '../../core/networks.ts';
import { prepare } from '../store/prepare.ts';
import { addWithin } from '../store/counters.ts';
import type { Db, Store } from '../store/store.ts';

/** `waiting`: no carrier has taken it, and none has put it off. `settled`: ever, so that two looks show a rate. */
export type Backlog = { waiting: number; oldestMs: number | null; settled: number };

const readWaiting = prepare((db, { payments }) =>
  db
    .select({
      network: payments.network,
      waiting: sql<number>`count(*)`.mapWith(Number),
      oldestMs: sql<number>`min(${payments.createdAtMs})`.mapWith(Number),
    })
    .from(payments)
    .where(
      and(
        eq(payments.status, 'received'),
        isNull(payments.carrierId),
        // One that was put off waits for its payer or for the chain, not for its turn.
        eq(payments.nextTryAtMs, payments.createdAtMs),
      ),
    )
    .groupBy(payments.network),
);

const readSettled = prepare((db, { counters }) =>
  db
    .select()
    .from(counters)
    .where(inArray(counters.name, NETWORKS.map(settledCounter))),
);

/** Reads as many rows as payments wait, and one a network. */
export async function readBacklog({ read }: Pick<Store, 'read'>): Promise<(network: Network) => Backlog> {
  const [queues, counts] = await Promise.all([readWaiting(read, {}), readSettled(read, {})]);
  return (network) => {
    const queue = queues.find((row) => row.network === network);
    const counted = counts.find(({ name }) => name === settledCounter(network));
    return { waiting: queue?.waiting ?? 0, oldestMs: queue?.oldestMs ?? null, settled: Number(counted?.used ?? 0n) };
  };
}

/** In the transaction that settles them, which holds the network's ledger. */
export async function countSettled(
  db: Db,
  store: Pick<Store, 'tables'>,
  network: Network,
  count: number,
): Promise<void> {
  if (count > 0) await addWithin(db, store, settledCounter(network), BigInt(count));
}

function settledCounter(network: Network): string {
  return `settled:${network}`;
}
