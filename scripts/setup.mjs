/**
 * Brings a fresh machine to the point where `npm start` and `npm test` work. Plain Node without dependencies, because
 * it runs before anything is installed, and it must still parse on a Node that is too old, to say so.
 * Nothing happens here behind the caller's back: what needs root and does not have it is printed, never run with sudo.
 */
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { installPackages, reasonToInstall } from './node-packages.mjs';
import { ROOT, SetupError } from './run-command.mjs';
import { findChromium, installHeadlessBrowser, installPromtool, installSystemPackages } from './system-packages.mjs';

const NODE_MINIMUM = [20, 19];

/**
 * Installs what is missing and answers where Chromium is (null when it was not asked for). `isLocal`: local chains and tests
 * run here too; without it only what the service runs on is installed.
 * @param {{ chromium?: boolean, pgbouncer?: boolean, promtool?: boolean, redis?: boolean, isLocal?: boolean, log?: (line: string) => void }} [options]
 * @returns {Promise<{ chromium: string | null }>}
 */
export async function setup({
  chromium = false,
  pgbouncer = false,
  promtool = false,
  redis = true,
  isLocal = true,
  log = (line) => console.log(`setup: ${line}`),
} = {}) {
  const complaint = nodeComplaint(process.versions.node);
  if (complaint) throw new SetupError(complaint);
  const reason = reasonToInstall(ROOT, { isLocal });
  /** @type {import('./system-packages.mjs').Need[]} */
  const wanted = [];
  if (redis) wanted.push('redis');
  if (reason) wanted.push('compiler');
  if (chromium) wanted.push('chromium');
  if (pgbouncer) wanted.push('pgbouncer');
  await installSystemPackages(wanted, log);
  if (chromium) await installHeadlessBrowser(log);
  if (promtool) await installPromtool(log);
  if (reason) await installPackages(reason, { isLocal, log });
  return { chromium: chromium ? findChromium() : null };
}

/**
 * What a start needs: of Redis its own where it is given none, and outside local mode no package of the chains of local mode
 * and of tests.
 * @param {Record<string, string | undefined>} environment
 */
export function startNeeds(environment) {
  const { NETWORK_MODE: mode = '', REDIS_URL: url = '', REDIS_URL_FILE: file = '' } = environment;
  const isSet = (/** @type {string} */ value) => value.trim() !== '';
  return { isLocal: !isSet(mode) || mode.trim() === 'local', redis: !isSet(url) && !isSet(file) };
}

/**
 * `setup` for a command line: a failure is printed and ends the process.
 * @param {Parameters<typeof setup>[0]} [options]
 */
export async function setupOrExit(options) {
  try {
    return await setup(options);
  } catch (error) {
    console.error(error instanceof SetupError ? `setup: ${error.message}` : error);
    return process.exit(1);
  }
}

/**
 * One line when this Node is too old, else null.
 * @param {string} version as in process.versions.node
 */
export function nodeComplaint(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [wantedMajor = 0, wantedMinor = 0] = NODE_MINIMUM;
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return null;
  return `pennypost needs Node ${NODE_MINIMUM.join('.')} or newer, and this is ${version}: see https://nodejs.org/en/download`;
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  /** @param {string} name */
  const asked = (name) => process.argv.includes(`--${name}`);
  await setupOrExit({ chromium: asked('chromium'), pgbouncer: asked('pgbouncer'), promtool: asked('promtool') });
}
