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
import { Client } from 'pg';
import { afterAll, beforeAll, describe } from 'vitest';
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

/** An empty database with all migrations. */
export type FreshDatabase = () => Promise<DatabaseAddress>;

/**
 * Tests that need a real server: one for the whole run, and a database of its own whenever one is asked for. A machine
 * without PostgreSQL leaves them out; CI may not.
 */
export function onPostgres(define: (fresh: FreshDatabase) => void): void {
  const bin = findPostgres();
  describe.skipIf(bin === null && !process.env['CI'])('on PostgreSQL', () => {
    let server: SharedPostgres | undefined;
    const databases: string[] = [];
    beforeAll(async () => {
      if (bin === null) throw new Error(`CI needs PostgreSQL in ${DEBIAN}; install the package postgresql`);
      server = await shareServer(bin);
    });
    afterAll(async () => {
      if (databases.length === 0) return;
      await execute(server, ...databases.map((name) => `DROP DATABASE ${name} WITH (FORCE)`));
    });

    define(async () => {
      if (server === undefined) throw new Error('a database was asked for before the server was started');
      made += 1;
      const name = `test_${process.pid}_${made}`;
      await execute(server, copyOf(bin, name, MIGRATED));
      databases.push(name);
      return { kind: 'postgres', url: server.url(name) };
    });
  });
}

/** The same tests on both databases; SQLite is what `openBooks` makes when it is handed no address. */
export function onBothDatabases(define: (fresh: () => Promise<DatabaseAddress | undefined>) => void): void {
  describe('on SQLite', () => {
    define(() => Promise.resolve(undefined));
  });
  onPostgres(define);
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
