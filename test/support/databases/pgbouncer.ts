import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { ownerOf } from '../postgres.ts';

const BINARY = '/usr/sbin/pgbouncer';
const START_LIMIT_MS = 20_000;

/** PgBouncer of the system, or null. */
export const findPgBouncer = (): string | null => (existsSync(BINARY) ? BINARY : null);

/** A real pooler in transaction mode before the server whose socket lies in `serverFolder`, on a socket of its own. */
export async function startPgBouncer(binary: string, serverFolder: string) {
  const folder = mkdtempSync(join(tmpdir(), 'pgbouncer-'));
  const user = process.getuid?.() === 0 ? ownerOf(folder) : {};
  const file = join(folder, 'pgbouncer.ini');
  const settings = {
    listen_addr: '',
    unix_socket_dir: folder,
    auth_type: 'any',
    pool_mode: 'transaction',
    // Fewer than the store opens, so that transactions do change connections.
    default_pool_size: '4',
    logfile: join(folder, 'log'),
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  writeFileSync(file, `[databases]\n* = host=${serverFolder} user=test\n[pgbouncer]\n${lines.join('\n')}\n`);
  const pooler = spawn(binary, [file], { ...user, cwd: folder, stdio: 'ignore' });
  const ended = once(pooler, 'exit');
  const url = (database: string) => `postgres:///${database}?host=${encodeURIComponent(folder)}&port=6432&user=test`;
  await untilAnswering(url('postgres'));
  return {
    url,
    async close() {
      // SIGINT waits for the transactions in hand.
      pooler.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function untilAnswering(url: string): Promise<void> {
  const endMs = Date.now() + START_LIMIT_MS;
  for (;;) {
    const client = new Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (Date.now() > endMs) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
