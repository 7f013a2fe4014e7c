import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { stopLocalMode } from '../../local/mode.ts';
import { CLIENTS, PACKAGES, type PublishedClient } from './client-list.ts';
import { startKillable } from './killable.ts';

const DRIVERS = join(import.meta.dirname, '../../test/clients');
const INSTALL_LIMIT_MS = 10 * 60_000;
const PAY_LIMIT_MS = 90_000;

const payersFile = z.object({
  rpc: z.object({ base: z.string(), solana: z.string() }),
  payers: z.array(z.object({ network: z.enum(['base', 'solana']), privateKey: z.string() })),
});
type Payers = z.infer<typeof payersFile>;
const outcome = z.union([z.object({ paid: z.number() }), z.object({ error: z.string() })]);

/**
 * `npm run torture -- clients [name]`: published clients, unmodified and pinned, pay the running service with play money.
 * They are installed for the run into a folder of their own, because some bring hundreds of packages of the first
 * generation. One table; red where one that is listed to pay does not.
 */
export async function run([only]: string[]): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'pennypost-clients-'));
  const dataDir = join(directory, 'data');
  const clients = CLIENTS.filter(({ driver }) => only === undefined || driver === only);
  for (const folder of new Set(clients.map((client) => client.folder))) {
    console.log(`installing ${folder}`);
    await install(join(directory, folder), PACKAGES[folder]);
  }
  const service = await startKillable({ dataDir });
  try {
    const payers = payersFile.parse(JSON.parse(readFileSync(join(dataDir, 'local/payers.json'), 'utf8')));
    const rows: Row[] = [];
    for (const client of clients) {
      const folder = join(directory, client.folder);
      for (const network of client.networks) {
        rows.push({ client, network, ...(await pay(folder, { client, network, url: service.url, payers })) });
      }
    }
    print(toTable(rows));
    if (rows.length === 0 || rows.some(({ result }) => result !== 'paid')) process.exitCode = 1;
  } finally {
    await service.stop();
    await stopLocalMode(dataDir);
    rmSync(directory, { recursive: true, force: true });
  }
}

async function install(folder: string, dependencies: Readonly<Record<string, string>>): Promise<void> {
  mkdirSync(folder, { recursive: true });
  cpSync(DRIVERS, folder, { recursive: true });
  // Newer versions of viem want a release of ox that the registry does not have.
  const manifest = { private: true, type: 'module', dependencies, overrides: { viem: '$viem' } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--legacy-peer-deps'];
  const { code, text } = await finished(spawn('npm', args, { cwd: folder, timeout: INSTALL_LIMIT_MS }));
  if (code !== 0) throw new Error(`npm could not install the clients: ${text.slice(-2_000)}`);
}

type Paying = { client: PublishedClient; network: 'base' | 'solana'; url: string; payers: Payers };
type Row = Pick<Paying, 'client' | 'network'> & { result: string };

async function pay(folder: string, { client, network, url, payers }: Paying): Promise<Pick<Row, 'result'>> {
  const key = payers.payers.find((payer) => payer.network === network)?.privateKey ?? '';
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    PENNYPOST_URL: url,
    PAYER_KEY: key,
    PAYER_RPC: payers.rpc[network],
    NETWORK: network,
    AMOUNT: String(client.amount),
  };
  const child = spawn(process.execPath, ['run.mjs', client.driver], { cwd: folder, env, timeout: PAY_LIMIT_MS });
  const { text } = await finished(child);
  const line = text.trim().split('\n').at(-1) ?? '';
  const said = outcome.safeParse(parseOrNull(line));
  if (!said.success) return { result: `no answer: ${text.slice(-200)}` };
  if ('error' in said.data) return { result: said.data.error };
  return { result: said.data.paid === client.amount ? 'paid' : `paid ${said.data.paid} of ${client.amount}` };
}

async function finished(child: ReturnType<typeof spawn>): Promise<{ code: number | null; text: string }> {
  let text = '';
  child.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => void child.once('close', resolve));
  return { code, text };
}

function parseOrNull(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // A driver that died wrote something else.
    return null;
  }
}

function toTable(rows: readonly Row[]): string {
  const cells = rows.map(({ client, network, result }) => [
    nameOf(client),
    client.speaks,
    network,
    `${client.amount} USDC${client.capNote === '' ? '' : ` (${client.capNote})`}`,
    result,
  ]);
  const all = [['client', 'speaks', 'network', 'amount', 'result'], ...cells];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  return all.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')).join('\n');
}

/** Of an alias the name that it stands for. */
function nameOf({ package: name, folder }: PublishedClient): string {
  const version = PACKAGES[folder][name] ?? '';
  return version.startsWith('npm:') ? version.slice('npm:'.length) : `${name}@${version}`;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
