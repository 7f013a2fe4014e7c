import { and, asc, eq, inArray, isNull, notExists, type Placeholder, type SQL } from 'drizzle-orm';
import type { Platform } from '../../core/platforms/platforms.ts';
import { isOneOf } from '../dialects/unindexed.ts';
import { isUsed, usedAfter } from '../identities/live-wallets.ts';
import { lookAtWaiting, type Look, type Walk } from '../payments/records/waiting-people.ts';
import type { Tables } from '../schema/tables.ts';
import { placeholder, prepare } from '../store/prepare.ts';
import type { Db, Store } from '../store/store.ts';

/** A person whose money waits because we know no address for it. */
export type Walletless = {
  identityId: string;
  platform: string;
  stableId: string;
  key: string;
  /** The networks that the money came in on. */
  networks: string[];
};

/** Few, because each of their people is asked for over the network. */
const LINES_A_LOOK = 250;

/** People of these platforms for whom something waits, as far as one look goes. */
export const lookForPublishers = (store: Store, walk: Walk, platforms: readonly Platform[]): Promise<Look> =>
  lookAtWaiting(store, walk, ({ platform }) => inArray(platform, [...platforms]), LINES_A_LOOK);

/** Those of these people who have no address that counts, in the order of their ids. */
export async function walletless(store: Store, people: readonly string[], nowMs: number): Promise<Walletless[]> {
  if (people.length === 0) return [];
  const { identities, lines, payments } = store.tables;
  const rows = await store.read
    .selectDistinct(columnsOf(store.tables))
    .from(identities)
    // For SQLite: from the people to their lines, and never from all that wait.
    .crossJoin(lines)
    .innerJoin(payments, eq(payments.id, lines.paymentId))
    .where(
      and(
        inArray(identities.id, [...people]),
        eq(lines.identityId, identities.id),
        eq(lines.status, 'escrowed'),
        waits(store.read, store.tables, usedAfter(nowMs)),
      ),
    )
    .orderBy(asc(identities.id), asc(payments.network));
  return byPerson(rows);
}

/** The same of one payment. */
export async function walletlessOf(
  store: Store,
  paymentId: string,
  { platforms, nowMs }: { platforms: readonly Platform[]; nowMs: number },
): Promise<Walletless[]> {
  const rows = await selectOfPayment(store.read, { paymentId, usedAfterMs: usedAfter(nowMs) });
  const known: readonly string[] = platforms;
  return byPerson(rows.filter(({ platform }) => known.includes(platform)));
}

const selectOfPayment = prepare((db, tables) => {
  const { identities, lines, payments } = tables;
  const isOfIt = and(eq(lines.paymentId, placeholder('paymentId')), isOneOf(lines.status, ['escrowed']));
  return db
    .selectDistinct(columnsOf(tables))
    .from(lines)
    .innerJoin(identities, eq(identities.id, lines.identityId))
    .innerJoin(payments, eq(payments.id, lines.paymentId))
    .where(and(isOfIt, waits(db, tables, placeholder('usedAfterMs'))))
    .orderBy(asc(identities.id), asc(payments.network));
});

const columnsOf = ({ identities, payments }: Store['tables']) => ({
  identityId: identities.id,
  platform: identities.platform,
  stableId: identities.stableId,
  key: identities.key,
  network: payments.network,
});

type Row = Omit<Walletless, 'networks'> & { network: string };

function byPerson(rows: readonly Row[]): Walletless[] {
  const people = new Map<string, Walletless>();
  for (const { network, ...person } of rows) {
    const known = people.get(person.identityId) ?? { ...person, networks: [] };
    people.set(person.identityId, { ...known, networks: [...known.networks, network] });
  }
  return [...people.values()];
}

/** Of money in escrow: its owner wants it, and has no address that counts. */
function waits(db: Db, tables: Tables, usedAfterMs: number | Placeholder): SQL | undefined {
  const { identities, payments, wallets } = tables;
  const known = db
    .select({ address: wallets.address })
    .from(wallets)
    .where(and(eq(wallets.identityId, identities.id), isUsed(identities, tables, usedAfterMs)));
  return and(isOneOf(payments.status, ['settled', 'final']), isNull(identities.optedOutAtMs), notExists(known));
}
