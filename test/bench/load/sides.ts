/** Who is paid: our service as people run it, and beside it the stock server, each in processes of its own. */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { privateKeyToAccount, generatePrivateKey } from 'viem/accounts';
import { z } from 'zod';
import { stopLocalMode } from '../../../local/mode.ts';
import { callRpc } from '../../../local/processes/rpc.ts';
import { startKillable } from '../../../scripts/torture/killable.ts';
import { USDC } from '../../support/pay.ts';
import { startProgram } from '../programs/child.ts';
import { PROBE } from './watched.ts';

export type Side = {
  name: string;
  /** Of all its processes that take payments. */
  urls: readonly string[];
  path: string;
  payTo: `0x${string}`;
  processes: readonly ChildProcess[];
  chain: Chain;
};

/** The node of the local chain: where it is, and its process. */
export type Chain = { rpcUrl: string; pid: number };

export type Opened = { side: Side; close: () => Promise<void> };

export type OursOptions = {
  blockMs: number;
  /** Is there when it is handed in, and stays. */
  dataDir?: string;
  name?: string;
  databaseUrl?: string;
  /** Processes that take payments; the first of them has the other roles as well. */
  apis?: number;
  /** Another checkout of ours, with what it needs installed. */
  root?: string;
};

const publishedSchema = z.object({ rpc: z.object({ base: z.string() }) });
const challengeSchema = z.object({ accepts: z.array(z.object({ network: z.string(), payTo: z.string() })) });
const WAIT_MS = 60_000;

export async function openOurs(options: OursOptions): Promise<Opened> {
  const { blockMs, name = 'ours', databaseUrl, apis = 1, root } = options;
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'pennypost-bench-'));
  const env: Record<string, string> = { LOCAL_BLOCK_MS: String(blockMs) };
  if (databaseUrl !== undefined) env['DATABASE_URL'] = databaseUrl;
  const nodeArguments = PROBE;
  const tree = root === undefined ? {} : { root };
  const running = [
    await startKillable({ dataDir, env, nodeArguments, ...tree, ...(apis > 1 ? { roles: ['api', 'worker'] } : {}) }),
  ];
  while (running.length < apis) running.push(await startKillable({ dataDir, env, nodeArguments, roles: ['api'] }));
  const local = join(dataDir, 'local');
  const { rpc } = publishedSchema.parse(JSON.parse(readFileSync(join(local, 'payers.json'), 'utf8')));
  const chain = { rpcUrl: rpc.base, pid: Number(readFileSync(join(local, 'base', 'anvil.pid'), 'utf8')) };
  const urls = running.map(({ url }) => url);
  const path = '/payments/x/pay';
  const payTo = await askPayTo(`${urls[0]}${path}`);
  return {
    side: { name, urls, path, payTo, processes: running.map(({ process: child }) => child), chain },
    async close() {
      for (const one of running.toReversed()) await one.stop();
      await stopLocalMode(dataDir);
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Once the network is in the terms. */
async function askPayTo(url: string): Promise<`0x${string}`> {
  for (const endMs = Date.now() + WAIT_MS; ;) {
    const body = JSON.stringify({ receiver: 'alice', amount: 0.05 });
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const read = challengeSchema.safeParse(await response.json());
    const terms = read.data?.accepts.find(({ network }) => network === 'base');
    if (terms !== undefined) return terms.payTo as `0x${string}`;
    if (Date.now() > endMs) throw new Error(`Base is not in the terms: ${response.status}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** On the same chain; what it is paid goes to an address that is not ours. */
export async function openStock(chain: Chain): Promise<Opened> {
  const key = generatePrivateKey();
  const payTo = privateKeyToAccount(generatePrivateKey()).address;
  await callRpc(chain.rpcUrl, 'anvil_setBalance', [privateKeyToAccount(key).address, '0x56bc75e2d63100000']);
  const program = await startProgram('stock', [chain.rpcUrl, key, payTo, USDC], z.object({ url: z.string() }));
  const { child, facts } = program;
  const side = { name: 'stock', urls: [facts.url], path: '/pay', payTo, processes: [child], chain };
  return { side, close: () => program.close() };
}
