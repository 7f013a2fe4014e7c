/** The packages of package-lock.json: whether they are there for this Node, and their installation. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ROOT, run, SetupError } from './run-command.mjs';

const NPM_TIMEOUT_MS = 20 * 60_000;

/**
 * @param {string} reason as `reasonToInstall` gave it
 * @param {(line: string) => void} log
 */
export async function installPackages(reason, log) {
  log(`npm ci  (${reason}; this takes a minute or two where better-sqlite3 has to be compiled)`);
  // Started by npm, the same npm is used; its scripts live where npm_execpath says.
  const npm = process.env['npm_execpath']?.endsWith('npm-cli.js')
    ? [process.execPath, process.env['npm_execpath']]
    : ['npm'];
  // Development packages are wanted even under NODE_ENV=production: local mode runs on some of them.
  const options = ['--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  await run([...npm, 'ci', ...options], nodeHeaders(process.execPath), NPM_TIMEOUT_MS, { log });
  const failure = loadFailure(ROOT);
  if (failure) throw new SetupError(`npm ci ran, but better-sqlite3 does not load: ${failure}`);
  writeFileSync(stampPath(ROOT), stamp(ROOT));
}

/**
 * node-gyp downloads Node's headers unless it is told where they are; most installations carry them beside the binary.
 * @param {string} executable
 * @returns {Record<string, string>}
 */
export function nodeHeaders(executable) {
  const prefix = resolve(realpathSync(executable), '../..');
  return existsSync(join(prefix, 'include/node/node_api.h')) ? { npm_config_nodedir: prefix } : {};
}

/**
 * Why `npm ci` has to run, or null when node_modules is what package-lock.json says, built for this Node. The stamp
 * answers at once; without it (after a plain npm run) npm's own record is compared, so that nothing present is installed again.
 * @param {string} root
 */
export function reasonToInstall(root) {
  const record = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(record)) return 'nothing is installed yet';
  const path = stampPath(root);
  if (existsSync(path) && readFileSync(path, 'utf8') === stamp(root)) return null;
  if (!isSameTree(readLock(join(root, 'package-lock.json')), readLock(record))) return 'package-lock.json has changed';
  if (loadFailure(root)) return 'better-sqlite3 was not built for this Node';
  writeFileSync(path, stamp(root));
  return null;
}

/**
 * Compares a lock file with npm's record of what it installed. Optional packages may be absent: those for other
 * systems always are.
 * @typedef {{ packages?: Record<string, { version?: string, integrity?: string, optional?: boolean }> }} Lock
 * @param {Lock} wanted
 * @param {Lock} found
 */
export function isSameTree(wanted, found) {
  const expected = Object.entries(wanted.packages ?? {}).filter(([path]) => path !== '');
  const present = found.packages ?? {};
  const known = new Set(expected.map(([path]) => path));
  if (Object.keys(present).some((path) => !known.has(path))) return false;
  return expected.every(([path, { version, integrity, optional }]) => {
    const there = present[path];
    return there ? there.version === version && there.integrity === integrity : optional === true;
  });
}

/**
 * @param {string} path
 * @returns {Lock}
 */
function readLock(path) {
  return /** @type {Lock} */ (JSON.parse(readFileSync(path, 'utf8')));
}

/** @param {string} root */
function stampPath(root) {
  return join(root, 'node_modules/.pennypost-stamp');
}

/**
 * Native packages fit one Node ABI (`modules`), system and processor.
 * @param {string} root
 */
function stamp(root) {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  return `${lock} node-abi-${process.versions.modules} ${process.platform}-${process.arch}\n`;
}

/**
 * Why better-sqlite3 does not load, or null when it does. In a process of its own: a binary for another Node can crash.
 * @param {string} root
 * @returns {string | null}
 */
function loadFailure(root) {
  const script = "new (require('better-sqlite3'))(':memory:').close()";
  const { status, stderr } = spawnSync(process.execPath, ['-e', script], { cwd: root, encoding: 'utf8' });
  if (status === 0) return null;
  return stderr.split('\n').find((line) => line.includes('Error')) ?? `it ended with ${status}`;
}
