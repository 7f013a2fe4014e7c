import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, onTestFinished } from 'vitest';
import { openStore, type DatabaseAddress } from '../../db/store/open.ts';
import { withLock } from '../../local/processes/directory-lock.ts';
import { endWithRun } from './run-end.ts';

const DEBIAN = '/usr/lib/postgresql';
const START_LIMIT_MS = 60_000;
/** Of the shared server: all migrations and no rows. */
const MIGRATED = 'migrated';
/** No database of it lives for long, and nobody takes it up after a crash of the machine. */
const SHORT_LIVED = ['autovacuum=off', 'full_page_writes=off'];
/** Databases of this process on it. */
let made = 0;

export type Postgres = SharedPostgres & {
  folder: string;
  pid: number;
  /** `fast` cuts all connections and writes everything down; `immediate` ends as a crash does. */
  restart: (how: 'fast' | 'immediate') => Promise<void>;
  close: () => Promise<void>;
};
type User = { cwd: string; uid?: number; gid?: number };
type PostgresOptions = {
  isShared?: boolean;
  /** As `name=value`. */
  settings?: readonly string[];
  /** Hears what the server writes into its log. */
  onLog?: (text: string) => void;
  fill?: (place: { bin: string; data: string; user: User }) => void;
};
type SharedPostgres = { url: (database: string) => string };

/** An empty database with all migrations. One that is asked for inside of a test is another one's after it. */
export type FreshDatabase = () => Promise<DatabaseAddress>;

/**
 * Tests that need a real server: one for the whole run, and a database of its own whenever one is asked for. A machine
 * without PostgreSQL leaves them out; CI may not.
 */
export function onPostgres(define: (fresh: FreshDatabase) => void): void {
  const bin = findPostgres();
  describe.skipIf(bin === null && !process.env['CI'])('on PostgreSQL', () => {
    let server: SharedPostgres | undefined;
    const ofFile: EmptyDatabase[] = [];
    beforeAll(async () => {
      if (bin === null) throw new Error(`CI needs PostgreSQL in ${DEBIAN}; install the package postgresql`);
      server = await shareServer(bin);
    });
    afterAll(async () => {
      for (const database of ofFile) await giveBack(database);
    });

    define(async () => {
      if (server === undefined) throw new Error('a database was asked for before the server was started');
      const database = free.pop() ?? (await makeEmpty(server, bin));
      if (!afterThisTest(() => giveBack(database))) ofFile.push(database);
      return { kind: 'postgres', url: database.url };
    });
  });
}

/**
 * The same tests on both databases; SQLite is what `openBooks` makes when it is handed no address. Behind `isSqlite` stand those
 * that SQLite is enough for: what they ask of a database, another one asks of both, and no two transactions meet in them.
 */
export function onBothDatabases(
  define: (fresh: () => Promise<DatabaseAddress | undefined>, isSqlite: boolean) => void,
): void {
  describe('on SQLite', () => {
    define(() => Promise.resolve(undefined), true);
  });
  onPostgres((fresh) => define(fresh, false));
}

/** `shape`: what its tables, rules and functions are. `admin`: stays connected, because a first statement costs a connection most. */
type EmptyDatabase = { url: string; admin: Client; shape: string; uses: number };

/** Of this process: as good as a new one, which costs ten times as much. */
const free: EmptyDatabase[] = [];
/** What was deleted stays on the pages, and would be read for ever. */
const USES_MAX = 50;

async function makeEmpty(server: SharedPostgres, bin: string | null): Promise<EmptyDatabase> {
  made += 1;
  const name = `test_${process.pid}_${made}`;
  await execute(server, copyOf(bin, name, MIGRATED));
  const url = server.url(name);
  const admin = new Client({ connectionString: url });
  // The server ends with the run, and cuts it.
  admin.on('error', () => undefined);
  await admin.connect();
  return { url, admin, shape: await shapeOf(admin), uses: 0 };
}

