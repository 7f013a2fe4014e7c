import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { parseConfig } from '../../../core/config/config.ts';
import { openStore } from '../../../db/store/open.ts';
import { stopLocalMode } from '../../../local/mode.ts';
import type { HeapReport } from '../../../scripts/torture/heap.ts';
import { startKillable } from '../../../scripts/torture/killable.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import { compileProgram } from '../../support/compiled-program.ts';
import type { Payees } from './proofs.ts';
import type { Place } from './send.ts';

const ROOT = join(import.meta.dirname, '../../..');
const GREETING_END = 'Ctrl-C stops it';
const ERROR_LEVEL = 50;

const published = z.object({
  rpc: z.object({ base: z.string(), solana: z.string() }),
  payers: z.array(z.object({ network: z.string(), privateKey: z.string() })),
});
const priced = z.object({
  accepts: z.array(
    z.object({ network: z.string(), payTo: z.string(), extra: z.object({ feePayer: z.string().optional() }) }),
  ),
});
const logLine = z.object({ level: z.number(), msg: z.string() });

export type MeasuredService = Place & {
  pid: number;
  dataDir: string;
  /** Of payers with play money on Base. */
  keys: `0x${string}`[];
  /** Texts of this installation that no answer may show. */
  secrets: string[];
  heldBytes: () => Promise<number>;
  /** From now on it keeps every request: the control of the measurement. */
  leak: () => void;
  /** What it wrote to the terminal after its greeting, and the errors in its log. */
  complaints: () => string[];
  log: () => string;
  /** Payments that were not refused. */
  paid: () => Promise<number>;
  close: () => Promise<void>;
};

/** The whole service as people run it, in a process of its own that can be measured; without its rate limit, unless told. */
export async function startMeasuredService(env: Record<string, string> = {}): Promise<MeasuredService> {
  const dataDir = mkdtempSync(join(tmpdir(), 'pennypost-requests-'));
  const service = await startKillable({
    dataDir,
    env,
    nodeArguments: ['--expose-gc', '--import', await compileProgram(join(ROOT, 'scripts/torture/heap.ts'))],
  });
  await eventually(async () => {
    if (!service.output().includes(GREETING_END)) throw new Error(`not ready: ${service.output()}`);
  }, 30_000);
  const greeting = service.output();
  const { rpc, payers } = published.parse(JSON.parse(readFileSync(join(dataDir, 'local', 'payers.json'), 'utf8')));
  const log = () => readFileSync(join(dataDir, 'pennypost.log'), 'utf8');
  return {
    url: service.url,
    pid: service.process.pid ?? 0,
    dataDir,
    keys: payers.filter(({ network }) => network === 'base').map(({ privateKey }) => privateKey as `0x${string}`),
    ...(await payeesAt(service.url, rpc.solana)),
    secrets: [dataDir, ...Object.values(rpc)],
    heldBytes: async () => {
      service.process.send('heap');
      const [report] = (await once(service.process, 'message')) as [HeapReport];
      return report.heldBytes;
    },
    leak: () => service.process.send('leak'),
    complaints: () =>
      [service.output().slice(greeting.length), ...errorsIn(log())].filter((text) => text.trim() !== ''),
    log,
    paid: () => countPaid(dataDir),
    close: async () => {
      await service.kill();
      await stopLocalMode(dataDir);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function payeesAt(url: string, solanaRpcUrl: string): Promise<Payees> {
  const headers = { 'content-type': 'application/json' };
  const body = '{"receiver":"alice","amount":1}';
  const response = await fetch(`${url}/payments/x/pay`, { method: 'POST', headers, body });
  const { accepts } = priced.parse(await response.json());
  const [base, solana] = ['base', 'solana'].map((name) => accepts.find(({ network }) => network === name));
  const feePayer = solana?.extra.feePayer;
  if (base === undefined || solana === undefined || feePayer === undefined) throw new Error('a network is not offered');
  return { payTo: base.payTo as `0x${string}`, solana: { payTo: solana.payTo, feePayer, rpcUrl: solanaRpcUrl } };
}

function errorsIn(log: string): string[] {
  const lines = log.split('\n').filter((line) => line !== '');
  return lines.filter((line) => logLine.parse(JSON.parse(line)).level >= ERROR_LEVEL);
}

async function countPaid(dataDir: string): Promise<number> {
  const store = await openStore(parseConfig({ DATA_DIR: dataDir }).databaseUrl);
  try {
    const { payments } = store.tables;
    const rows = await store.read.select({ status: payments.status }).from(payments);
    return rows.filter(({ status }) => status !== 'rejected').length;
  } finally {
    await store.close();
  }
}
