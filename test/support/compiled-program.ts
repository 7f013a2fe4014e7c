/**
 * A program of ours as one file of JavaScript, for tests that start it again and again. By itself each start hands some
 * 900 modules to tsx one by one, which takes as much of a core as everything that the start then does. What is compiled,
 * and by what, is the same: esbuild, in the version that tsx brings. That the program starts as people start it is proved
 * where it is started once.
 */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as esbuild from 'esbuild';
import { isAlive } from '../../local/process-id.ts';

/** Within the repository, so that the libraries are found from there. */
const DIR = join(import.meta.dirname, '../.tmp/compiled');
const compiled = new Map<string, Promise<string>>();

/** Compiled once for each process that asks, so that it is never what the sources were before. Answers where it is. */
export function compileProgram(entry: string): Promise<string> {
  const known = compiled.get(entry) ?? compile(entry);
  compiled.set(entry, known);
  return known;
}

async function compile(entry: string): Promise<string> {
  mkdirSync(DIR, { recursive: true });
  removeLeftovers();
  const file = join(DIR, `${basename(entry, '.ts')}.${process.pid}.mjs`);
  process.once('exit', () => rmSync(file, { force: true }));
  const tsx = createRequire(import.meta.url).resolve('tsx');
  const { build } = createRequire(tsx)('esbuild') as typeof esbuild;
  await build({
    entryPoints: [entry],
    outfile: file,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: `node${process.versions.node}`,
    keepNames: true,
    plugins: [WHERE_THEY_ARE],
  });
  return file;
}

/** Modules find what lies beside them, such as pages and migrations, where they are written. */
const WHERE_THEY_ARE: esbuild.Plugin = {
  name: 'where they are',
  setup: (building) =>
    building.onLoad({ filter: /\.ts$/ }, async ({ path }) => ({
      loader: 'ts',
      contents: (await readFile(path, 'utf8'))
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path))),
    })),
};

/** Of processes that were ended by a signal. */
function removeLeftovers(): void {
  for (const name of readdirSync(DIR)) {
    const pid = Number(name.split('.').at(-2));
    if (!isAlive(pid)) rmSync(join(DIR, name), { force: true });
  }
}
