import { and, asc, eq, gt, inArray, isNull, notExists, type SQL } from 'drizzle-orm';
import type { Platform } from '../../core/platforms/platforms.ts';
import { isOneOf } from '../dialects/unindexed.ts';
import { isLive } from '../identities/live-wallets.ts';
import type { Store } from '../store/store.ts';

/** A person whose money waits because we know no address for it. */
export type Walletless = {
  identityId: string;
  platform: string;
  stableId: string;
  key: string;
  /** The networks that the money came in on. */
  networks: string[];
};

/** Of these platforms and after this id, in the order of their ids: a page of all there are. */
export async function walletless(
  store: Store,
  { platforms, afterId, nowMs }: { platforms: readonly Platform[]; afterId: string; nowMs: number },
  limit: number,
): Promise<Walletless[]> {
  const { identities, lines } = store.tables;
  const isEscrowed = eq(lines.status, 'escrowed');
  const found = await store.read
    .selectDistinct({ id: identities.id })
    .from(lines)
    .innerJoin(identities, eq(identities.id, lines.identityId))
    .innerJoin(store.tables.payments, eq(store.tables.payments.id, lines.paymentId))
    .where(and(inArray(lines.platform, [...platforms]), gt(identities.id, afterId), isEscrowed, waits(store, nowMs)))
    .orderBy(asc(identities.id))
    .limit(limit);
  return describe(
    store,
    and(
      inArray(
        identities.id,
        found.map(({ id }) => id),
      ),
      isEscrowed,
    ),
    nowMs,
  );
}

/** The same of one payment. */
export async function walletlessOf(
  store: Store,
  paymentId: string,
  { platforms, nowMs }: { platforms: readonly Platform[]; nowMs: number },
): Promise<Walletless[]> {
  const { lines } = store.tables;
  const isOfIt = and(eq(lines.paymentId, paymentId), isOneOf(lines.status, ['escrowed']));
  return describe(store, and(isOfIt, inArray(lines.platform, [...platforms])), nowMs);
}

async function describe(store: Store, which: SQL | undefined, nowMs: number): Promise<Walletless[]> {
  const { identities, lines, payments } = store.tables;
  const rows = await store.read
    .selectDistinct({
      identityId: identities.id,
      platform: identities.platform,
      stableId: identities.stableId,
      key: identities.key,
      network: payments.network,
    })
    .from(lines)
    .innerJoin(identities, eq(identities.id, lines.identityId))
    .innerJoin(payments, eq(payments.id, lines.paymentId))
    .where(and(which, waits(store, nowMs)))
    .orderBy(asc(identities.id), asc(payments.network));
  const people = new Map<string, Walletless>();
  for (const { network, ...person } of rows) {
    const known = people.get(person.identityId) ?? { ...person, networks: [] };
    people.set(person.identityId, { ...known, networks: [...known.networks, network] });
  }
  return [...people.values()];
}

/** Of money in escrow: its owner wants it, and has no address that counts. */
function waits({ tables, read }: Pick<Store, 'tables' | 'read'>, nowMs: number): SQL | undefined {
  const { identities, payments, wallets } = tables;
  const known = read
    .select({ address: wallets.address })
    .from(wallets)
    .where(and(eq(wallets.identityId, identities.id), isLive(identities, tables, nowMs)));
  return and(inArray(payments.status, ['settled', 'final']), isNull(identities.optedOutAtMs), notExists(known));
}
