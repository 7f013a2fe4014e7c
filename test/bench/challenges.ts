/**
 * How many 402 answers a second one process gives, and what each costs it: ours and stock `@x402/hono` in turn, on the
 * same machine as the load. Ours reads the body, names the request and offers two networks; stock does neither.
 */
import { Pool } from 'undici';
import { z } from 'zod';
import { startProgram, type Program } from './programs/child.ts';

const ROUNDS = 5;
const ROUND_MS = 3_000;
const WARM_UP_MS = 4_000;
const RECEIVERS = 500;
const CONNECTIONS = [1, 64] as const;
// The third key of anvil's well-known list: play money.
const STOCK_KEY = '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a';

type Target = { name: string; url: string; path: string; program: Program };
type Round = { answers: number; seconds: number; cpuSeconds: number };

const ours = await startProgram(
  'ours',
  [],
  z.object({ url: z.string(), rpcUrl: z.string(), treasury: z.string(), usdc: z.string() }),
);
const { rpcUrl, treasury, usdc } = ours.facts;
const stock = await startProgram('stock', [rpcUrl, STOCK_KEY, treasury, usdc], z.object({ url: z.string() }));
const targets: readonly Target[] = [
  { name: 'ours', url: ours.facts.url, path: '/payments/x/pay', program: ours },
  { name: 'stock', url: stock.facts.url, path: '/pay', program: stock },
];

async function ask({ url, path, program }: Target, connections: number, forMs: number): Promise<Round> {
  const pool = new Pool(url, { connections });
  const endMs = performance.now() + forMs;
  let answers = 0;
  const askOn = async (start: number) => {
    for (let turn = start; performance.now() < endMs; turn += connections) {
      const body = JSON.stringify({ receiver: `person${turn % RECEIVERS}`, amount: 0.05 });
      const headers = { 'content-type': 'application/json' };
      const response = await pool.request({ path, method: 'POST', headers, body });
      await response.body.dump();
      if (response.statusCode !== 402) throw new Error(`expected 402, found ${response.statusCode} at ${url}`);
      answers += 1;
    }
  };
  const [startedMs, cpuBefore] = [performance.now(), program.cpuSeconds()];
  await Promise.all(Array.from({ length: connections }, (_, index) => askOn(index)));
  const seconds = (performance.now() - startedMs) / 1000;
  const cpuSeconds = program.cpuSeconds() - cpuBefore;
  await pool.close();
  return { answers, seconds, cpuSeconds };
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const rateOf = ({ answers, seconds }: Round) => answers / seconds;
const microsecondsOf = ({ answers, cpuSeconds }: Round) => (cpuSeconds / answers) * 1e6;

function report(connections: number, rounds: ReadonlyMap<string, readonly Round[]>): void {
  const rows = targets.map(({ name }) => rounds.get(name) ?? []);
  for (const [index, row] of rows.entries()) {
    const rates = row.map(rateOf);
    const spread = `${Math.round(Math.min(...rates))} to ${Math.round(Math.max(...rates))}`;
    const cpu = Math.round(median(row.map(microsecondsOf)));
    console.log(
      `${connections} connections  ${(targets[index]?.name ?? '').padEnd(5)} ${Math.round(median(rates))}/s (${spread})  ${cpu} µs CPU each`,
    );
  }
  const ratios = (rows[0] ?? []).map((round, index) => {
    const other = rows[1]?.[index];
    return other === undefined ? 0 : rateOf(round) / rateOf(other);
  });
  console.log(`${connections} connections  ours : stock ${median(ratios).toFixed(2)}`);
}

for (const target of targets) await ask(target, 64, WARM_UP_MS);
for (const connections of CONNECTIONS) {
  const rounds = new Map<string, Round[]>(targets.map(({ name }) => [name, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const target of targets) rounds.get(target.name)?.push(await ask(target, connections, ROUND_MS));
  }
  report(connections, rounds);
}
await stock.close();
await ours.close();
process.exit();
