/** What the system has to provide (Redis, a compiler, a browser): found, installed, or named for the person to install. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { run, SetupError } from './run-command.mjs';

const APT_TIMEOUT_MS = 10 * 60_000;

/** What can be missing: how to see that it is there, why it is wanted, and what each system calls it. */
const NEEDS = {
  redis: { commands: ['redis-server', 'valkey-server'], why: 'the queue', debian: ['redis-server'], brew: ['redis'] },
  compiler: {
    commands: ['g++', 'make', 'python3'],
    why: 'to compile better-sqlite3',
    debian: ['g++', 'make', 'python3'],
    brew: [],
  },
  chromium: {
    commands: ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
    why: 'the browser tests',
    debian: ['chromium'],
    brew: ['--cask', 'google-chrome'],
  },
  pgbouncer: {
    commands: ['pgbouncer'],
    why: 'the tests of PostgreSQL behind a pooler',
    debian: ['pgbouncer'],
    brew: ['pgbouncer'],
  },
  promtool: {
    commands: ['promtool'],
    why: 'the tests of the rules for Prometheus',
    debian: ['prometheus'],
    brew: ['prometheus'],
  },
};

const CHROMIUM_ON_MACOS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/**
 * Chromium without the windows around its pages: each window starts a process to draw a toolbar that no test looks at, and a
 * page costs a quarter without it.
 */
const HEADLESS = 'chromium-headless-shell';

/** @typedef {keyof typeof NEEDS} Need */
/** @typedef {{ platform: string, isRoot: boolean, hasApt: boolean, hasBrew: boolean, isUbuntu: boolean }} Machine */
/** @typedef {{ commands: string[][] } | { tell: string }} Plan */

/**
 * What to run so that the missing things are there, or what to tell the person who has to.
 * @param {Need[]} missing
 * @param {Machine} machine
 * @returns {Plan}
 */
export function planInstallation(missing, machine) {
  const reasons = missing.map((need) => `${NEEDS[need].debian[0]} (${NEEDS[need].why})`).join(', ');
  if (machine.hasApt) {
    const packages = missing.flatMap((need) =>
      need === 'chromium' && machine.isUbuntu ? ['chromium-browser'] : NEEDS[need].debian,
    );
    const install = ['apt-get', 'install', '-y', '--no-install-recommends', ...packages];
    if (machine.isRoot) return { commands: [['apt-get', 'update'], install] };
    return {
      tell: `missing: ${reasons}. Install with\n  sudo apt-get update && sudo apt-get install -y ${packages.join(' ')}\nand run this again.`,
    };
  }
  if (machine.platform === 'darwin') return planOnMacos(missing, machine, reasons);
  return { tell: `missing: ${reasons}. Install them with this system's package manager and run this again.` };
}

/**
 * @param {Need[]} missing
 * @param {Machine} machine
 * @param {string} reasons
 * @returns {Plan}
 */
function planOnMacos(missing, machine, reasons) {
  // The compiler comes with Apple's command line tools, whose installer is a dialog that a person has to confirm.
  if (missing.includes('compiler'))
    return { tell: `missing: ${reasons}. Run\n  xcode-select --install\nand then this again.` };
  const commands = missing.map((need) => ['brew', 'install', ...NEEDS[need].brew]);
  if (machine.hasBrew) return { commands };
  const lines = commands.map((command) => command.join(' ')).join('\n  ');
  return { tell: `missing: ${reasons}. Install Homebrew (https://brew.sh), then\n  ${lines}\nand run this again.` };
}

/**
 * @param {Need[]} wanted
 * @param {(line: string) => void} log
 */
export async function installSystemPackages(wanted, log) {
  const missing = wanted.filter((need) => !isThere(need));
  if (missing.length === 0) return;
  const plan = planInstallation(missing, thisMachine());
  if ('tell' in plan) throw new SetupError(plan.tell);
  for (const command of plan.commands) {
    log(`${command.join(' ')}  (for ${missing.map((need) => NEEDS[need].why).join(', ')})`);
    // With runlevel 1 Debian's packages leave their services stopped: pennypost starts a Redis of its own.
    await run(command, { RUNLEVEL: '1', DEBIAN_FRONTEND: 'noninteractive' }, APT_TIMEOUT_MS, { log });
  }
  const still = missing.filter((need) => !isThere(need));
  if (still.length > 0)
    throw new SetupError(`${plan.commands.at(-1)?.join(' ')} ran, but ${still.join(', ')} is still missing`);
}

