/**
 * Our programs as JavaScript, for tests that start them again and again. By itself each start hands some 900 modules to
 * tsx one by one and loads the libraries file by file, which takes more of a core than everything that the start then
 * does. The compiler is the same: esbuild, in the version that tsx brings. That a program starts as people start it is
 * proved where it is started once.
 */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type * as esbuild from 'esbuild';
import { withLock } from '../../local/processes/directory-lock.ts';
import { isAlive } from '../../local/processes/process-id.ts';

const ROOT = join(import.meta.dirname, '../..');

/** All that tests start more than once. They are compiled together, so that what they share is there once. */
const PROGRAMS = [
  'main.ts',
  'scripts/pennypost.ts',
  'scripts/torture/heap.ts',
  'local/solana/server/main.ts',
  'test/attack/solana/worker-process.ts',
  'test/db/child.ts',
  'test/local/evm/starter.ts',
  'test/local/mode-starter.ts',
  'test/local/redis/private-redis-starter.ts',
  'test/local/solana/starter.ts',
  'test/queue/support/child.ts',
];

/** Native code, what finds its own files, and what is optional and not installed. */
const EXTERNAL = [
  '@discordjs/opus',
  '@foundry-rs/*',
  '@openzeppelin/*',
  '@resvg/*',
  'better-sqlite3',
  'bufferutil',
  'erlpack',
  'ffmpeg-static',
  'litesvm',
  'msgpackr-extract',
  'pg-native',
  'secp256k1',
  'solc',
  'tsx',
  'utf-8-validate',
  'zlib-sync',
];

/** CommonJS libraries ask for these, and a module has none. */
const COMMONJS = `import { createRequire as requireOf } from 'node:module';
import { dirname as folderOf } from 'node:path';
import { fileURLToPath as pathOf } from 'node:url';
const require = requireOf(import.meta.url), __filename = pathOf(import.meta.url), __dirname = folderOf(__filename);`;

/** Within the repository, so that the libraries are found from there; one for each run, so that it is never old. */
const RUNS = join(ROOT, 'test/.tmp/compiled');
const RUN = process.env['PENNYPOST_TEST_RUN'] ?? String(process.pid);
const OUTPUT = join(RUNS, RUN);
const DONE = join(OUTPUT, 'done');

let compiling: Promise<void> | undefined;

/** Where the program of this source is. The first of all processes of a run that asks has them compiled. */
export async function compileProgram(source: string): Promise<string> {
  const name = relative(ROOT, source);
  if (!PROGRAMS.includes(name)) throw new Error(`${name} is no program that tests start; they are listed`);
  compiling ??= compileOnce();
  await compiling;
  return compiledFile(name);
}

const compiledFile = (name: string) => join(OUTPUT, name.replace(/\.ts$/, '.mjs'));

async function compileOnce(): Promise<void> {
  mkdirSync(OUTPUT, { recursive: true });
  await withLock(OUTPUT, 'compile', async () => {
    if (existsSync(DONE)) return;
    removeLeftovers();
    await compile();
    writeFileSync(DONE, '');
  });
}

async function compile(): Promise<void> {
  const tsx = createRequire(import.meta.url).resolve('tsx');
  const { build } = createRequire(tsx)('esbuild') as typeof esbuild;
  await build({
    entryPoints: PROGRAMS.map((name) => join(ROOT, name)),
    outdir: OUTPUT,
    outbase: ROOT,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    external: EXTERNAL,
    banner: { js: COMMONJS },
    platform: 'node',
    format: 'esm',
    target: `node${process.versions.node}`,
    keepNames: true,
    plugins: [WHERE_THEY_ARE],
    logLevel: 'error',
  });
}

/** Modules find what lies beside them, such as pages and migrations, where they are written. */
const WHERE_THEY_ARE: esbuild.Plugin = {
  name: 'where they are',
  setup: (building) =>
    building.onLoad({ filter: /\.ts$/ }, async ({ path }) => ({
      loader: 'ts',
      contents: toCompiled(await readFile(path, 'utf8'), path)
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path))),
    })),
};

/** The text of a module that starts a program of the list as a process: it starts the compiled one. */
function toCompiled(text: string, path: string): string {
  return text.replaceAll(/new URL\('(\.[^']+\.ts)', import\.meta\.url\)/g, (whole, beside: string) => {
    const name = relative(ROOT, fileURLToPath(new URL(beside, pathToFileURL(path))));
    if (!PROGRAMS.includes(name)) return whole;
    return `new URL(${JSON.stringify(pathToFileURL(compiledFile(name)).href)})`;
  });
}

/** The same for what runs within the tests, as a plugin of vite. */
export function startCompiledPrograms() {
  return {
    name: 'start compiled programs',
    enforce: 'pre' as const,
    async transform(text: string, id: string) {
      if (!id.endsWith('/local/solana/server/server-process.ts')) return null;
      const code = toCompiled(text, id);
      if (code === text) throw new Error(`${id} starts no program of the list`);
      await (compiling ??= compileOnce());
      return { code, map: null };
    },
  };
}

/** Of runs that were ended by a signal. */
function removeLeftovers(): void {
  for (const run of readdirSync(RUNS)) {
    if (!isAlive(Number.parseInt(run, 10))) rmSync(join(RUNS, run), { recursive: true, force: true });
  }
}

/** At the end of a run. */
export function removeCompiledPrograms(): void {
  rmSync(OUTPUT, { recursive: true, force: true });
}
