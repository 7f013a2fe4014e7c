/**
 * How many 402 answers a second one process gives, and what each costs it: ours and stock `@x402/hono` in turn, on the
 * same machine as the load. Ours reads the body, names the request and offers two networks; stock does neither.
 * `profile=FOLDER` keeps a CPU profile of our process, under the load of 64 connections.
 */
import { Pool } from 'undici';
import type { Sample } from '../../scripts/bench/figures.ts';
import { runRow } from '../../scripts/bench/row.ts';
import { readSettings } from '../../scripts/bench/settings.ts';
import { sidesCpuSeconds } from './load/measure.ts';
import type { Side } from './load/sides.ts';
import { keepProfile, startProfile } from './load/watched.ts';
import { inTurn, openWorld } from './load/world.ts';

const settings = readSettings(process.argv.slice(2));
const roundMs = settings.number('roundMs', 3_000);
const profileTo = settings.text('profile', '') || null;
const WARM_UP_MS = 4_000;
const RECEIVERS = 500;
const CONNECTIONS = [1, 64] as const;

type Asked = { answers: number; seconds: number; cpuSeconds: number };

async function ask(side: Side, connections: number, forMs: number): Promise<Asked> {
  const { urls, path } = side;
  const pool = new Pool(urls[0] ?? '', { connections });
  const endMs = performance.now() + forMs;
  let answers = 0;
  const askOn = async (start: number) => {
    for (let turn = start; performance.now() < endMs; turn += connections) {
      const body = JSON.stringify({ receiver: `person${turn % RECEIVERS}`, amount: 0.05 });
      const headers = { 'content-type': 'application/json' };
      const response = await pool.request({ path, method: 'POST', headers, body });
      await response.body.dump();
      if (response.statusCode !== 402) throw new Error(`expected 402, found ${response.statusCode} at ${side.name}`);
      answers += 1;
    }
  };
  const [startedMs, cpuBefore] = [performance.now(), sidesCpuSeconds(side)];
  await Promise.all(Array.from({ length: connections }, (_, index) => askOn(index)));
  const seconds = (performance.now() - startedMs) / 1000;
  const cpuSeconds = sidesCpuSeconds(side) - cpuBefore;
  await pool.close();
  return { answers, seconds, cpuSeconds };
}

function samplesOf(connections: number, { name, ours, other }: { name: string; ours: Asked; other: Asked }): Sample[] {
  const on = `${connections} connection${connections === 1 ? '' : 's'}`;
  const rate = ({ answers, seconds }: Asked) => answers / seconds;
  const cpu = ({ answers, cpuSeconds }: Asked) => (cpuSeconds / answers) * 1e6;
  const gate = connections === 64 ? { gate: { of: 'ratio' as const, at: 0.5 } } : {};
  return [
    {
      what: `challenges a second, ${on}`,
      unit: '/s',
      better: 'more',
      ours: rate(ours),
      beside: { name, value: rate(other) },
      ...gate,
    },
    { what: `CPU of each, ${on}`, unit: 'µs', better: 'less', ours: cpu(ours), beside: { name, value: cpu(other) } },
  ];
}

/** Beside the measured rounds: the profiler takes time itself. */
async function profile(side: Side, folder: string): Promise<void> {
  for (const child of side.processes) await startProfile(child);
  await ask(side, 64, roundMs);
  for (const child of side.processes) await keepProfile(child, folder);
}

await runRow({
  name: settings.row,
  about: `${RECEIVERS} receivers, ${roundMs / 1_000} s a round, SQLite`,
  read: 'Ours prices the request and offers two networks in both generations of x402; stock reads no body.',
  rounds: settings.number('rounds', 5),
  async open() {
    const world = await openWorld(settings);
    for (const side of [world.ours, world.other]) await ask(side, 64, WARM_UP_MS);
    return world;
  },
  async round(world, round) {
    const samples: Sample[] = [];
    for (const connections of CONNECTIONS) {
      samples.push(...samplesOf(connections, await inTurn(world, round, (side) => ask(side, connections, roundMs))));
    }
    if (profileTo !== null) await profile(world.ours, profileTo);
    return samples;
  },
  close: (world) => world.close(),
});
process.exit();