/** False outside of a test, where nothing says when its time is over. */
function afterThisTest(work: () => Promise<void>): boolean {
  try {
    onTestFinished(work);
    return true;
  } catch {
    return false;
  }
}

/** For the next test. One that cannot be made as it was, is still used, or has been used for long, goes with the server. */
async function giveBack(database: EmptyDatabase): Promise<void> {
  database.uses += 1;
  const isGood = await emptyForNext(database).catch(() => false);
  if (isGood && database.uses < USES_MAX) free.push(database);
  else await database.admin.end();
}

/** False where it did not become as it was made. */
async function emptyForNext({ admin, shape }: EmptyDatabase): Promise<boolean> {
  // What runs beyond its test would go on writing into the next one's.
  if (!(await isUnused(admin))) return false;
  await admin.query(EMPTY_ALL);
  return (await shapeOf(admin)) === shape;
}

/** Whether nobody else is connected. The server takes a moment to see who has gone. */
async function isUnused(admin: Client): Promise<boolean> {
  for (let pauseMs = 1; pauseMs < 1_000; pauseMs *= 2) {
    const { rowCount } = await admin.query(OTHERS);
    if (rowCount === 0) return true;
    await sleep(pauseMs);
  }
  return false;
}

const OTHERS = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
  AND backend_type = 'client backend'`;

/**
 * Past the triggers that let nobody delete what is written once. Who is still connected is cut. A table without a page never
 * had a row, and most have none.
 */
const EMPTY_ALL = `
  SET lock_timeout = 5000; SET session_replication_role = replica;
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid();
  DO $$ DECLARE name text; start bigint; BEGIN
    FOR name IN SELECT relname FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND pg_relation_size(oid) > 0
        AND relname <> 'migrations' AND relname NOT LIKE 'lock\\_%'
    LOOP
      EXECUTE format('DELETE FROM %I', name);
    END LOOP;
    FOR name, start IN SELECT sequencename, start_value FROM pg_sequences WHERE last_value IS NOT NULL LOOP
      PERFORM setval(quote_ident(name), start, false);
    END LOOP;
  END $$`;

async function shapeOf(admin: Client): Promise<string> {
  const { rows } = await admin.query<{ shape: string }>(`
    SELECT md5(string_agg(part, ',' ORDER BY part)) AS shape FROM (
      SELECT concat('class ', relname, ' ', relkind, ' ', relnatts) AS part FROM pg_class WHERE relnamespace = 'public'::regnamespace
      UNION ALL SELECT concat('rule ', tgrelid, ' ', tgname, ' ', tgenabled) FROM pg_trigger WHERE NOT tgisinternal
      UNION ALL SELECT concat('check ', conrelid, ' ', conname, ' ', convalidated) FROM pg_constraint WHERE connamespace = 'public'::regnamespace
      UNION ALL SELECT concat('function ', proname, ' ', md5(prosrc)) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    ) AS parts`);
  return rows[0]?.shape ?? '';
}

/** The server of the whole run: the first of its processes that asks starts it. */
async function shareServer(bin: string): Promise<SharedPostgres> {
  const folder = join(tmpdir(), 'postgres-of-the-run');
  mkdirSync(folder, { recursive: true });
  return withLock(folder, 'start', async () => {
    const known = join(folder, 'socket-folder');
    if (existsSync(known)) return { url: urlIn(readFileSync(known, 'utf8')) };
    const { url, folder: socketFolder, pid } = await startPostgres(bin, { isShared: true, settings: SHORT_LIVED });
    endWithRun(pid);
    await execute({ url }, `CREATE DATABASE ${MIGRATED} TEMPLATE template0`);
    // A copy of a migrated database is ten times quicker than its migrations.
    const template = await openStore({ kind: 'postgres', url: url(MIGRATED) });
    await template.close();
    writeFileSync(known, socketFolder);
    return { url };
  });
}

/** The statement that copies a database: where PostgreSQL can choose, the way that costs half of the other. */
export function copyOf(bin: string | null, name: string, template: string): string {
  const canChoose = Number(/(\d+)\/bin$/.exec(bin ?? '')?.[1]) >= 15;
  return `CREATE DATABASE ${name} TEMPLATE ${template}${canChoose ? ' STRATEGY FILE_COPY' : ''}`;
}

async function execute(server: SharedPostgres | undefined, ...statements: string[]): Promise<void> {
  if (server === undefined) return;
  const client = new Client({ connectionString: server.url('postgres') });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

const urlIn = (folder: string) => (database: string) =>
  `postgres:///${database}?host=${encodeURIComponent(folder)}&user=test`;

