import { and, eq } from 'drizzle-orm';
import type { Network } from '../../core/networks.ts';
import { isHalted, type CarrierStep } from '../../core/payments/stops.ts';
import { CARRIERS, type CarrierKind } from '../../core/transfers/carriers.ts';
import { stopsWithin } from '../store/stops.ts';
import type { Db, SigningDb, Store } from '../store/store.ts';
import type { HighWater } from './high-water.ts';
import { isAlive, type Owner } from './owner.ts';

/** `under`: what the process must hold besides its lease. `carrier`: what is sent, which a stop may halt. Null: nothing. */
export type SigningRight = { under: string | null; carrier: SignedCarrier | null };
export type SignedCarrier = { network: Network; kind: CarrierKind; step: CarrierStep };

/**
 * The one way to store what a key of ours has signed. The same transaction checks that this process may sign and that no
 * stop halts it, so bytes that were signed before that, and are stored after a stop or after others have taken over, are
 * dropped. They have not left this process: only stored bytes are sent.
 */
export async function signingTx<T>(
  store: Store,
  { under, carrier }: SigningRight,
  work: (db: SigningDb) => Promise<T>,
): Promise<T> {
  let afterCommit = async () => {};
  const done = await store.tx(async (db) => {
    if (store.guard) afterCommit = await store.guard(db, under);
    if (carrier !== null) await checkStops(db, carrier);
    return work(db as SigningDb);
  });
  await afterCommit();
  return done;
}

/** Throws, with nothing kept, while a stop halts it. */
export async function checkStops(db: Db, carrier: SignedCarrier): Promise<void> {
  const { network, kind } = carrier;
  if (!isHalted(await stopsWithin(db, network), carrier, CARRIERS)) return;
  throw new Error(`${kind} on ${network} is stopped: nothing is signed`);
}

/** The store of a process: everything its roles sign is stored under its lease, in a database that has lost nothing. */
export function guardSigning(store: Store, owner: () => Owner, highWater: HighWater | null = null): Store {
  return {
    ...store,
    async guard(db, under) {
      const [, , mark] = await Promise.all([
        checkLease(db, store, owner()),
        under === null ? null : checkHolding(db, store, owner(), under),
        highWater?.raise(db),
      ]);
      return async () => void (mark !== undefined && (await highWater?.keep(mark)));
    },
  };
}

/** The epoch is this process's last one, and its lease runs by the database's clock. */
export async function checkLease(
  db: Db,
  store: Pick<Store, 'tables' | 'clock'>,
  { process, epoch }: Owner,
): Promise<void> {
  const { processes } = store.tables;
  const mine = and(eq(processes.id, process), eq(processes.epoch, epoch), isAlive(store));
  const [living] = await db.select({ id: processes.id }).from(processes).where(mine);
  if (living === undefined) throw new Error(`process ${process} may not sign: the lease of epoch ${epoch} is over`);
}

async function checkHolding(db: Db, store: Store, { process, epoch }: Owner, name: string): Promise<void> {
  const { holdings } = store.tables;
  const mine = and(eq(holdings.name, name), eq(holdings.process, process), eq(holdings.epoch, epoch));
  const [held] = await db.select({ name: holdings.name }).from(holdings).where(mine);
  if (held === undefined) throw new Error(`process ${process} may not sign: it does not hold ${name}`);
}
