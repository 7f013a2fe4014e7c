import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkRoles } from '../../../core/config/config.ts';
import { NETWORKS } from '../../../core/networks.ts';
import { OAUTH_PLATFORMS, PLATFORMS } from '../../../core/platforms/platforms.ts';
import { configuredPlatforms } from '../../../identity/platforms/offered.ts';
import { loadConfig } from '../../../service/keystore/load.ts';
import { runSetup } from '../../../service/setup/run.ts';

let dir: string;
beforeEach(() => void (dir = mkdtempSync(join(tmpdir(), 'setup-'))));
afterEach(() => rmSync(dir, { recursive: true }));

const place = () => [`--keystore=${join(dir, 'keys.json')}`, `--keystore-password-file=${join(dir, 'password')}`];
const KNOWN = [
  '--base-url=https://pay.example.com',
  '--operator-name=Acme & Tips',
  '--support-url=mailto:help@example.com',
  '--terms-url=https://example.com/terms',
  '--base-rpc-url=https://base.example',
  '--solana-rpc-url=https://solana.example',
];

const setup = (
  args: readonly string[],
  ask: ((question: string) => Promise<string | null>) | null = null,
  said: string[] = [],
) =>
  runSetup({ args, file: join(dir, '.env'), ask, say: (line) => said.push(line), random: randomBytes, cost: 2 ** 10 });

test('flags alone make an installation that every role can start with', async () => {
  const bots = [
    '--telegram-token=1:A',
    '--discord-token=t',
    '--discord-app-id=42',
    '--github-client-id=i',
    '--github-client-secret=s',
  ];
  const { exitCode, lines } = await setup([...KNOWN, ...place(), ...bots, '--yes']);
  expect(exitCode).toBe(0);
  const env = parseEnv(readFileSync(join(dir, '.env'), 'utf8'));
  const config = loadConfig(env);
  expect(config).toMatchObject({ mode: 'testnet', operator: { name: 'Acme & Tips' }, networks: ['base', 'solana'] });
  checkRoles(config, ['api', 'worker', 'bot']);
  for (const file of ['.env', 'keys.json', 'password']) expect(statSync(join(dir, file)).mode & 0o077).toBe(0);
  const text = lines.join('\n');
  expect(text).toContain('Send on Base, for each 1000 payments:');
  // 0.005 ETH in three lanes, 0.02 SOL by two wallets: docs/decisions.md.
  expect(text.match(/0x[0-9a-fA-F]{40} {2}0\.001666666 ETH {2}gas/g)).toHaveLength(3);
  expect(text.match(/[1-9A-HJ-NP-Za-km-z]{32,44} {2}0\.01 SOL/g)).toHaveLength(2);
  expect(text).toContain('GitHub: https://pay.example.com/claims/callback/code');
  expect(text).toContain('client_id=42&scope=bot+applications.commands');
  expect(text).toContain('https://pay.example.com/telegram/webhook');
  expect(config.telegram?.webhookSecret).toMatch(/^[\w-]{43}$/);
  expect(text).not.toContain(config.botApiToken);
});

test.each(NETWORKS)('the node of %s is asked for where it is served', async (network) => {
  const known = [...KNOWN.slice(0, 4), ...place(), `--networks=${network}`];
  const { exitCode, lines } = await setup([...known, '--yes']);
  expect(exitCode).toBe(1);
  expect(lines[0]).toMatch(`--${network}-rpc-url is needed: A node of`);
});

test('an installation that serves every network has a key for each of its jobs', async () => {
  const nodes = NETWORKS.map((network) => `--${network}-rpc-url=https://${network}.example`);
  const networks = `--networks=${NETWORKS.join(',')}`;
  const { exitCode } = await setup([...KNOWN.slice(0, 4), ...place(), networks, ...nodes, '--yes']);
  expect(exitCode).toBe(0);
  const config = loadConfig(parseEnv(readFileSync(join(dir, '.env'), 'utf8')));
  checkRoles(config, ['api', 'worker', 'bot']);
  for (const network of NETWORKS) {
    const keys = Object.entries(config[network]).filter(([field]) => /^(?!former).*Keys?$/.test(field));
    expect(keys).toHaveLength(3);
    for (const [field, key] of keys) expect(key, `${network} ${field}`).toBeDefined();
  }
});

test.each(OAUTH_PLATFORMS)('answers to what is asked about %s let it be offered', async (platform) => {
  const asked: string[] = [];
  const title = PLATFORMS[platform].title;
  const { exitCode } = await setup([...KNOWN, ...place()], async (question) => {
    if (!question.startsWith(`${title}: `)) return '';
    asked.push(question);
    return /where names/.test(question) ? 'https://names.example/{name}' : 'given';
  });
  expect([exitCode, asked[0]]).toEqual([0, `${title}: the client id of the OAuth application: `]);
  const { identity } = loadConfig(parseEnv(readFileSync(join(dir, '.env'), 'utf8')));
  expect(configuredPlatforms(identity)).toContain(platform);
});

