/** From an empty Debian to an installation that its doctor approves. */
import { once } from 'node:events';
import { copyFileSync, mkdirSync } from 'node:fs';
import { shownAfter } from '../docs/shown.ts';
import { eventually } from '../../scripts/torture/eventually.ts';
import type { Machine } from './machine.ts';
import type { See, Step } from './report.ts';
import { BASE_URL } from './surroundings.ts';
import { ROLES } from './units.ts';
import { PLACE, USER, withoutSystemd, type World } from './world.ts';

const HEALTHY_MS = 240_000;

/** With the network of this machine. Where an earlier walk has installed it, only what follows from the sources is done again. */
export async function install(machine: Machine, isNew: boolean, see: See): Promise<void> {
  const [packages = '', ...others] = shownAfter('operating.md', '## Install').trim().split('\n');
  const again = others.filter((line) => !/useradd|npm ci/.test(line));
  if (isNew)
    await machine.run(`apt-get update -q\n${packages.replace('install', 'install -y -q')}`, { downloads: true });
  see(`Debian's packages: ${packages}`);
  const script = withoutSystemd((isNew ? others : again).join('\n'));
  await machine.run(script, { downloads: true, cwd: PLACE });
  see(
    `Node ${await machine.run('node --version')}; ${isNew ? 'done' : 'of what an earlier walk did, done again'}:\n${script}`,
  );
}

async function startStores({ machine, tls }: World, see: See): Promise<void> {
  mkdirSync(machine.inside('/etc/nginx/tls'), { recursive: true });
  copyFileSync(tls.certificate, machine.inside('/etc/nginx/tls/fullchain.pem'));
  copyFileSync(tls.key, machine.inside('/etc/nginx/tls/privkey.pem'));
  const version = (await machine.run('ls /etc/postgresql')).trim();
  await machine.run(`pg_ctlcluster ${version} main start`);
  machine.start('redis', 'redis-server /etc/redis/redis.conf --daemonize no --supervised no', { user: 'redis' });
  await machine.run(shownAfter('operating.md', 'PostgreSQL lets that user in'));
  see(`PostgreSQL ${version} and Redis, as Debian sets them up`);
}

async function setUp(world: World, see: See): Promise<void> {
  const { machine, around } = world;
  const settings = {
    BASE_URL,
    OPERATOR_NAME: 'The walk',
    DATABASE_URL: /postgres:\/\/[^\s']+/.exec(shownAfter('operating.md', '## Setup'))?.[0] ?? '',
    REDIS_URL: 'redis://127.0.0.1:6379',
    METRICS_PORT: '9402',
    ...around.settings,
  };
  const flags = Object.entries(settings).map(
    ([name, value]) => `'--${name.toLowerCase().replaceAll('_', '-')}=${value}'`,
  );
  world.kept.advice = await machine.run(`npm run -s setup -- ${flags.join(' ')} --yes`, { cwd: PLACE });
  see(world.kept.advice);
  await machine.run(shownAfter('operating.md', 'The units run as'), { cwd: PLACE });
}

/** Each role with the environment of its unit, as the document says. It goes on after one that is refused. */
async function examine({ machine, extra }: World): Promise<string> {
  const script = shownAfter('operating.md', 'looked at with the `Environment=`');
  const { output } = await machine.tryTo(`set +e\n${script}`, { cwd: PLACE, env: { ...extra(), HOME: PLACE } });
  return output;
}

const linesOf = (output: string, sign: string): string[] => output.split('\n').filter((line) => line.startsWith(sign));

const countOf = (output: string, text: string): number => output.split(text).length - 1;

async function seeRed(world: World, see: See): Promise<void> {
  const output = await examine(world);
  const red = [...new Set(linesOf(output, 'WRONG'))];
  see(`refused for each role:\n${red.join('\n')}`);
  for (const wanted of ['Base, gas', 'Solana, gas', 'backup words'])
    if (!red.some((line) => line.includes(wanted))) throw new Error(`no red line about ${wanted}: ${output}`);
  if (countOf(output, 'Not approved') !== ROLES.length) throw new Error(`not every role was refused: ${output}`);
}

/** A person at a terminal, who writes the words down and types three of them. */
async function writeWordsDown({ machine, extra }: World, see: See): Promise<void> {
  const command = `script -qec 'npm run -s operator -- backup-words' /dev/null`;
  const child = machine.launch(command, { user: USER, cwd: PLACE, env: { HOME: PLACE, TERM: 'xterm', ...extra() } });
  let screen = '';
  let answered = 0;
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    screen += chunk;
    const words = new Map([...screen.matchAll(/(\d+)\. ([a-z]+)/g)].map(([, place = '', word = '']) => [place, word]));
    const questions = [...screen.matchAll(/Word (\d+): |Press Enter/g)];
    for (const [, place] of questions.slice(answered))
      child.stdin?.write(`${place === undefined ? '' : words.get(place)}\r`);
    answered = questions.length;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`backup-words ended with ${code}: ${screen.slice(-1_000)}`);
  see('24 words shown on a screen, three of them typed');
}

/** Exactly what setup said, and nothing else. */
async function fund({ around, kept: { advice } }: World, see: See): Promise<void> {
  const lines = [...advice.matchAll(/^ {2}(\S+) {2}([0-9.]+) (ETH|SOL) {2}(.*)$/gm)];
  for (const [, address = '', amount = '0', coin = '', whatFor = ''] of lines) {
    const units = BigInt(Math.round(Number(amount) * 1e9));
    if (coin === 'ETH') await around.fundEth(address, units * 10n ** 9n);
    else await around.solana.fundSol(address, units);
    see(`${amount} ${coin} to ${address}: ${whatFor}`);
  }
  if (lines.length === 0) throw new Error(`setup named nothing to fund: ${advice}`);
}

export async function approve(world: World, see: See): Promise<void> {
  const output = await examine(world);
  if (countOf(output, 'Approved, for this configuration') !== ROLES.length) throw new Error(output);
  see([...new Set([...linesOf(output, 'note'), ...linesOf(output, 'Approved')])].join('\n'));
}

async function startAll(world: World, see: See): Promise<void> {
  const { machine } = world;
  await machine.run(withoutSystemd(shownAfter('operating.md', 'nginx leads')), { cwd: PLACE });
  machine.start('nginx', `nginx -g 'daemon off;'`);
  await world.start();
  await eventually(async () => {
    const response = await fetch(`${BASE_URL}/health`);
    if (response.status !== 200) throw new Error(`${BASE_URL}/health: ${response.status} ${await response.text()}`);
  }, HEALTHY_MS);
  see(`worker, API and bot, as their units start them; ${BASE_URL}/health answers 200 through nginx`);
  see(await world.operate('status'));
}

export const SETTING_UP: readonly Step<World>[] = [
  { title: 'certificate, PostgreSQL and Redis', run: startStores },
  { title: 'setup', run: setUp },
  { title: 'doctor, before anything is funded', run: seeRed },
  { title: 'the words on paper', run: writeWordsDown },
  { title: 'funding what setup named', run: fund },
  { title: 'doctor --approve', run: approve },
  { title: 'proxy and roles', run: startAll },
];
