import { eq, inArray, sql, type SQL } from 'drizzle-orm';
import { microUsdc, type MicroUsdc } from '../../core/money.ts';
import { NETWORKS, type Network } from '../../core/networks.ts';
import { stopOutageOn } from '../../core/payments/stops.ts';
import type { Doubt } from '../../core/solvency.ts';
import { placeholder, prepare } from '../store/prepare.ts';
import { signingStops } from '../store/stops.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';

/** A worker compares books and chain this often; everyone who asks reads what it wrote. */
export const COMPARED_EVERY_MS = 10_000;
/** A result this old says nothing any more. */
const OLDEST_MS = 60_000;
/** One difference may come from a node that is late; the second in a row counts. */
const DIFFERENCES_MAX = 1;

/** Books and chain of one network at one block, as a worker compared them. */
export type Comparison = {
  network: Network;
  block: number;
  /** What our addresses hold by the books, and by the chain. */
  inBooks: bigint;
  onChain: bigint;
  /** As in `Books`. */
  unexplained: bigint;
  float: bigint;
  reorgLoss: bigint;
};

/** The last comparison of one network. */
export type Solvency = {
  network: Network;
  /** The block up to which the chain is in the books: all sums are as of then. */
  block: number;
  /** What the chain should hold for us, by the books. */
  assets: MicroUsdc;
  onChain: MicroUsdc;
  /** Owed to recipients and payers, on its way to them, or not explained yet; and our earned fees. */
  liabilities: MicroUsdc;
  unexplained: MicroUsdc;
  float: MicroUsdc;
  reorgLoss: MicroUsdc;
  comparedAtMs: number;
  ageMs: number;
  /** Null: books and chain agree, and everything owed is there. */
  doubt: Doubt | null;
};

/** Writes the outcome for all processes, and how many differences there were in a row. */
export async function writeComparison(store: Store, comparison: Comparison): Promise<void> {
  const { heartbeats } = store.tables;
  const name = nameOf(comparison.network);
  await store.tx(async (db) => {
    const before = await db.select().from(heartbeats).where(eq(heartbeats.name, name));
    const isEqual = comparison.inBooks === comparison.onChain;
    const differences = isEqual ? 0 : Number(before[0]?.detail['differences'] ?? 0) + 1;
    const { block, inBooks, onChain, unexplained, float, reorgLoss } = comparison;
    const sums = Object.entries({ inBooks, onChain, unexplained, float, reorgLoss });
    const amounts: Record<string, string> = Object.fromEntries(sums.map(([key, amount]) => [key, `${amount}`]));
    const row = { atMs: store.clock, detail: { ...amounts, block, differences } };
    await db
      .insert(heartbeats)
      .values({ name, ...row })
      .onConflictDoUpdate({ target: [heartbeats.name], set: row });
  });
}

/** Whether another comparison is due: several workers share the work of one. */
export async function isComparisonDue(store: Store, network: Network): Promise<boolean> {
  const [row] = toRows(await rowOf(store.read, { name: nameOf(network) }), [network]);
  return row === undefined || row.ageMs >= COMPARED_EVERY_MS || row.ageMs < 0;
}

export type Solvencies = {
  networks: Solvency[];
  /** Offered, but not compared with their chain yet. */
  unknown: Network[];
};

/**
 * Every network that is offered, and each other one that still owes something. It reads a row per network: nothing is
 * computed for the one who asks.
 */
export async function readSolvency(store: Store, offered: readonly Network[]): Promise<Solvencies> {
  const [rows, stops] = [toRows(await allRows(store.read, {}), NETWORKS), await signingStops(store)];
  const networks = rows
    .map((row) => toSolvency(row, stopOutageOn(stops, row.network) === 'stopped'))
    .filter(({ network, liabilities }) => offered.includes(network) || liabilities > 0n);
  return { networks, unknown: offered.filter((name) => !networks.some(({ network }) => network === name)) };
}

export const isSolvent = ({ networks, unknown }: Solvencies): boolean =>
  unknown.length === 0 && networks.every(({ doubt }) => doubt === null);

type Row = { network: Network; atMs: number; ageMs: number; detail: Record<string, unknown> };

/** Their age is by the database's clock, which all processes share. */
function selectRows(db: Db, { heartbeats }: Tables, clock: SQL<number>) {
  const ageMs = sql<number>`${clock} - ${heartbeats.atMs}`.mapWith(Number);
  return db.select({ name: heartbeats.name, atMs: heartbeats.atMs, ageMs, detail: heartbeats.detail }).from(heartbeats);
}

const rowOf = prepare((db, tables, clock) =>
  selectRows(db, tables, clock).where(eq(tables.heartbeats.name, placeholder('name'))),
);

const allRows = prepare((db, tables, clock) =>
  selectRows(db, tables, clock).where(inArray(tables.heartbeats.name, NETWORKS.map(nameOf))),
);

function toRows(found: readonly (Omit<Row, 'network'> & { name: string })[], networks: readonly Network[]): Row[] {
  return networks.flatMap((network) => {
    const row = found.find(({ name }) => name === nameOf(network));
    return row === undefined ? [] : [{ network, ...row }];
  });
}

function toSolvency({ network, atMs, ageMs, detail }: Row, isStopped: boolean): Solvency {
  const amount = (key: Exclude<keyof Comparison, 'network' | 'block'>) => {
    const text = detail[key];
    if (typeof text !== 'string') throw new Error(`the comparison of ${network} has no ${key}`);
    return microUsdc(BigInt(text));
  };
  const [assets, onChain, float, reorgLoss] = [
    amount('inBooks'),
    amount('onChain'),
    amount('float'),
    amount('reorgLoss'),
  ];
  // Postings sum to zero, so what is neither the operator's nor lost is owed to someone.
  const owed = assets + reorgLoss - float;
  const liabilities = microUsdc(owed > 0n ? owed : 0n);
  const differs = Number(detail['differences'] ?? 0) > DIFFERENCES_MAX;
  const doubt = findDoubt({ isStopped, ageMs, differs, isCovered: owed >= 0n && assets >= owed });
  const sums = { assets, onChain, liabilities, unexplained: amount('unexplained'), float, reorgLoss };
  return { network, block: Number(detail['block']), ...sums, comparedAtMs: atMs, ageMs: Math.max(0, ageMs), doubt };
}

type Signs = { isStopped: boolean; ageMs: number; differs: boolean; isCovered: boolean };

function findDoubt({ isStopped, ageMs, differs, isCovered }: Signs): Doubt | null {
  if (isStopped) return 'stopped';
  if (ageMs > OLDEST_MS) return 'too_old';
  if (differs) return 'differs';
  return isCovered ? null : 'not_covered';
}

const nameOf = (network: Network): string => `solvency:${network}`;
