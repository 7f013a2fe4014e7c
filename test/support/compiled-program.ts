/** Programs that tests start as processes, compiled as those that people start; and the tests of a whole run. */
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compileProgram as compile, PROGRAMS } from '../../scripts/compile.mjs';

const ROOT = join(import.meta.dirname, '../..');
const SERVER = 'local/solana/server/main.ts';

/** Those of the tests themselves, and what these start. */
const OF_TESTS = [
  SERVER,
  'scripts/torture/heap.ts',
  'test/attack/solana/worker-process.ts',
  'test/db/child.ts',
  'test/docs/transfer.ts',
  'test/local/evm/starter.ts',
  'test/local/keys-starter.ts',
  'test/local/mode-starter.ts',
  'test/local/redis/private-redis-starter.ts',
  'test/local/solana/starter.ts',
  'test/queue/support/child.ts',
  'test/worker/events/child.ts',
];

/** Of these a process has one, or they find their own files. */
const OF_RUNNER = ['vitest', 'vitest/*', 'playwright-core', 'oxc-parser', 'esbuild'];

/** Where the program of this source is. */
export function compileProgram(source: string): Promise<string> {
  const name = relative(ROOT, source);
  return compile(name, { root: ROOT, programs: PROGRAMS.includes(name) ? PROGRAMS : OF_TESTS });
}

/** What runs within the tests starts the compiled chain too, as a plugin of vite. */
export function startCompiledPrograms() {
  return {
    name: 'start compiled programs',
    enforce: 'pre' as const,
    async transform(text: string, id: string) {
      if (!id.endsWith('/local/solana/server/server-process.ts')) return null;
      const compiled = pathToFileURL(await compileProgram(join(ROOT, SERVER))).href;
      const code = text.replace(`new URL('./main.ts', import.meta.url)`, `new URL('${compiled}')`);
      if (code === text) throw new Error(`${id} does not start the chain where it is expected`);
      return { code, map: null };
    },
  };
}

/**
 * All test files with what they import, libraries included, as a plugin of vite. By itself each of the processes loads
 * thousands of modules one by one. Null unless PENNYPOST_COMPILED_TESTS asks for it, as a whole run and the slices of the
 * tortures do, which share the build: a part is there sooner from the sources. What cannot be compiled together is run from
 * them too, so that the file that is wrong says so itself. The run fails even where no file does: it would take longer from
 * then on, and nobody would see why.
 */
export async function loadCompiledTests() {
  if (process.env['PENNYPOST_COMPILED_TESTS'] === undefined) return null;
  const names = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts') && !name.startsWith('.tmp'))
    .map((name) => `test/${name}`)
    .toSorted();
  const programs = [SERVER, ...names];
  const server = await compile(SERVER, { root: ROOT, programs, external: OF_RUNNER }).catch((error: unknown) => {
    console.warn('the tests run from their sources, because they do not compile:', error);
    process.exitCode = 1;
    return null;
  });
  if (server === null) return null;
  const folder = server.slice(0, -SERVER.replace(/\.ts$/, '.mjs').length);
  return {
    name: 'load compiled tests',
    enforce: 'pre' as const,
    load(id: string) {
      const name = relative(ROOT, id);
      if (!programs.includes(name)) return null;
      return { code: `await import(${JSON.stringify(join(folder, name.replace(/\.ts$/, '.mjs')))});`, map: null };
    },
  };
}