/** The newest PostgreSQL of the system, or null. */
export function findPostgres(): string | null {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).map(Number).filter(Number.isInteger) : [];
  const folders = versions.toSorted((a, b) => b - a).map((version) => join(DEBIAN, String(version), 'bin'));
  return folders.find((folder) => existsSync(join(folder, 'initdb'))) ?? null;
}

/**
 * A real server with an empty cluster of its own, on a unix socket in a temporary folder. PostgreSQL refuses to run
 * as root, so root runs it as `nobody`. One that is shared outlives the process that starts it. `fill` puts a cluster into
 * the folder instead.
 */
export async function startPostgres(bin: string, options: PostgresOptions = {}): Promise<Postgres> {
  const { isShared = false, fill = initialise, onLog } = options;
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'));
  const data = join(folder, 'data');
  const user = process.getuid?.() === 0 ? ownerOf(folder) : {};
  fill({ bin, data, user: { ...user, cwd: folder } });
  // No test pulls the plug of the machine, and without fsync a database is made in a tenth of the time.
  const settings = [`unix_socket_directories=${folder}`, 'listen_addresses=', 'max_connections=200', 'fsync=off'];
  settings.push(...(options.settings ?? []));
  const launch = async () => {
    const server = spawn(join(bin, 'postgres'), ['-D', data, ...settings.flatMap((setting) => ['-c', setting])], {
      ...user,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: isShared,
    });
    const ended = once(server, 'exit');
    if (onLog) server.stderr.on('data', (chunk: Buffer) => onLog(chunk.toString()));
    await untilReady(server.stderr);
    return { server, ended };
  };
  let running = await launch();
  const stop = async (signal: NodeJS.Signals) => {
    running.server.kill(signal);
    await running.ended;
  };
  return {
    url: urlIn(folder),
    folder,
    pid: running.server.pid ?? 0,
    async restart(how) {
      await stop(how === 'fast' ? 'SIGINT' : 'SIGQUIT');
      running = await launch();
    },
    async close() {
      // SIGINT: disconnect everybody and stop.
      await stop('SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function initialise({ bin, data, user }: { bin: string; data: string; user: User }): void {
  const words = ['-D', data, '-U', 'test', '-A', 'trust', '-E', 'UTF8', '--no-sync'];
  execFileSync(join(bin, 'initdb'), words, { ...user, stdio: 'pipe' });
}

export function ownerOf(folder: string): { uid: number; gid: number } {
  const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  const owner = { uid: id('-u'), gid: id('-g') };
  chownSync(folder, owner.uid, owner.gid);
  return owner;
}

async function untilReady(log: NodeJS.ReadableStream): Promise<void> {
  let text = '';
  await new Promise<void>((resolve, reject) => {
    const limit = setTimeout(() => reject(new Error(`PostgreSQL is not ready:\n${text}`)), START_LIMIT_MS);
    const done = (settle: () => void) => {
      clearTimeout(limit);
      settle();
    };
    log.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('ready to accept connections')) done(resolve);
    });
    log.once('end', () => done(() => reject(new Error(`PostgreSQL ended:\n${text}`))));
  });
}
