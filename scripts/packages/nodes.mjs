/**
 * `npm run nodes -- [versions]`: installs the last commit in a folder of its own with each of these versions of Node (20, 22
 * and 24), and runs the smoke tests there: a whole payment on each network, the start, the store, the command line. A version
 * that is not to be had, or whose headers are not, was not run, and that is neither passed nor failed.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { nodeHeaders } from '../node-packages.mjs';
import { ROOT } from '../run-command.mjs';

const VERSIONS = ['20', '22', '24'];
const SMOKE = [
  'test/flow/payments/pay.test.ts',
  'test/networks/solana.test.ts',
  'test/service/start.test.ts',
  'test/db/store/group-commit.test.ts',
  'test/cli/base.test.ts',
];
const LIMIT_MS = 30 * 60_000;

/** @typedef {{ version: string, result: 'passed' | 'FAILED' | 'not run', why: string, seconds: number }} Tried */

const wanted = process.argv.slice(2);
/** @type {Tried[]} */
const tried = [];
for (const version of wanted.length > 0 ? wanted : VERSIONS) {
  tried.push(tryVersion(version));
  const { version: found, result, why, seconds } = /** @type {Tried} */ (tried.at(-1));
  console.log(`Node ${found.padEnd(9)} ${result.padEnd(8)} ${seconds} s  ${why}`);
}
const isSound = tried.some(({ result }) => result === 'passed') && tried.every(({ result }) => result !== 'FAILED');
process.exitCode = isSound ? 0 : 1;

/**
 * @param {string} version as npm reads it: 22, 22.23.3
 * @returns {Tried}
 */
function tryVersion(version) {
  const startedMs = Date.now();
  const folder = mkdtempSync(join(tmpdir(), `pennypost-node-${version}-`));
  let found = version;
  /**
   * @param {Tried['result']} result
   * @param {string} why
   * @returns {Tried}
   */
  const end = (result, why) => ({ version: found, result, why, seconds: Math.round((Date.now() - startedMs) / 1_000) });
  try {
    const node = installNode(version);
    if (node === null) return end('not run', `npm has no Node ${version} for ${process.platform} on ${process.arch}`);
    found = runWith(node, ROOT, ['--version']).text.trim().replace(/^v/, '');
    const cloned = spawnSync('git', ['clone', '--quiet', ROOT, join(folder, 'tree')], { encoding: 'utf8' });
    if (cloned.status !== 0) return end('not run', `git: ${reasonIn(cloned.stderr)}`);
    const tree = join(folder, 'tree');
    const installed = runWith(node, tree, ['scripts/setup.mjs']);
    if (!installed.isDone) {
      // Only for want of the headers, which native modules are built with: any other failure would meet users too.
      const hasHeaders = Object.keys(nodeHeaders(node)).length > 0;
      return end(hasHeaders ? 'FAILED' : 'not run', `the packages do not install: ${reasonIn(installed.text)}`);
    }
    const smoke = runWith(node, tree, ['node_modules/vitest/vitest.mjs', 'run', ...SMOKE]);
    if (!smoke.isDone) console.log(smoke.text);
    return end(smoke.isDone ? 'passed' : 'FAILED', /Tests {2}.*/.exec(smoke.text)?.[0] ?? '');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * From npm's packages of Node, which carry the headers beside the binary. Null where there is none.
 * @param {string} version
 */
function installNode(version) {
  const folder = join(ROOT, '.cache/nodes', version);
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  mkdirSync(folder, { recursive: true });
  const args = ['install', '--prefix', folder, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'];
  const { status } = spawnSync('npm', [...args, `${name}@${version}`], { stdio: 'ignore' });
  if (status !== 0) return null;
  const installed = join(folder, 'node_modules', name);
  const { bin } = /** @type {{ bin?: { node?: string } }} */ (
    JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  );
  return join(installed, bin?.node ?? 'bin/node');
}

/**
 * Without what would make npm work in the folder that this command was given in.
 * @param {string} node
 * @param {string} cwd
 * @param {string[]} args
 */
function runWith(node, cwd, args) {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(?:npm_config_(?:local_)?prefix|NODE_OPTIONS$|VITEST)/i.test(name),
  );
  const env = {
    ...Object.fromEntries(own),
    PATH: `${dirname(node)}${delimiter}${process.env['PATH'] ?? ''}`,
    NO_COLOR: '1',
  };
  const { status, stdout, stderr } = spawnSync(node, args, { cwd, env, encoding: 'utf8', timeout: LIMIT_MS });
  return { isDone: status === 0, text: `${stdout}${stderr}` };
}

/**
 * What went wrong, in a line: programs say it first, or last.
 * @param {string} text
 */
function reasonIn(text) {
  const lines = text.trim().split('\n');
  return (lines.find((line) => /error|failed/i.test(line)) ?? lines.at(-1) ?? '').slice(0, 160);
}
