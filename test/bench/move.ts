/**
 * How long it takes to move finished payments from SQLite to PostgreSQL, first undisturbed, then killed ten times.
 * `npm run bench -- move payments=20000 kills=3` for fewer payments and kills.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { readSettings } from '../../scripts/bench/settings.ts';
import { finishPayments } from '../support/databases/finish-payments.ts';
import { readFinished } from '../support/databases/finished-payment.ts';
import { addHistory } from '../support/databases/history.ts';
import { startLocalService } from '../support/local-service.ts';
import { findPostgres, startPostgres } from '../support/postgres.ts';

const ROOT = join(import.meta.dirname, '../..');
const settings = readSettings(process.argv.slice(2));
const [payments, kills] = [settings.number('payments', 100_000), settings.number('kills', 10)];
const dir = mkdtempSync(join(tmpdir(), 'pennypost-bench-move-'));
const path = join(dir, 'pennypost.sqlite');

const bin = findPostgres();
if (bin === null) throw new Error('this needs PostgreSQL: apt install postgresql');
const server = await startPostgres(bin);
try {
  await fill();
  const copy = join(dir, 'again.sqlite');
  if (kills > 0) copyFileSync(path, copy);
  // Its program is compiled once.
  await run('--help', '', null);
  const alone = await run(path, await emptyDatabase('undisturbed'), null);
  print(`${payments} payments, ${Math.round(statSync(path).size / 2 ** 20)} MiB: moved in ${seconds(alone.ms)}`);
  print(alone.text.split('\n').slice(-3).join('\n'));
  if (alone.code !== 0) process.exitCode = 1;
  if (kills > 0) await moveAmongKills(copy, alone.ms / (kills + 1));
} finally {
  await server.close();
  rmSync(dir, { recursive: true, force: true });
}

async function fill(): Promise<void> {
  const service = await startLocalService({ dataDir: dir });
  const ids = await finishPayments(service);
  const finished = await Promise.all(ids.map((id) => readFinished(service.store, id)));
  await service.close();
  await addHistory(service.store, { kind: 'sqlite', path }, finished, { first: 1, copies: payments });
}

/** Each life is shorter than the whole, and goes on where the one before it was killed. */
async function moveAmongKills(file: string, lifeMs: number): Promise<void> {
  const url = await emptyDatabase('killed');
  for (let kill = 1; kill <= kills; kill += 1) {
    const { code } = await run(file, url, lifeMs);
    print(`kill ${kill}: ${code === null ? 'died' : `had ended with ${code}, so nothing was killed`}`);
    if (code !== null) process.exitCode = 1;
  }
  const last = await run(file, url, null);
  print(
    `the last life took ${seconds(last.ms)} and ended with ${last.code}: ${last.text.split('\n').slice(-2).join(' ')}`,
  );
  if (last.code !== 0) process.exitCode = 1;
}

async function emptyDatabase(name: string): Promise<string> {
  const client = new Client({ connectionString: server.url('postgres') });
  await client.connect();
  await client.query(`CREATE DATABASE ${name} TEMPLATE template0`);
  await client.end();
  return server.url(name);
}

/** As an operator runs it; killed after so long. */
async function run(file: string, url: string, killAfterMs: number | null) {
  const startMs = performance.now();
  const child = spawn(process.execPath, ['scripts/program.mjs', 'scripts/operator.ts', 'move', file], {
    cwd: ROOT,
    env: { ...process.env, DATABASE_URL: url, DATA_DIR: dir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const ended = once(child, 'exit');
  if (killAfterMs !== null) {
    await Promise.race([ended, sleep(killAfterMs)]);
    child.kill('SIGKILL');
  }
  await ended;
  return { ms: performance.now() - startMs, code: child.exitCode, text: text.trim() };
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
