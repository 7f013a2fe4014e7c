import { createHash } from 'node:crypto';
import { inArray } from 'drizzle-orm';
import { NETWORKS, type Network } from '../../core/networks.ts';
import { purposesOf, type TransferPurpose } from '../../core/transfers/purposes.ts';
import { addWithin } from '../store/counters.ts';
import type { Db, Store } from '../store/store.ts';

/** Where rows gather for ever. They are counted as they get there, because counting later would read all of the history. */
export const ENDED = { payments: ['final', 'rejected'], payouts: ['final', 'void'] } as const;
type Kind = keyof typeof ENDED;
type EndOf<K extends Kind> = (typeof ENDED)[K][number];

export type EndedCount<K extends Kind> = { status: EndOf<K>; network: Network; count: number };

/**
 * Each count is the sum of this many rows. With one, everything that ends on a network would write the same row, and on
 * PostgreSQL transactions that do so at the same time conflict and run again.
 */
const PARTS = 16;

/** In the transaction that moved these rows, best at its end: until its commit others wait for that row. */
export async function countEndedPayments(
  db: Db,
  store: Pick<Store, 'tables'>,
  status: EndOf<'payments'>,
  rows: readonly EndedRow[],
): Promise<void> {
  await count(db, store, { kind: 'payments', status }, rows);
}

/** Of these transfers those that are payouts. */
export async function countEndedPayouts(
  db: Db,
  store: Pick<Store, 'tables'>,
  status: EndOf<'payouts'>,
  rows: readonly (EndedRow & { purpose: TransferPurpose })[],
): Promise<void> {
  const payouts = rows.filter(({ purpose }) => purposesOf('payout').includes(purpose));
  await count(db, store, { kind: 'payouts', status }, payouts);
}

type Ended = { kind: Kind; status: string };
type EndedRow = { id: string; network: Network };

/** Rows that end together are one statement: the first row says which part. */
async function count(db: Db, store: Pick<Store, 'tables'>, ended: Ended, rows: readonly EndedRow[]) {
  for (const network of NETWORKS) {
    const [first, ...others] = rows.filter((row) => row.network === network);
    if (first === undefined) continue;
    await addWithin(db, store, counterOf(ended, network, partOf(first)), BigInt(1 + others.length));
  }
}

const partOf = ({ id }: EndedRow): number => createHash('sha256').update(id).digest().readUInt16BE() % PARTS;

/** How many ever got there. A refused or void one that comes again is counted again. */
export async function readEnded({ read, tables: { counters } }: Pick<Store, 'read' | 'tables'>): Promise<{
  payments: EndedCount<'payments'>[];
  payouts: EndedCount<'payouts'>[];
}> {
  const of = <K extends Kind>(kind: K) =>
    ENDED[kind].flatMap((status) =>
      NETWORKS.map((network) => ({
        status: status as EndOf<K>,
        network,
        names: Array.from({ length: PARTS }, (_, part) => counterOf({ kind, status }, network, part)),
      })),
    );
  const [payments, payouts] = [of('payments'), of('payouts')];
  const names = [...payments, ...payouts].flatMap((row) => row.names);
  const rows = await read.select().from(counters).where(inArray(counters.name, names));
  const used = new Map(rows.map((row) => [row.name, Number(row.used)]));
  const counted = <Row extends { names: string[] }>(wanted: readonly Row[]) =>
    wanted.flatMap(({ names: parts, ...row }) => {
      const found = parts.reduce((sum, name) => sum + (used.get(name) ?? 0), 0);
      return found === 0 ? [] : [{ ...row, count: found }];
    });
  return { payments: counted(payments), payouts: counted(payouts) };
}

const counterOf = ({ kind, status }: Ended, network: Network, part: number): string =>
  `ended:${kind}:${status}:${network}:${part}`;