/**
 * Takes the cheaper browser where this system offers it to root. Where it cannot be had, the one that is there does.
 * @param {(line: string) => void} log
 */
export async function installHeadlessBrowser(log) {
  const machine = thisMachine();
  if (process.env['PENNYPOST_CHROMIUM'] || findCommand(HEADLESS) !== null || !machine.hasApt) return;
  const { stdout } = spawnSync('apt-cache', ['policy', HEADLESS], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
  });
  const command = planHeadlessBrowser(stdout, machine);
  if (command === null) return;
  log(`${command.join(' ')}  (a browser that costs the tests less)`);
  try {
    await run(command, { DEBIAN_FRONTEND: 'noninteractive' }, APT_TIMEOUT_MS, { log });
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    log(`${error.message}; the tests take ${findChromium()}`);
  }
}

/**
 * @param {string} policy what apt knows about the package
 * @param {Pick<Machine, 'isRoot'>} machine
 * @returns {string[] | null}
 */
export function planHeadlessBrowser(policy, { isRoot }) {
  const isOffered = /^\s*Candidate: \d/m.test(policy);
  return isOffered && isRoot ? ['apt-get', 'install', '-y', '--no-install-recommends', HEADLESS] : null;
}

/**
 * The checker of rules. Debian has it only in the package of the server, which would start at each boot and bring the libraries
 * of its pages; so root gets the one program out of that package, and nothing is installed.
 * @param {(line: string) => void} log
 */
export async function installPromtool(log) {
  const machine = thisMachine();
  if (!machine.hasApt || !machine.isRoot) return installSystemPackages(['promtool'], log);
  if (isThere('promtool')) return;
  const folder = mkdtempSync(join(tmpdir(), 'promtool-'));
  try {
    for (const command of planPromtool(folder)) {
      log(`${command.join(' ')}  (for ${NEEDS.promtool.why})`);
      await run(command, {}, APT_TIMEOUT_MS, { log });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  if (!isThere('promtool')) throw new SetupError('the package prometheus was read, but promtool is still missing');
}

/**
 * @param {string} folder an empty one
 * @returns {string[][]}
 */
export function planPromtool(folder) {
  // A download of apt-get lands in the folder in which it runs.
  const into = ['env', '-C', folder];
  return [
    ['apt-get', 'update'],
    [...into, 'apt-get', 'download', 'prometheus'],
    [...into, 'sh', '-c', 'dpkg-deb --extract prometheus_*.deb .'],
    ['install', join(folder, 'usr/bin/promtool'), '/usr/local/bin/promtool'],
  ];
}

/** @param {Need} need */
function isThere(need) {
  if (need === 'chromium') return findChromium() !== null;
  if (need === 'pgbouncer' || need === 'promtool') return findCommand(need) !== null;
  if (need === 'redis') return NEEDS.redis.commands.some((command) => findCommand(command) !== null);
  // On macOS g++ and make exist as stubs even where Apple's tools do not.
  if (process.platform === 'darwin') return spawnSync('xcode-select', ['-p']).status === 0;
  return NEEDS.compiler.commands.every((command) => findCommand(command) !== null);
}

/** The browser the tests drive: an executable file, or null. */
export function findChromium() {
  const chosen = process.env['PENNYPOST_CHROMIUM'];
  if (chosen) return isExecutable(chosen) ? chosen : null;
  if (process.platform === 'darwin') {
    const application = CHROMIUM_ON_MACOS.find(isExecutable);
    if (application) return application;
  }
  return NEEDS.chromium.commands.map(findCommand).find((path) => path !== null) ?? null;
}

/**
 * @param {string} name
 * @returns {string | null} the full path of a command
 */
export function findCommand(name) {
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    '/usr/bin',
    '/usr/sbin',
    '/usr/local/bin',
    '/opt/homebrew/bin',
  ];
  return (
    folders
      .filter(Boolean)
      .map((folder) => join(folder, name))
      .find(isExecutable) ?? null
  );
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** @returns {Machine} */
function thisMachine() {
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
  return {
    platform: process.platform,
    isRoot: process.getuid?.() === 0,
    hasApt: process.platform === 'linux' && findCommand('apt-get') !== null,
    hasBrew: findCommand('brew') !== null,
    isUbuntu: /^ID=ubuntu$/m.test(release),
  };
}
