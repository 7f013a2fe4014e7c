/** A warm start: programs are compiled, chain and database are there. Until it gives its first price, and what it holds then. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureLocalKeys } from '../../local/keys.ts';
import { startDataDirRedis, startLocalMode } from '../../local/mode.ts';
import { startKillable } from '../../scripts/torture/killable.ts';
import { runRow } from '../../scripts/bench/row.ts';
import { readSettings } from '../../scripts/bench/settings.ts';
import { askReport, cpuSecondsOf, PROBE } from './load/watched.ts';

const settings = readSettings(process.argv.slice(2));
const restMs = settings.number('restMs', 20_000);

async function startOnce(dataDir: string) {
  const beganMs = performance.now();
  const service = await startKillable({ dataDir, nodeArguments: PROBE });
  const seconds = (performance.now() - beganMs) / 1_000;
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ receiver: 'alice', amount: 0.05 });
  const { status } = await fetch(`${service.url}/payments/x/pay`, { method: 'POST', headers, body });
  if (status !== 402 && status !== 503) throw new Error(`expected a price, found ${status}`);
  return { service, seconds, cpuSeconds: cpuSecondsOf(service.process.pid ?? 0) };
}

await runRow({
  name: settings.row,
  about: `all roles in one process, local chains and Redis running beside it, SQLite, ${restMs / 1_000} s of rest`,
  read: 'The chains and Redis run on; what is left is the start of the service itself.',
  rounds: settings.number('rounds', 5),
  async open() {
    const dataDir = mkdtempSync(join(tmpdir(), 'pennypost-bench-'));
    // Uses chains and Redis all the time, so that they do not stop with the service that is measured.
    const keys = ensureLocalKeys(join(dataDir, 'local', 'keys.json'));
    const local = await startLocalMode({ dataDir, networks: ['base', 'solana'], keys });
    const redis = await startDataDirRedis(dataDir);
    const { service } = await startOnce(dataDir);
    await service.stop();
    return { dataDir, local, redis };
  },
  async round({ dataDir }) {
    const { service, seconds, cpuSeconds } = await startOnce(dataDir);
    await sleep(restMs);
    const { rssBytes } = await askReport(service.process);
    await service.stop();
    const less = { better: 'less' } as const;
    return [
      { what: 'from the command to listening', unit: 's', ...less, ours: seconds, gate: { of: 'ours', at: 2 } },
      { what: 'CPU until the first price', unit: 's', ...less, ours: cpuSeconds },
      { what: 'memory at rest', unit: 'MB', ...less, ours: rssBytes / 2 ** 20, gate: { of: 'ours', at: 240 } },
    ];
  },
  async close({ dataDir, local, redis }) {
    await redis.close();
    await local.close();
    rmSync(dataDir, { recursive: true, force: true });
  },
});
process.exit();
