/** The commands of `docs/backup.md` for PostgreSQL, run as they stand there, and the way back that follows. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openHighWater, type KeptMark } from '../../db/processes/high-water.ts';
import { openStore } from '../../db/store/open.ts';
import type { Store } from '../../db/store/store.ts';
import { signingStops } from '../../db/store/stops.ts';
import { openLostTime } from '../db/operator/lost-time.ts';
import { openBooks, START_MS, type Books } from '../support/books.ts';
import { shownAfter } from './shown.ts';
import { findPostgres, ownerOf, startPostgres, type Postgres } from '../support/postgres.ts';

const PAYER = `0x${'66'.repeat(20)}`;
const bin = findPostgres();

let folder: string;
const closers: (() => Promise<void>)[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pennypost-recovery-'));
  if (process.getuid?.() === 0) ownerOf(folder);
});
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
  rmSync(folder, { recursive: true, force: true });
});

/** What the document shows, in the folder of this test. */
const shown = (words: string): string => shownAfter('backup.md', words).replaceAll('/backup/', `${folder}/`);

function runShown(script: string, env: Record<string, string>, user: { uid?: number; gid?: number }): void {
  const path = `${bin}:${process.env['PATH']}`;
  execFileSync('bash', ['-eu', '-c', script], { ...user, cwd: folder, env: { ...env, PATH: path }, stdio: 'pipe' });
}

/** As root, the owner of the test's folder. */
const runner = () => (process.getuid?.() === 0 ? ownerOf(folder) : {});

const settingsShown = () =>
  shown('in `postgresql.conf`')
    .trim()
    .split('\n')
    .map((line) => line.replace(/ = '?(.*?)'?$/, '=$1'));

async function start(options: Parameters<typeof startPostgres>[1] = {}): Promise<Postgres> {
  const server = await startPostgres(bin ?? '', options);
  closers.push(server.close);
  return server;
}

async function openOn(server: Postgres, database: string): Promise<Books> {
  const books = await openBooks({ kind: 'postgres', url: server.url(database) });
  closers.push(() => books.close());
  return books;
}

async function ask(server: Postgres, statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString: server.url('postgres') });
  await client.connect();
  const { rows } = await client.query<Record<string, unknown>>(statement);
  await client.end();
  return rows.flatMap((row) => Object.values(row));
}

/** One process, which keeps outside the database how often it has stored what it signed. */
function openProcess() {
  let kept: KeptMark | null = null;
  const place = { read: async () => kept, write: async (mark: KeptMark) => void (kept = mark) };
  const open = (store: Store) => openHighWater(store, place, { newHolder: () => 'p', now: () => START_MS });
  const sign = async (store: Store) => {
    const highWater = await open(store);
    await highWater.keep(await store.tx((db) => highWater.raise(db)));
  };
  return { open, sign };
}

describe.skipIf(bin === null && !process.env['CI'])('PostgreSQL', () => {
  test('put back to a moment as the document says is noticed, reconciled, and signs again', async () => {
    mkdirSync(join(folder, 'wal'), { mode: 0o777 });
    const user = runner();
    if (process.getuid?.() === 0) ownerOf(join(folder, 'wal'));
    const first = await start({ settings: settingsShown() });
    await ask(first, 'CREATE DATABASE books');
    await (await openStore({ kind: 'postgres', url: first.url('books') })).close();
    const before = await openOn(first, 'books');
    const { open, sign } = openProcess();
    await sign(before.store);
    runShown(shown('makes a base backup'), { PGHOST: first.folder, PGUSER: 'test' }, user);
    await before.pay({ payees: [{ name: 'alice', stableId: '1' }] });
    await sign(before.store);
    const [moment] = await ask(first, 'SELECT clock_timestamp()::text');
    // The lost time.
    await before.pay({ payer: PAYER, payees: [{ name: 'bob', stableId: '2' }] });
    await sign(before.store);
    await ask(first, 'SELECT pg_switch_wal()');
    for (const close of closers.splice(0).toReversed()) await close();

    const [day = ''] = readdirSync(join(folder, 'base'));
    const script = shown('To restore, with the server stopped')
      .replace('/2026-11-23/.', `/${day}/.`)
      .replace('2026-11-23 09:40:00 UTC', String(moment));
    const second = await start({
      fill: ({ data }) => {
        mkdirSync(data, { mode: 0o700 });
        if (process.getuid?.() === 0) ownerOf(data);
        runShown(script, { PGDATA: data }, user);
      },
    });
    const books = await openOn(second, 'books');
    const { payments, restoredCursors } = books.store.tables;
    const payers = (await books.store.read.select().from(payments)).map(({ payer }) => payer);
    expect([payers.length, payers.includes(PAYER)]).toEqual([1, false]);
    await open(books.store);
    expect((await signingStops(books.store)).map(({ reason }) => reason)).toEqual(['database_restored']);
    expect(await books.store.read.select({ count: sql`count(*)` }).from(restoredCursors)).toHaveLength(1);

    const lostTime = openLostTime(books);
    await lostTime.seePaid(PAYER, 1_000_000n);
    expect(await lostTime.run()).toMatchObject({ kind: 'done', returned: 1, held: 0, stillStopped: [] });
    await sign(books.store);
    expect(await signingStops(books.store)).toEqual([]);
    await books.assertSound();
  });
});
