import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parseConfig, type Config } from '../../core/config/config.ts';
import { openStore } from '../../db/store/open.ts';
import type { Store } from '../../db/store/store.ts';
import { stopLocalMode } from '../../local/mode.ts';
import { listenForMetrics, startMetrics, type RunningMetrics } from '../../service/metrics.ts';
import type { ServiceOptions } from '../../service/options.ts';
import { compileProgram } from '../support/compiled-program.ts';
import { parseExposition, valueOf, type Exposition } from '../api/metrics/exposition.ts';

const ROOT = join(import.meta.dirname, '../..');
const TOKEN = 'a-token-of-at-least-thirty-two-characters';
const SOON = { timeout: 60_000, interval: 50 };

let dataDir: string;
let store: Store;
let logged: { msg: string; url?: string }[] = [];
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'pennypost-metrics-'));
  store = await openStore({ kind: 'sqlite', path: join(dataDir, 'own.sqlite') });
});
afterAll(async () => {
  await store.close();
  await stopLocalMode(dataDir);
  rmSync(dataDir, { recursive: true, force: true });
});

const configOf = (env: Record<string, string>) => parseConfig({ DATA_DIR: dataDir, ...env });

async function start(config: Config): Promise<RunningMetrics | null> {
  logged = [];
  const log = pino({ level: 'info' }, { write: (text: string) => void logged.push(JSON.parse(text)) });
  return startMetrics({ config, log } as ServiceOptions, { store }, await listenForMetrics(config));
}

/** Where it said that it listens. */
function urlOf(lines: typeof logged): string {
  const url = lines.find(({ msg }) => msg === 'metrics are served')?.url;
  if (url === undefined) throw new Error('nothing says where metrics are served');
  return url;
}

async function read(url: string, headers: Record<string, string> = {}): Promise<Exposition> {
  const answer = await fetch(url, { headers });
  expect(answer.status).toBe(200);
  return parseExposition(await answer.text());
}

describe('with METRICS_PORT', () => {
  test('they are read there without a token, on loopback, and there is nothing else', async () => {
    const metrics = await start(configOf({ METRICS_PORT: '0', ADMIN_TOKEN: TOKEN }));
    const url = urlOf(logged);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
    expect(valueOf(await read(url), 'pennypost_database_up')).toBe(1);
    for (const path of ['/', '/health/live', '/metrics/more']) {
      expect((await fetch(new URL(path, url))).status).toBe(404);
    }
    expect(metrics?.mounted.token).toBe(TOKEN);
    await metrics?.close();
  });

  test('they listen where HOST says', async () => {
    const metrics = await start(configOf({ METRICS_PORT: '0', HOST: 'localhost' }));
    expect(urlOf(logged)).toMatch(/^http:\/\/localhost:\d+\/metrics$/);
    expect(valueOf(await read(urlOf(logged)), 'pennypost_database_up')).toBe(1);
    // The main port has no token to ask for, so it has no metrics either.
    expect(metrics?.mounted.token).toBeNull();
    await metrics?.close();
  });

  test('nobody listens there after closing, though a reader keeps its connection', async () => {
    const metrics = await start(configOf({ METRICS_PORT: '0' }));
    const url = urlOf(logged);
    await read(url);
    await metrics?.close();
    await expect(fetch(url)).rejects.toThrow('fetch failed');
  });

  test('a port in use is told in one line that names it', async () => {
    const squatter = createServer().listen(0, '127.0.0.1');
    await once(squatter, 'listening');
    const { port } = squatter.address() as AddressInfo;
    await expect(listenForMetrics(configOf({ METRICS_PORT: String(port) }))).rejects.toThrow(
      `METRICS_PORT ${port} on 127.0.0.1 cannot be used. Stop what listens there, or set METRICS_PORT to another.`,
    );
    squatter.close();
  });
});

test('with ADMIN_TOKEN alone they are for the main port only', async () => {
  const metrics = await start(configOf({ ADMIN_TOKEN: TOKEN }));
  expect(metrics?.mounted.token).toBe(TOKEN);
  expect(logged).toEqual([]);
  await metrics?.close();
});

test('with neither of the two there are none', async () => {
  expect(await start(configOf({}))).toBeNull();
});

test('a process with the worker alone tells how it is on both ports, though nobody reads its lines, and ends cleanly', async () => {
  const child = spawn(process.execPath, [await compileProgram(join(ROOT, 'main.ts')), 'worker'], {
    cwd: ROOT,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      DATA_DIR: dataDir,
      NETWORKS: 'base',
      PORT: '0',
      METRICS_PORT: '0',
      ADMIN_TOKEN: TOKEN,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const mainUrl = await vi.waitUntil(() => /Listening on (\S+)/.exec(text)?.[1], SOON);
  // Nobody reads what it writes from now on, which ends no service.
  child.stdout.destroy();
  const ownUrl = urlOf(linesOf(join(dataDir, 'pennypost.log')));

  const both = [() => read(ownUrl), () => read(`${mainUrl}/metrics`, { Authorization: `Bearer ${TOKEN}` })];
  for (const ask of both) {
    await vi.waitFor(async () => {
      const families = await ask();
      expect(valueOf(families, 'pennypost_worker_heartbeat_age_seconds', { network: 'base' })).toBeLessThan(10);
      expect(valueOf(families, 'pennypost_scan_cursor_block', { network: 'base' })).toBeGreaterThan(0);
      expect(valueOf(families, 'pennypost_payments', { network: 'base', status: 'settling' })).toBe(0);
    }, SOON);
  }
  const health = { route: '/health', method: 'GET', status: '200' };
  await vi.waitFor(async () => {
    expect(valueOf(await read(ownUrl), 'pennypost_http_requests_total', health)).toBeGreaterThan(0);
  }, SOON);
  expect((await fetch(`${mainUrl}/metrics`)).status).toBe(404);

  child.kill('SIGINT');
  await once(child, 'exit');
  expect(child.exitCode).toBe(0);
  const written = readFileSync(join(dataDir, 'pennypost.log'), 'utf8');
  expect(written).not.toContain('metrics could not');
  expect(written).not.toContain(TOKEN);
});

function linesOf(file: string): typeof logged {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as (typeof logged)[number]);
}
