import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadEnvironment, strangeNames } from '../../scripts/environment.mjs';
import { installOptions, isSameTree, nodeHeaders } from '../../scripts/node-packages.mjs';
import { run } from '../../scripts/run-command.mjs';
import { nodeComplaint, startNeeds } from '../../scripts/setup.mjs';
import { planHeadlessBrowser, planInstallation, planPromtool } from '../../scripts/system-packages.mjs';

const DEBIAN = { platform: 'linux', isRoot: true, hasApt: true, hasBrew: false, isUbuntu: false };
const MACOS = { platform: 'darwin', isRoot: false, hasApt: false, hasBrew: true, isUbuntu: false };

describe('the Node that is needed', () => {
  test.each(['20.19.0', '20.20.2', '22.0.0', '24.11.1'])('%s is new enough', (version) => {
    expect(nodeComplaint(version)).toBeNull();
  });

  test.each(['18.20.8', '20.18.3', '0.12.0'])('%s is refused in one line that names both versions', (version) => {
    const complaint = nodeComplaint(version);
    expect(complaint).toContain('20.19');
    expect(complaint).toContain(version);
    expect(complaint).not.toContain('\n');
  });
});

test('a Node that is too old can read what a start begins with, and so is refused in one line', () => {
  /** Names of Node's own modules that 18 has not: importing one ends it before a word is said. */
  const newer = ['parseEnv', 'styleText', 'enableCompileCache', 'registerHooks', 'findPackageJSON', 'globSync'];
  const read = new Set<string>();
  const open = ['start.mjs', 'test.mjs'];
  for (const name of open) {
    if (read.has(name)) continue;
    read.add(name);
    const text = readFileSync(join('scripts', name), 'utf8');
    for (const [, names = '', from = ''] of text.matchAll(/^import (?:(.+?) from )?'([^']+)';$/gms)) {
      if (from.startsWith('./')) open.push(from.slice(2));
      const imported = (/\{(.*)\}/s.exec(names)?.[1] ?? '').split(',').map((one) => one.trim().split(' ')[0] ?? '');
      expect([name, imported.filter((one) => newer.includes(one))]).toEqual([name, []]);
    }
  }
  expect([...read]).toEqual(expect.arrayContaining(['environment.mjs', 'program.mjs', 'compile.mjs', 'setup.mjs']));
});

describe('the file .env', () => {
  test('is read where it is there, and the environment wins over it', () => {
    const dir = mkdtempSync(join(tmpdir(), 'environment-'));
    const names = ['PENNYPOST_TEST_IN_FILE', 'PENNYPOST_TEST_IN_BOTH'] as const;
    const file = join(dir, '.env');
    try {
      loadEnvironment(file);
      expect(process.env[names[0]]).toBeUndefined();
      process.env[names[1]] = 'environment';
      writeFileSync(file, `${names[0]}=file\n${names[1]}=file\n`);
      const told: string[] = [];
      loadEnvironment(file, (line) => told.push(line));
      const lines = names.map((name) => `${name} in .env is not a setting, so it does nothing.`);
      expect(told.filter((line) => line.includes(' in .env ')).toSorted()).toEqual(lines.toSorted());
      expect(names.map((name) => process.env[name])).toEqual(['file', 'environment']);
    } finally {
      for (const name of names) delete process.env[name];
      rmSync(dir, { recursive: true });
    }
  });

  test('is read by the service and by each command beside it', () => {
    const scripts = ['start.mjs', 'operator.ts'];
    for (const script of scripts) expect(readFileSync(join('scripts', script), 'utf8')).toContain('loadEnvironment();');
  });
});

describe('names that nothing reads', () => {
  const known = ['HOST', 'PORT', 'TELEGRAM_TOKEN', 'X_CLIENT_ID', 'TREASURY_KEY'];

  test('are all told when they are in the file, with the one that may be meant', () => {
    const inFile = ['TELEGRAM_TOKN', 'COMPANY', 'HOSTS', 'TREASURY_KEY', 'TREASURY_KEY_FILE', 'NODE_OPTIONS'];
    expect(strangeNames({ own: [], inFile, known })).toEqual([
      'TELEGRAM_TOKN in .env is not a setting, so it does nothing. Did you mean TELEGRAM_TOKEN?',
      'COMPANY in .env is not a setting, so it does nothing.',
      'HOSTS in .env is not a setting, so it does nothing.',
    ]);
  });

  test('are told when the environment has nearly one of ours, and names of other programs are left alone', () => {
    const own = ['X_CLIENTID', 'PATH', 'HOSTNAME', 'HOSTS', 'TELEGRAM_TOKEN', 'TELEGRAM_APP'];
    expect(strangeNames({ own, inFile: [], known })).toEqual([
      'X_CLIENTID in the environment is not a setting, so it does nothing. Did you mean X_CLIENT_ID?',
    ]);
  });
});

