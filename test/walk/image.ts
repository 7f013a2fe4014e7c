/**
 * `npm run walk -- image`: what deploy/Containerfile says, step by step, in minimal Debian roots, and then the image's process:
 * as its user, on a file system that cannot be written, as the compose file runs it. Debian's Node stands in for the base image.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { eventually } from '../../scripts/torture/eventually.ts';
import { isIgnored } from '../deploy/ignored.ts';
import { prepareRoot, unpackDebian, unpackTree } from './debian.ts';
import { openMachine, type Machine } from './machine.ts';
import type { See } from './report.ts';

const CONTAINERFILE = 'deploy/Containerfile';
const LIVE_MS = 300_000;
/** What an operator gives it; nothing of it answers, which is waited for. */
const SETTINGS = {
  NETWORK_MODE: 'testnet',
  NETWORKS: 'base',
  BASE_RPC_URL: 'http://127.0.0.1:9',
  BASE_URL: 'https://pay.example.com',
  TREASURY_KEY: `0x${'ab'.repeat(32)}`,
  LANE_KEYS: `0x${'cd'.repeat(32)}`,
  CHAT_WALLET_SEED: 'ef'.repeat(32),
  BOT_API_TOKEN: 'x'.repeat(40),
  OPERATOR_NAME: 'The walk',
  SUPPORT_URL: 'https://example.com/help',
  TERMS_URL: 'https://example.com/terms',
  DATABASE_URL: 'postgres://pennypost@127.0.0.1:9/pennypost',
  REDIS_URL: 'redis://127.0.0.1:9',
};

type Instruction = { name: string; rest: string };

/** The instructions of each stage, without the one that names what it begins from. */
export function readStages(text: string): Instruction[][] {
  const lines = text
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const stages: Instruction[][] = [];
  for (const line of lines) {
    const [, name = '', rest = ''] = /^([A-Z]+) +(.+)$/.exec(line.trim()) ?? [];
    if (name === 'FROM') stages.push([]);
    else if (name === '') throw new Error(`${CONTAINERFILE} has a line that is no instruction: ${line}`);
    else stages.at(-1)?.push({ name, rest });
  }
  return stages;
}

/** What a stage leaves to whom starts it. */
type Built = { cwd: string; env: Record<string, string>; user: string; command: string[] };

export async function walkImage(folder: string, see: See): Promise<void> {
  const context = join(folder, 'context');
  see(`tree: ${unpackTree(context, 'HEAD', '.')}`);
  const patterns = readFileSync(join(context, '.dockerignore'), 'utf8');
  const [building = [], running = []] = readStages(readFileSync(join(context, CONTAINERFILE), 'utf8'));
  for (const name of readdirSync(context))
    if (isIgnored(patterns, name)) rmSync(join(context, name), { recursive: true });
  const [first, second] = [join(folder, 'build'), join(folder, 'image')];
  const builder = await openRoot(first, 'nodejs npm', see);
  await build(builder, building, { context, from: first, see });
  const machine = await openRoot(second, 'nodejs', see);
  const built = await build(machine, running, { context, from: first, see });
  checkContents(join(second, built.cwd));
  await start(machine, built, see);
}

/** In a mount of its own, which can be closed to writing. */
async function openRoot(root: string, packages: string, see: See): Promise<Machine> {
  mkdirSync(root, { recursive: true });
  execFileSync('mount', ['--bind', root, root]);
  unpackDebian(root, see);
  prepareRoot(root, []);
  const machine = openMachine(root, `${root}-logs`);
  const command = `apt-get update && apt-get install -y --no-install-recommends ${packages}`;
  await machine.run(command, { downloads: true });
  see(`${packages} of Debian, for the base image`);
  return machine;
}

type Sources = { context: string; from: string; see: See };

async function build(machine: Machine, stage: readonly Instruction[], sources: Sources): Promise<Built> {
  const built: Built = { cwd: '/', env: {}, user: 'root', command: [] };
  for (const { name, rest } of stage) {
    sources.see(`${name} ${rest.slice(0, 100)}`);
    switch (name) {
      case 'WORKDIR':
        built.cwd = rest;
        mkdirSync(machine.inside(rest), { recursive: true });
        break;
      case 'RUN':
        await machine.run(rest, { cwd: built.cwd, env: built.env, downloads: true });
        break;
      case 'COPY':
        copy(machine, built.cwd, rest.split(' '), sources);
        break;
      case 'ENV':
        for (const pair of rest.split(' ')) built.env[pair.split('=')[0] ?? ''] = pair.split('=')[1] ?? '';
        break;
      case 'USER':
        built.user = rest.split(':')[0] ?? '';
        break;
      case 'ENTRYPOINT':
        built.command = JSON.parse(rest) as string[];
        break;
      case 'VOLUME':
      case 'EXPOSE':
        break;
      default:
        throw new Error(`${CONTAINERFILE} has ${name}, which this walk does not know`);
    }
  }
  return built;
}

function copy(machine: Machine, cwd: string, words: readonly string[], { context, from }: Sources): void {
  const names = words.filter((word) => !word.startsWith('--'));
  const source = words.some((word) => word.startsWith('--from=')) ? from : context;
  const to = names.at(-1) ?? '.';
  const target = machine.inside(to.startsWith('/') ? to : join(cwd, to));
  for (const name of names.slice(0, -1)) {
    const path = join(source, name);
    const place = names.length > 2 || to.endsWith('/') ? join(target, name) : target;
    mkdirSync(dirname(place), { recursive: true });
    cpSync(path, place, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  }
}

/** What runs it and nothing else: no tests, no settings, no secrets, no libraries of tests. */
function checkContents(place: string): void {
  const found = ['deploy', '.env', 'test', '.git', 'node_modules/vitest', 'node_modules/playwright-core'];
  const wrong = found.filter((name) => existsSync(join(place, name)));
  if (wrong.length > 0) throw new Error(`the image holds ${wrong.join(', ')}`);
  for (const name of ['main.ts', '.env.example', 'node_modules/viem'])
    if (!existsSync(join(place, name))) throw new Error(`the image lacks ${name}`);
}

async function start(machine: Machine, { cwd, env, user, command }: Built, see: See): Promise<void> {
  const { root, inside } = machine;
  const account = (await machine.run(`id -nu ${user}`)).trim();
  const data = inside(env['DATA_DIR'] ?? '');
  execFileSync('mount', ['-t', 'tmpfs', '-o', `mode=0700,uid=${user},gid=${user}`, 'tmpfs', data]);
  execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', inside('/tmp')]);
  execFileSync('mount', ['-o', 'remount,ro,bind', root]);
  for (const role of ['api', 'worker', 'bot']) {
    const daemon = machine.start(role, [...command, role].join(' '), {
      user: account,
      cwd,
      env: { ...env, ...SETTINGS },
    });
    await eventually(async () => {
      if (daemon.process.exitCode !== null) throw new Error(`${role} has ended: ${daemon.output().slice(-2_000)}`);
      const { status } = await fetch(`http://127.0.0.1:${env['PORT']}/health/live`);
      if (status !== 200) throw new Error(`${role} answers ${status}`);
    }, LIVE_MS);
    const [, owner] = /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${daemon.process.pid}/status`, 'utf8')) ?? [];
    const code = await daemon.end();
    if (owner !== user || code !== 0) throw new Error(`${role} ran as ${owner}, and ended with ${code}`);
    see(`${role} answers /health/live as user ${owner}, where nothing can be written, and ends with 0 on SIGTERM`);
  }
}
