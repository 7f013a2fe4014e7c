/**
 * `npm run packages [folder]`: packages that install without this repository, as npm tarballs. Each is a folder of
 * `packages/` with its package.json and README, and a program of ours in one file. Nothing is published.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { COMMONJS } from '../compile.mjs';
import { ROOT } from '../run-command.mjs';

/** The oldest Node that runs them. */
const TARGET = 'node20.19';

/**
 * By their folder: the program, the file that it becomes, and what stays a dependency because it is native code.
 * @type {Readonly<Record<string, { program: string, file: string, external: readonly string[] }>>}
 */
const PACKAGES = {
  cli: {
    program: 'scripts/pennypost.ts',
    file: 'pennypost.mjs',
    external: ['secp256k1', 'bufferutil', 'utf-8-validate'],
  },
};

const folder = resolve(process.argv[2] ?? join(ROOT, '.cache/packages'));
mkdirSync(folder, { recursive: true });
for (const name of Object.keys(PACKAGES)) process.stdout.write(`${await makePackage(name, folder)}\n`);

/**
 * @param {string} name
 * @param {string} target
 * @returns {Promise<string>} the tarball
 */
async function makePackage(name, target) {
  const { program, file, external } = /** @type {(typeof PACKAGES)[string]} */ (PACKAGES[name]);
  const staged = mkdtempSync(join(tmpdir(), 'pennypost-package-'));
  try {
    cpSync(join(ROOT, 'packages', name), staged, { recursive: true });
    cpSync(join(ROOT, 'LICENSE'), join(staged, 'LICENSE'));
    await bundle(program, join(staged, file), external);
    copyBundled(staged);
    const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', target];
    const packed = execFileSync('npm', args, { cwd: staged, encoding: 'utf8' }).trim();
    return join(target, packed.split('\n').at(-1) ?? '');
  } finally {
    rmSync(staged, { recursive: true, force: true });
  }
}

/**
 * Native code is no part of the one file. It travels in the tarball with all that it needs, in the versions of our own lock,
 * so that installing asks no registry.
 * @param {string} staged
 */
function copyBundled(staged) {
  const { bundleDependencies = [] } = readManifest(staged);
  const left = bundleDependencies.map((name) => join(ROOT, 'node_modules', name));
  const copied = new Set();
  for (const place of left) {
    if (copied.has(place)) continue;
    copied.add(place);
    cpSync(place, join(staged, relative(ROOT, place)), { recursive: true });
    const { dependencies = {} } = readManifest(place);
    const { resolve: find } = createRequire(join(place, 'package.json'));
    left.push(...Object.keys(dependencies).map((name) => dirname(find(`${name}/package.json`))));
  }
}

/** @typedef {{ dependencies?: Record<string, string>, bundleDependencies?: string[] }} Manifest */

/** @param {string} folder */
function readManifest(folder) {
  return /** @type {Manifest} */ (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
}

/**
 * @param {string} program
 * @param {string} file
 * @param {readonly string[]} external
 */
async function bundle(program, file, external) {
  const tsx = createRequire(import.meta.url).resolve('tsx');
  const { build, stop } = /** @type {typeof import('esbuild')} */ (createRequire(tsx)('esbuild'));
  await build({
    entryPoints: [join(ROOT, program)],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: TARGET,
    external: [...external],
    banner: { js: `#!/usr/bin/env node\n${COMMONJS}` },
    keepNames: true,
    // The licences of what is bundled travel with it.
    legalComments: 'eof',
    logLevel: 'error',
  });
  await stop();
}