describe('what is missing on the system', () => {
  test('root on Debian gets it installed, with fresh package lists', () => {
    expect(planInstallation(['redis', 'compiler', 'chromium'], DEBIAN)).toEqual({
      commands: [
        ['apt-get', 'update'],
        'apt-get install -y --no-install-recommends redis-server g++ make python3 chromium'.split(' '),
      ],
    });
  });

  test.each([
    ['another user on Debian', { ...DEBIAN, isRoot: false }, 'sudo apt-get install -y redis-server chromium'],
    ['another user on Ubuntu', { ...DEBIAN, isRoot: false, isUbuntu: true }, 'redis-server chromium-browser'],
    ['macOS without Homebrew', { ...MACOS, hasBrew: false }, 'brew install redis\n  brew install --cask google-chrome'],
    ['another Linux', { ...DEBIAN, hasApt: false }, 'redis-server (the queue), chromium (the browser tests)'],
  ])('%s is told what to type, and nothing is run', (_, machine, text) => {
    const plan = planInstallation(['redis', 'chromium'], machine);
    expect(plan).not.toHaveProperty('commands');
    expect(plan).toHaveProperty('tell', expect.stringContaining(text));
  });

  test('macOS with Homebrew gets it installed, but the compiler is for the person to confirm', () => {
    expect(planInstallation(['redis'], MACOS)).toEqual({ commands: [['brew', 'install', 'redis']] });
    expect(planInstallation(['redis', 'compiler'], MACOS)).toHaveProperty(
      'tell',
      expect.stringContaining('xcode-select'),
    );
  });

  test('the cheaper browser comes where root is offered it, and nowhere else', () => {
    const policy = (candidate: string) => `chromium-headless-shell:\n  Installed: (none)\n  Candidate: ${candidate}\n`;
    const command = 'apt-get install -y --no-install-recommends chromium-headless-shell'.split(' ');
    expect(planHeadlessBrowser(policy('156.0.8078.79-1~deb12u1'), DEBIAN)).toEqual(command);
    expect(planHeadlessBrowser(policy('156.0.8078.79-1~deb12u1'), { isRoot: false })).toBeNull();
    expect(planHeadlessBrowser(policy('(none)'), DEBIAN)).toBeNull();
    expect(planHeadlessBrowser('', DEBIAN)).toBeNull();
  });

  test('of the package of Prometheus only the checker of rules is taken: no server is installed', () => {
    const commands = planPromtool('/tmp/empty').map((command) => command.join(' '));
    expect(commands.filter((command) => /\binstall\b/.test(command))).toEqual([
      'install /tmp/empty/usr/bin/promtool /usr/local/bin/promtool',
    ]);
    expect(planInstallation(['promtool'], { ...DEBIAN, isRoot: false })).toHaveProperty(
      'tell',
      expect.stringContaining('prometheus (the tests of the rules for Prometheus)'),
    );
  });

  test('sudo is never run', () => {
    for (const machine of [DEBIAN, MACOS, { ...DEBIAN, isRoot: false }, { ...MACOS, isRoot: true }]) {
      const plan = planInstallation(['redis', 'chromium'], machine);
      expect('commands' in plan ? plan.commands.flat() : []).not.toContain('sudo');
    }
  });
});

