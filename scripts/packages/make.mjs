/**
 * `npm run packages [folder [package…]]`: packages that install without this repository, as npm tarballs. Each is a folder
 * of `packages/` with its package.json and README, and what of ours it is called by, each in one file. Nothing is published.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { COMMONJS } from '../compile.mjs';
import { ROOT } from '../run-command.mjs';

/**
 * What it is called by, by file, and what stays a dependency because it is native code. `browser`: browsers and Deno run it
 * too, so no built-in of Node is in it. `buffer`: it uses `Buffer`, which they lack.
 * @typedef {{ entries: Readonly<Record<string, string>>, runs: 'node' | 'browser', external?: readonly string[],
 *   buffer?: boolean }} Bundle
 */

/**
 * By their folder, what each is made of. The types of what browsers run travel with it.
 * @type {Readonly<Record<string, readonly Bundle[]>>}
 */
const PACKAGES = {
  cli: [
    {
      entries: { pennypost: 'scripts/pennypost.ts' },
      runs: 'node',
      external: ['secp256k1', 'bufferutil', 'utf-8-validate'],
    },
  ],
  client: [
    {
      entries: { pennypost: 'scripts/packages/client/pennypost.ts', viem: 'scripts/packages/client/viem.ts' },
      runs: 'browser',
    },
    { entries: { solana: 'scripts/packages/client/solana.ts' }, runs: 'browser', buffer: true },
  ],
};

/** The oldest Node that runs it, and browsers of that age. esbuild refuses a built-in of Node for these. */
const PLACES = /** @type {const} */ ({
  node: { platform: 'node', target: 'node20.19', banner: { js: `#!/usr/bin/env node\n${COMMONJS}` }, keepNames: true },
  // What the entries share is there once.
  browser: { platform: 'browser', target: 'es2022', splitting: true, chunkNames: 'shared-[hash]' },
});

const [target, ...wanted] = process.argv.slice(2);
const folder = resolve(target ?? join(ROOT, '.cache/packages'));
mkdirSync(folder, { recursive: true });
for (const name of wanted.length > 0 ? wanted : Object.keys(PACKAGES))
  process.stdout.write(`${await makePackage(name, folder)}\n`);

/**
 * @param {string} name
 * @param {string} into
 * @returns {Promise<string>} the tarball
 */
async function makePackage(name, into) {
  const made = PACKAGES[name];
  if (made === undefined) throw new Error(`expected ${Object.keys(PACKAGES).join(' or ')}, found ${name}`);
  const staged = mkdtempSync(join(tmpdir(), 'pennypost-package-'));
  try {
    cpSync(join(ROOT, 'packages', name), staged, { recursive: true });
    cpSync(join(ROOT, 'LICENSE'), join(staged, 'LICENSE'));
    for (const one of made) await bundle(one, staged);
    const typed = made.filter(({ runs }) => runs === 'browser').flatMap(({ entries }) => Object.values(entries));
    if (typed.length > 0) writeTypes(typed, join(staged, 'types'));
    copyBundled(staged);
    const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', into];
    const packed = execFileSync('npm', args, { cwd: staged, encoding: 'utf8' }).trim();
    return join(into, packed.split('\n').at(-1) ?? '');
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
 * @param {Bundle} made
 * @param {string} staged
 */
async function bundle({ entries, runs, external = [], buffer = false }, staged) {
  const tsx = createRequire(import.meta.url).resolve('tsx');
  const { build, stop } = /** @type {typeof import('esbuild')} */ (createRequire(tsx)('esbuild'));
  const shim = join(staged, 'buffer.mjs');
  if (buffer) writeFileSync(shim, `export { Buffer } from ${JSON.stringify(findBuffer())};\n`);
  await build({
    entryPoints: Object.fromEntries(Object.entries(entries).map(([file, source]) => [file, join(ROOT, source)])),
    outdir: staged,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    external: [...external],
    ...PLACES[runs],
    ...(buffer && { inject: [shim] }),
    // The licences of what is bundled travel with it.
    legalComments: 'eof',
    logLevel: 'error',
  });
  rmSync(shim, { force: true });
  await stop();
}

/** Browsers and Deno have no `Buffer`: what uses it gets the one that Solana's library brings along. */
function findBuffer() {
  return createRequire(createRequire(import.meta.url).resolve('@solana/web3.js')).resolve('buffer/');
}

/**
 * The types of these, and of what they name, in the folders of this repository.
 * @param {readonly string[]} sources
 * @param {string} types
 */
function writeTypes(sources, types) {
  const all = mkdtempSync(join(tmpdir(), 'pennypost-types-'));
  try {
    const compiler = createRequire(import.meta.url).resolve('typescript/package.json');
    const config = join(all, 'tsconfig.json');
    const compilerOptions = { noEmit: false, declaration: true, emitDeclarationOnly: true, rootDir: ROOT, outDir: all };
    const extended = { ...compilerOptions, typeRoots: [join(ROOT, 'node_modules/@types')] };
    const files = sources.map((source) => join(ROOT, source));
    writeFileSync(
      config,
      JSON.stringify({ extends: join(ROOT, 'tsconfig.json'), compilerOptions: extended, files, include: [] }),
    );
    execFileSync(process.execPath, [join(dirname(compiler), 'bin/tsc'), '-p', config], { stdio: 'inherit' });
    const left = sources.map((source) => source.replace(/\.ts$/, '.d.ts'));
    const copied = new Set();
    for (const file of left) {
      if (copied.has(file)) continue;
      copied.add(file);
      const text = readFileSync(join(all, file), 'utf8');
      mkdirSync(dirname(join(types, file)), { recursive: true });
      writeFileSync(join(types, file), text.replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"));
      for (const [, name = ''] of text.matchAll(/(?:from |import\()["'](\.[^"']*)\.ts["']/g)) {
        left.push(join(dirname(file), `${name}.d.ts`));
      }
    }
  } finally {
    rmSync(all, { recursive: true, force: true });
  }
}
