/** The packages of package-lock.json: whether they are there for this Node, and their installation. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ROOT, run, SetupError } from './run-command.mjs';

const NPM_TIMEOUT_MS = 20 * 60_000;

/**
 * @param {string} reason as `reasonToInstall` gave it
 * @param {{ isLocal: boolean, log: (line: string) => void }} options
 */
export async function installPackages(reason, { isLocal, log }) {
  log(`npm ci  (${reason}; this takes a minute or two where better-sqlite3 has to be compiled)`);
  // Started by npm, the same npm is used; its scripts live where npm_execpath says.
  const npm = process.env['npm_execpath']?.endsWith('npm-cli.js')
    ? [process.execPath, process.env['npm_execpath']]
    : ['npm'];
  await run([...npm, 'ci', ...installOptions(isLocal)], nodeHeaders(process.execPath), NPM_TIMEOUT_MS, { log });
  const failure = loadFailure(ROOT);
  if (failure) throw new SetupError(`npm ci ran, but better-sqlite3 does not load: ${failure}`);
  writeFileSync(stampPath(ROOT), stamp(ROOT, isLocal));
}

/**
 * Local mode runs on some of the development packages, so they are wanted there even under NODE_ENV=production. Elsewhere
 * none is, whatever NODE_ENV says.
 * @param {boolean} isLocal
 */
export function installOptions(isLocal) {
  const development = isLocal ? '--include=dev' : '--omit=dev';
  return [development, '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
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
 * Outside local mode a tree with more than is needed will do.
 * @param {string} root
 * @param {{ isLocal: boolean }} options
 */
export function reasonToInstall(root, { isLocal }) {
  const record = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(record)) return 'nothing is installed yet';
  const path = stampPath(root);
  const enough = isLocal ? [stamp(root, true)] : [stamp(root, true), stamp(root, false)];
  if (existsSync(path) && enough.includes(readFileSync(path, 'utf8'))) return null;
  const wanted = readLock(join(root, 'package-lock.json'));
  if (!isSameTree(wanted, readLock(record), { isLocal })) return 'package-lock.json has changed';
  if (loadFailure(root)) return 'better-sqlite3 was not built for this Node';
  writeFileSync(path, stamp(root, isLocal));
  return null;
}

/**
 * Compares a lock file with npm's record of what it installed. Optional packages may be absent: those for other
 * systems always are; outside local mode so may those of development.
 * @typedef {{ version?: string, integrity?: string, optional?: boolean, dev?: boolean, devOptional?: boolean }} LockedPackage
 * @typedef {{ packages?: Record<string, LockedPackage> }} Lock
 * @param {Lock} wanted
 * @param {Lock} found
 * @param {{ isLocal: boolean }} options
 */
export function isSameTree(wanted, found, { isLocal }) {
  const expected = Object.entries(wanted.packages ?? {}).filter(([path]) => path !== '');
  const present = found.packages ?? {};
  const known = new Set(expected.map(([path]) => path));
  if (Object.keys(present).some((path) => !known.has(path))) return false;
  return expected.every(([path, { version, integrity, optional, dev, devOptional }]) => {
    const there = present[path];
    if (there) return there.version === version && there.integrity === integrity;
    // The last are those that an optional package and one of development share.
    return optional === true || (!isLocal && (dev === true || devOptional === true));
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
 * @param {boolean} isLocal whether the packages of development are there
 */
function stamp(root, isLocal) {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  const built = `${lock} node-abi-${process.versions.modules} ${process.platform}-${process.arch}`;
  return isLocal ? `${built}\n` : `${built} without-development\n`;
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