describe('an installed tree is what the lock file says', () => {
  const lock = {
    packages: {
      '': { version: '0.1.0' },
      'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
      'node_modules/for-another-system': { version: '1.0.0', integrity: 'sha512-o', optional: true },
    },
  };
  const a = { version: '1.0.0', integrity: 'sha512-a' };

  test('when only optional packages are absent', () => {
    expect(isSameTree(lock, { packages: { 'node_modules/a': a } }, { isLocal: true })).toBe(true);
  });

  test.each([
    ['a package is absent', {}],
    ['a version differs', { 'node_modules/a': { ...a, version: '1.0.1' } }],
    ['a content differs', { 'node_modules/a': { ...a, integrity: 'sha512-b' } }],
    ['a package is too many', { 'node_modules/a': a, 'node_modules/b': a }],
  ])('and is not when %s', (_, packages) => {
    expect(isSameTree(lock, { packages }, { isLocal: true })).toBe(false);
    expect(isSameTree(lock, { packages }, { isLocal: false })).toBe(false);
  });
});

describe('a start for real money', () => {
  const tester = { version: '2.0.0', integrity: 'sha512-t', dev: true };
  const a = { version: '1.0.0', integrity: 'sha512-a' };
  const lock = { packages: { 'node_modules/a': a, 'node_modules/tester': tester } };

  test('installs nothing of what only tests and local chains need, and leaves it where it is there', () => {
    expect(installOptions(false)).toContain('--omit=dev');
    expect(installOptions(false)).not.toContain('--include=dev');
    expect(installOptions(true)).toContain('--include=dev');
    const without = { packages: { 'node_modules/a': a } };
    expect(isSameTree(lock, without, { isLocal: false })).toBe(true);
    expect(isSameTree(lock, lock, { isLocal: false })).toBe(true);
    // The same tree is not enough for play money, whose chains are made of them.
    expect(isSameTree(lock, without, { isLocal: true })).toBe(false);
    const old = { packages: { 'node_modules/a': a, 'node_modules/tester': { ...tester, version: '1.0.0' } } };
    expect(isSameTree(lock, old, { isLocal: false })).toBe(false);
  });

  test.each([
    ['play money', {}, { isLocal: true, redis: true }],
    ['an empty setting', { NETWORK_MODE: ' ', REDIS_URL: '' }, { isLocal: true, redis: true }],
    ['local', { NETWORK_MODE: 'local' }, { isLocal: true, redis: true }],
    ['testnet', { NETWORK_MODE: 'testnet' }, { isLocal: false, redis: true }],
    ['mainnet', { NETWORK_MODE: 'mainnet', REDIS_URL: 'redis://r' }, { isLocal: false, redis: false }],
    ['a file', { NETWORK_MODE: 'mainnet', REDIS_URL_FILE: '/r' }, { isLocal: false, redis: false }],
  ])('%s: what it needs', (_which, environment, needs) => {
    expect(startNeeds(environment)).toEqual(needs);
  });

  test('without packages of development ours are as the lock file says, by the record that npm writes', () => {
    const wanted = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Parameters<typeof isSameTree>[0];
    const runtime = Object.entries(wanted.packages ?? {}).filter(([path, { dev }]) => path !== '' && dev !== true);
    expect(runtime.length).toBeLessThan(Object.keys(wanted.packages ?? {}).length - 100);
    const found = { packages: Object.fromEntries(runtime) };
    expect(isSameTree(wanted, found, { isLocal: false })).toBe(true);
    expect(isSameTree(wanted, found, { isLocal: true })).toBe(false);
  });
});

test('what takes long says meanwhile how long it has taken', async () => {
  const told: string[] = [];
  const wait = [process.execPath, '-e', 'setTimeout(() => {}, 300)'];
  await run(wait, {}, 60_000, { log: (line) => told.push(line), everyMs: 50 });
  expect(told.length).toBeGreaterThan(1);
  expect(told[0]).toMatch(/^… \d+ s$/);
});

test("Node's headers are named only where they are", () => {
  const prefix = mkdtempSync(join(tmpdir(), 'node-prefix-test-'));
  try {
    mkdirSync(join(prefix, 'bin'));
    writeFileSync(join(prefix, 'bin/node'), '');
    expect(nodeHeaders(join(prefix, 'bin/node'))).toEqual({});
    mkdirSync(join(prefix, 'include/node'), { recursive: true });
    writeFileSync(join(prefix, 'include/node/node_api.h'), '');
    expect(nodeHeaders(join(prefix, 'bin/node'))).toEqual({ npm_config_nodedir: prefix });
  } finally {
    rmSync(prefix, { recursive: true });
  }
});
