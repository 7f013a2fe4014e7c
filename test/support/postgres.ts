import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const DEBIAN = '/usr/lib/postgresql';
const START_LIMIT_MS = 20_000;

export type Postgres = { url: (database: string) => string; close: () => Promise<void> };

/** The newest PostgreSQL of the system, or null. */
export function findPostgres(): string | null {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).map(Number).filter(Number.isInteger) : [];
  const folders = versions.toSorted((a, b) => b - a).map((version) => join(DEBIAN, String(version), 'bin'));
  return folders.find((folder) => existsSync(join(folder, 'initdb'))) ?? null;
}

/**
 * A real server with an empty cluster of its own, on a unix socket in a temporary folder. PostgreSQL refuses to run
 * as root, so root runs it as `nobody`.
 */
export async function startPostgres(bin: string): Promise<Postgres> {
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'));
  const data = join(folder, 'data');
  const user = process.getuid?.() === 0 ? ownerOf(folder) : {};
  execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'test', '-A', 'trust', '-E', 'UTF8', '--no-sync'], {
    ...user,
    cwd: folder,
    stdio: 'pipe',
  });
  // No test pulls the plug of the machine, and without fsync a database is made in a tenth of the time.
  const settings = [`unix_socket_directories=${folder}`, 'listen_addresses=', 'max_connections=100', 'fsync=off'];
  const server = spawn(join(bin, 'postgres'), ['-D', data, ...settings.flatMap((setting) => ['-c', setting])], {
    ...user,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(server, 'exit');
  await untilReady(server.stderr);
  return {
    url: (database) => `postgres:///${database}?host=${encodeURIComponent(folder)}&user=test`,
    async close() {
      // SIGINT: disconnect everybody and stop.
      server.kill('SIGINT');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function ownerOf(folder: string): { uid: number; gid: number } {
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