test('a shell reads the file as Node does', async () => {
  await setup([...KNOWN, ...place(), '--yes']);
  const shown = execFileSync('sh', ['-c', `set -a; . "${join(dir, '.env')}"; printf '%s' "$OPERATOR_NAME"`]);
  expect(String(shown)).toBe('Acme & Tips');
});

test('a person is asked for the rest, again after a wrong answer, and not for what follows from none', async () => {
  const [asked, said]: [string[], string[]] = [[], []];
  const answers = ['testnet', 'pay.example.com', 'https://pay.example.com'];
  const { exitCode } = await setup(
    [...KNOWN.slice(1), ...place()],
    async (question) => {
      asked.push(question);
      return answers.shift() ?? '';
    },
    said,
  );
  expect(exitCode).toBe(0);
  expect(said).toEqual([expect.stringContaining('such as https://pay.example.com')]);
  expect(asked.filter((question) => question.startsWith('The https address'))).toHaveLength(2);
  expect(asked.some((question) => question.includes('application id'))).toBe(false);
  expect(asked.some((question) => question.includes('A node of Base by another provider'))).toBe(true);
});

test.each([
  ['what is needed and not given', ['--yes'], '--base-url is needed'],
  ['a flag that is none', ['--base-uri=x'], '--base-uri=x is not understood'],
  ['a wrong value', ['--port=many'], '--port: allowed: a whole number'],
  ['local mode', ['--network-mode=local'], 'local mode needs no setup'],
  [
    'settings that do not fit together',
    [...KNOWN, '--smtp-url=smtps://mail.example', '--mail-from=pay@example.com', '--redis-cert-file=c', '--yes'],
    'REDIS_KEY_FILE is not set',
  ],
])('%s ends it, and nothing was written', async (_name, args, text) => {
  const { exitCode, lines } = await setup([...args, ...place()]);
  expect([exitCode, lines.at(-1)]).toEqual([1, 'Nothing was written.']);
  expect(lines.join('\n')).toContain(text);
  expect(['.env', 'keys.json', 'password'].filter((file) => existsSync(join(dir, file)))).toEqual([]);
});

test('an .env or a keystore that is there stays as it is', async () => {
  expect((await setup([...KNOWN, ...place(), '--yes'])).exitCode).toBe(0);
  const [env, keys] = ['.env', 'keys.json'].map((file) => readFileSync(join(dir, file), 'utf8'));
  expect((await setup([...KNOWN, ...place(), '--yes'])).exitCode).toBe(1);
  expect(readFileSync(join(dir, '.env'), 'utf8')).toBe(env);
  rmSync(join(dir, '.env'));
  expect((await setup([...KNOWN, ...place(), '--yes'])).lines.join('\n')).toContain('was there and stays as it is');
  expect(readFileSync(join(dir, 'keys.json'), 'utf8')).toBe(keys);
  writeFileSync(join(dir, 'password'), 'another password than before\n');
  rmSync(join(dir, '.env'));
  await expect(setup([...KNOWN, ...place(), '--yes'])).rejects.toThrow('cannot be opened');
  expect(existsSync(join(dir, '.env'))).toBe(false);
});

test('a keystore whose password is lost stays as it is, and gets no new one', async () => {
  expect((await setup([...KNOWN, ...place(), '--yes'])).exitCode).toBe(0);
  rmSync(join(dir, '.env'));
  rmSync(join(dir, 'password'));
  const { exitCode, lines } = await setup([...KNOWN, ...place(), '--yes']);
  expect([exitCode, lines[0]]).toEqual([1, expect.stringContaining('its password, is not: bring it back first.')]);
  expect(existsSync(join(dir, 'password'))).toBe(false);
});

test('it asks where alarms go, as far as there is a way', async () => {
  const asked: string[] = [];
  const ways = ['--telegram-token=1:A', '--smtp-url=smtps://mail.example', '--mail-from=pay@example.com'];
  await setup([...KNOWN, ...place(), ...ways], async (question) => (asked.push(question), ''));
  expect(asked.filter((question) => question.includes('alarms'))).toHaveLength(2);
  rmSync(join(dir, '.env'));
  asked.length = 0;
  await setup([...KNOWN, ...place()], async (question) => (asked.push(question), ''));
  expect(asked.filter((question) => question.includes('alarms'))).toEqual([]);
});
