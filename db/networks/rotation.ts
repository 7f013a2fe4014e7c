import { eq, inArray, like, or } from 'drizzle-orm';
import { Misconfigured } from '../../core/config/misconfigured.ts';
import { NETWORKS, type Network } from '../../core/networks.ts';
import { isAlive } from '../processes/owner.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';

/** One key of a network as a process has it now, and those that it replaced, the first one first. */
export type RotatingKey = {
  role: 'treasury' | 'task';
  /** The settings that name the two; without one for former keys none can be replaced. */
  names: { now: string; former: string | null };
  /** Null: there is none now. */
  address: string | null;
  formers: readonly string[];
};

/** `idsMark`: of the key that ids and secrets are derived from; null where it is not compared. */
export type RotatingNetwork = { network: Network; idsMark: string | null; keys: readonly RotatingKey[] };

/** An address that was replaced, and when a process first started without it. */
export type Former = { network: Network; address: string; sinceMs: number };

/**
 * Called at each start, before the database is asked whether it belongs to these keys. A key may have replaced another one
 * that is still here; from then on no process starts without the old one, and none with other ids. Throws Misconfigured
 * with the cure. Answers the addresses that were ever replaced.
 */
export async function takeRotations(
  store: Store,
  networks: readonly RotatingNetwork[],
  nowMs: number,
): Promise<Former[]> {
  return store.tx(async (db) => {
    for (const network of networks) await takeRotation(db, store, network, nowMs);
    return readFormers(db, store.tables);
  });
}

async function takeRotation(db: Db, store: Store, place: RotatingNetwork, nowMs: number): Promise<void> {
  const { stamps } = store.tables;
  const { network, idsMark, keys } = place;
  const named = [...keys.map(({ role }) => `${network}:${role}`), marksName(network)];
  const rows = await db.select().from(stamps).where(inArray(stamps.name, named));
  const stored = new Map(rows.map(({ name, value }) => [name, value]));
  const mark = stored.get(marksName(network));
  if (mark !== undefined && idsMark !== null && mark !== idsMark) throw otherIds(place);
  const before = (await readFormers(db, store.tables)).filter((former) => former.network === network);
  for (const key of keys) {
    const replaced = stored.get(`${network}:${key.role}`);
    const isRotation = replaced !== undefined && (await replace(db, store, { network, key, replaced, mark }));
    const known = [...before.map(({ address }) => address), isRotation ? null : replaced];
    const added = key.formers.filter((address) => !known.includes(address));
    const [stranger] = added;
    // Books that were restored from before several rotations learn of all of them at once.
    if (stranger !== undefined && replaced !== undefined && !isRotation) throw neverOurs(key, stranger);
    for (const address of added) await noteFormer(db, store.tables, { network, address, sinceMs: nowMs });
  }
  const here = keys.flatMap(({ address, formers }) => [address, ...formers]);
  const lost = before.find(({ address }) => !here.includes(address));
  if (lost !== undefined) throw lostFormer(place, lost.address);
  if (mark === undefined && idsMark !== null)
    await db
      .insert(stamps)
      .values({ name: marksName(network), value: idsMark })
      .onConflictDoNothing();
}

type Replacement = { network: Network; key: RotatingKey; replaced: string; mark: string | undefined };

/** False where nothing was replaced. */
async function replace(db: Db, store: Store, { network, key, replaced, mark }: Replacement): Promise<boolean> {
  const { address, role, formers } = key;
  if (address === null || address === replaced) return false;
  if (!formers.includes(replaced)) throw withoutOld(network, key, replaced);
  if (mark === undefined) throw tooSoon(key, replaced);
  await assertNobodyServes(db, store, key);
  const { stamps } = store.tables;
  await db
    .update(stamps)
    .set({ value: address })
    .where(eq(stamps.name, `${network}:${role}`));
  return true;
}

/** Two that take different keys for the treasury could pay the same twice. */
async function assertNobodyServes(db: Db, store: Store, { names }: RotatingKey): Promise<void> {
  const { processes } = store.tables;
  const [alive] = await db.select({ address: processes.address }).from(processes).where(isAlive(store)).limit(1);
  if (alive === undefined) return;
  throw new Misconfigured(
    `a process at ${alive.address} still runs with the old ${names.now}: stop every process, wait ten seconds, and start again`,
  );
}

const marksName = (network: Network) => `${network}:ids`;
const formerName = (network: Network, address: string) => `${network}:former:${address}`;

async function noteFormer(db: Db, { stamps }: Tables, { network, address, sinceMs }: Former): Promise<void> {
  const value = String(sinceMs);
  await db
    .insert(stamps)
    .values({ name: formerName(network, address), value })
    .onConflictDoNothing();
}

/** Every address that was ever replaced: it stays ours. */
export async function readFormers(db: Db, { stamps }: Tables): Promise<Former[]> {
  const isFormer = or(...NETWORKS.map((network) => like(stamps.name, formerName(network, '%'))));
  const rows = await db.select().from(stamps).where(isFormer).orderBy(stamps.value);
  return rows.map(({ name, value }) => {
    const network = NETWORKS.find((one) => name.startsWith(formerName(one, '')));
    if (network === undefined) throw new Error(`the stamp ${name} is of no network`);
    return { network, address: name.slice(formerName(network, '').length), sinceMs: Number(value) };
  });
}

const otherIds = ({ network, keys }: RotatingNetwork) => {
  const former = keys.find(({ role }) => role === 'treasury')?.names.former ?? 'the former keys';
  return new Misconfigured(
    `on ${network} ids would be derived from another key, and payouts made twice: put the first treasury key that this installation had first in ${former}, or set its INSTALLATION_SECRET again`,
  );
};

const withoutOld = (network: Network, { role, names }: RotatingKey, address: string) => {
  const belongs = `this database belongs to ${network}:${role} ${address}, whose key is not here`;
  return new Misconfigured(
    names.former === null
      ? `${belongs}: set it again as ${names.now}, which cannot be replaced yet`
      : `${belongs}; where ${names.now} has replaced it, put it at the end of ${names.former} (docs/keys.md)`,
  );
};

const tooSoon = ({ names }: RotatingKey, address: string) =>
  new Misconfigured(
    `these books never saw ${names.now} of ${address} with this release: start once with it, then replace it`,
  );

const lostFormer = ({ network, keys }: RotatingNetwork, address: string) =>
  new Misconfigured(
    `the key of ${address}, a former address on ${network}, is not here: put it back into ${keys.map(({ names }) => names.former).join(' or ')}; money may still come to it, so it is never deleted`,
  );

const neverOurs = ({ names }: RotatingKey, address: string) =>
  new Misconfigured(`${names.former} has the key of ${address}, which was never in ${names.now}: take it out`);
