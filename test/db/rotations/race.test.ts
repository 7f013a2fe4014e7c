/** A rotation beside a process that still has the old key: two that sign with different ones could pay the same twice. */
import { eq, sql } from 'drizzle-orm';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { beat, beginEpoch } from '../../../db/processes/lease.ts';
import { readFormers } from '../../../db/rotations/formers.ts';
import { assertCurrent, takeRotations, type RotatingNetwork } from '../../../db/rotations/rotation.ts';
import { stampStore } from '../../../db/store/stamp.ts';
import type { Db, Store } from '../../../db/store/store.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import { openMigrated } from '../../support/databases/migrated.ts';
import { onPostgres } from '../../support/postgres.ts';

const NOW_MS = 1_800_000_000_000;
const MARKS = new Map([['base', 'a mark']] as const);
const [OLD, NEXT] = ['0xaa', '0xbb'];
const WORKER = { process: 'w', epoch: 1, roles: ['worker'], address: 'host:1', pid: process.pid };

const onBase = (address: string, formers: string[] = []): RotatingNetwork => ({
  network: 'base',
  keys: [{ role: 'treasury', names: { now: 'TREASURY_KEY', former: 'FORMER_TREASURY_KEYS' }, address, formers }],
});

onPostgres((fresh) => {
  let url: string;
  const clients: Client[] = [];
  let [store, other]: Store[] = [];
  beforeEach(async () => {
    const address = await fresh();
    url = address.kind === 'postgres' ? address.url : '';
    [store, other] = [await openMigrated(address), await openMigrated(address)];
    await stampStore(store, { mode: 'local' }, { 'base:chain': 'a chain' });
    await takeRotations(store, { networks: [onBase(OLD)], marks: MARKS }, NOW_MS);
    await stampStore(store, { mode: 'local' }, { 'base:treasury': OLD });
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.end();
    await store?.close();
    await other?.close();
  });

  const stores = () => {
    if (store === undefined || other === undefined) throw new Error('the stores are not open');
    return { store, other };
  };
  async function connect(): Promise<Client> {
    const client = new Client({ connectionString: url });
    clients.push(client);
    await client.connect();
    return client;
  }
  /** By another process. */
  const rotate = () => takeRotations(stores().other, { networks: [onBase(NEXT, [OLD])], marks: MARKS }, NOW_MS);
  const alive = async () => (await stores().store.read.select().from(stores().store.tables.processes)).length;

  test('an epoch that begins while its key is replaced does not begin', async () => {
    const { store: own } = stores();
    let rotated: Promise<unknown> | null = null;
    const mayServe = async (db: Db) => {
      await assertCurrent(db, own, [onBase(OLD)]);
      // It has found itself up to date; now the key is replaced, before it has written down that it lives.
      rotated ??= rotate();
      await rotated;
    };
    await expect(beginEpoch(own, WORKER, { mayServe })).rejects.toThrow('it serves nothing');
    expect([await alive(), (await readFormers(own.read, own.tables)).length]).toEqual([0, 1]);
  });

  test('a key is not replaced while an epoch begins that is there first', async () => {
    const { store: own } = stores();
    await beginEpoch(own, WORKER, { mayServe: (db) => assertCurrent(db, own, [onBase(OLD)]) });
    await expect(rotate()).rejects.toThrow('still runs with the old TREASURY_KEY');
    expect([await alive(), await readFormers(own.read, own.tables)]).toEqual([1, []]);
  });

  test('a beat that was sent in time, and is late, keeps the key from being replaced', async () => {
    const { store: own } = stores();
    await beginEpoch(own, WORKER);
    const { processes } = own.tables;
    await own.tx((db) =>
      db
        .update(processes)
        .set({ beatAtMs: sql`${processes.beatAtMs} - 11000` })
        .where(eq(processes.id, 'w')),
    );
    const late = await connect();
    const watcher = await connect();
    await late.query('BEGIN ISOLATION LEVEL SERIALIZABLE');
    await late.query('UPDATE processes SET beat_at_ms = beat_at_ms + 11000');
    const state = { isOver: false };
    const rotating = rotate()
      .then(() => 'replaced', String)
      .finally(() => (state.isOver = true));
    await eventually(async () => expect(state.isOver || (await isWaiting(watcher))).toBe(true));
    await late.query('COMMIT');
    expect(await rotating).toContain('still runs with the old TREASURY_KEY');
    expect(await beat(own, WORKER)).toBe(true);
  });

  test('a beat that comes after it renews nothing', async () => {
    const { store: own } = stores();
    await beginEpoch(own, WORKER);
    const { processes } = own.tables;
    await own.tx((db) => db.update(processes).set({ beatAtMs: sql`${processes.beatAtMs} - 11000` }));
    await rotate();
    // As if its lease had run a moment longer.
    await own.tx((db) => db.update(processes).set({ beatAtMs: sql`${processes.beatAtMs} + 11000` }));
    expect(await beat(own, WORKER)).toBe(false);
  });
});

async function isWaiting(client: Client): Promise<boolean> {
  const { rowCount } = await client.query(
    "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
  );
  return (rowCount ?? 0) > 0;
}
