import { eq, inArray } from 'drizzle-orm';
import { Misconfigured } from '../../core/config/misconfigured.ts';
import { NETWORKS, type Network } from '../../core/networks.ts';
import { forget } from '../processes/lease.ts';
import { isAlive } from '../processes/owner.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';
import { noteFormer, readFormers, type Former } from './formers.ts';
import { assertMarks, markName, noteMarks, type IdMarks } from './marks.ts';
import { keepSignatures } from './signatures.ts';

/** One key of a network as a process has it now, and those that it replaced, the first one first. */
export type RotatingKey = {
  role: 'treasury' | 'task';
  /** The settings that name the two. */
  names: { now: string; former: string };
  /** Null: there is none now. */
  address: string | null;
  formers: readonly string[];
};

export type RotatingNetwork = { network: Network; keys: readonly RotatingKey[] };

/**
 * Called at each start, once it is certain that the database is of this mode, chain and token, and before it is asked
 * whether it belongs to these keys. A key may have replaced another one that is still here; from then on no process starts
 * without the old one, and none with other ids. Throws Misconfigured with the cure. Answers the addresses that were ever
 * replaced.
 */
export async function takeRotations(
  store: Store,
  { networks, marks }: { networks: readonly RotatingNetwork[]; marks: IdMarks },
  nowMs: number,
): Promise<Former[]> {
  return store.tx(async (db) => {
    await assertMarks(db, store.tables, marks);
    for (const network of networks) await takeRotation(db, store, network, nowMs);
    await noteMarks(db, store.tables, marks);
    return readFormers(db, store.tables);
  });
}

/**
 * Asked in the transaction that begins an epoch: a process that was silent for longer than its lease may come back after a
 * rotation. With its old settings it would not scan the new address, and sign for the old one. Throws Misconfigured.
 */
export async function assertCurrent(db: Db, { tables }: Pick<Store, 'tables'>, networks: readonly RotatingNetwork[]) {
  const formers = await readFormers(db, tables);
  for (const { network, keys } of networks) {
    const stored = await storedOf(db, tables, network);
    const replaced = formers.filter((former) => former.network === network).map(({ address }) => address);
    for (const { role, address, names } of keys) {
      const now = stored.get(`${network}:${role}`) ?? (replaced.includes(address ?? '') ? 'no other one' : undefined);
      if (address !== null && now !== undefined && now !== address) throw outdated(names.now, { address, now });
    }
    const unknown = formersUnknown(formers, { network, keys });
    if (unknown !== undefined) throw lostFormer({ network, keys }, unknown.address);
  }
}

export type InUse = { network: Network; role: RotatingKey['role']; address: string };

/** The addresses that these books are of, until a start replaces one. */
export async function readInUse({ read, tables }: Store): Promise<InUse[]> {
  const found = NETWORKS.map(async (network) => {
    const stored = await storedOf(read, tables, network);
    return (['treasury', 'task'] as const).flatMap((role) => {
      const address = stored.get(`${network}:${role}`);
      return address === undefined ? [] : [{ network, role, address }];
    });
  });
  return (await Promise.all(found)).flat();
}

async function storedOf(db: Db, { stamps }: Tables, network: Network): Promise<Map<string, string>> {
  const names = [`${network}:treasury`, `${network}:task`, markName(network)];
  const rows = await db.select().from(stamps).where(inArray(stamps.name, names));
  return new Map(rows.map(({ name, value }) => [name, value]));
}

function formersUnknown(formers: readonly Former[], { network, keys }: RotatingNetwork): Former | undefined {
  const here = keys.flatMap((key) => [key.address, ...key.formers]);
  return formers.find((former) => former.network === network && !here.includes(former.address));
}

async function takeRotation(db: Db, store: Store, place: RotatingNetwork, nowMs: number): Promise<void> {
  const { network, keys } = place;
  const stored = await storedOf(db, store.tables, network);
  const before = (await readFormers(db, store.tables)).filter((former) => former.network === network);
  const everReplaced = before.map(({ address }) => address);
  for (const key of keys) {
    const replaced = stored.get(`${network}:${key.role}`);
    // What leaves a former address stops nothing, so it can be in use no more.
    if (key.address !== null && everReplaced.includes(key.address)) throw wasReplaced(key, key.address);
    const hasMark = stored.has(markName(network));
    const isRotation = replaced !== undefined && (await replace(db, store, { network, key, replaced, hasMark }));
    const known = [...everReplaced, isRotation ? null : replaced];
    const added = key.formers.filter((address) => !known.includes(address));
    const [stranger] = added;
    // Books that were restored from before several rotations learn of all of them at once.
    if (stranger !== undefined && replaced !== undefined && !isRotation) throw neverOurs(key, stranger);
    for (const address of added) await noteFormer(db, store.tables, { network, address, sinceMs: nowMs });
    const { role, address } = key;
    await keepSignatures(db, store.tables, { network, role, address, added, replaced: isRotation ? replaced : null });
  }
  const unknown = formersUnknown(before, place);
  if (unknown !== undefined) throw lostFormer(place, unknown.address);
}

type Replacement = {
  network: Network;
  key: RotatingKey;
  replaced: string;
  hasMark: boolean;
};

/** False where nothing was replaced. */
async function replace(db: Db, store: Store, replacement: Replacement): Promise<boolean> {
  const { network, key, replaced, hasMark } = replacement;
  const { address, role, formers } = key;
  // One that is only not set is still ours; one that is named as a former one was retired, without a successor.
  if (address === replaced || (address === null && !formers.includes(replaced))) return false;
  if (!formers.includes(replaced)) throw withoutOld(network, key, replaced);
  if (!hasMark) throw tooSoon(key, replaced);
  await assertNobodyServes(db, store, key);
  const { stamps } = store.tables;
  const isIt = eq(stamps.name, `${network}:${role}`);
  if (address === null) await db.delete(stamps).where(isIt);
  else await db.update(stamps).set({ value: address }).where(isIt);
  return true;
}

/**
 * Two that take different keys for the treasury could pay the same twice. Silent ones are ended here: of that and the beat of
 * one that was only slow one wins, so none goes on under the old key.
 */
async function assertNobodyServes(db: Db, store: Store, { names }: RotatingKey): Promise<void> {
  const { processes } = store.tables;
  const [alive] = await db.select({ address: processes.address }).from(processes).where(isAlive(store)).limit(1);
  if (alive === undefined) return forget(db, store.tables, undefined);
  throw new Misconfigured(
    `a process at ${alive.address} still runs with the old ${names.now}: stop every process, wait ten seconds, and start again`,
  );
}

const withoutOld = (network: Network, { role, names }: RotatingKey, address: string) =>
  new Misconfigured(
    `this database belongs to ${network}:${role} ${address}, whose key is not here; where ${names.now} has replaced it, put it at the end of ${names.former} (docs/keys.md)`,
  );

const wasReplaced = ({ names }: RotatingKey, address: string) =>
  new Misconfigured(`${names.now} is the key of ${address}, which was replaced before: set a new one`);

const outdated = (name: string, { address, now }: { address: string; now: string }) =>
  new Misconfigured(
    `this process was started with ${name} of ${address}, and ${now} has replaced it since: it serves nothing; start it again with the settings of now`,
  );

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
