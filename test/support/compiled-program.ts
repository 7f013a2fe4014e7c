/** Programs that tests start as processes, compiled as those that people start. */
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
  'test/local/evm/starter.ts',
  'test/local/keys-starter.ts',
  'test/local/mode-starter.ts',
  'test/local/redis/private-redis-starter.ts',
  'test/local/solana/starter.ts',
  'test/queue/support/child.ts',
];

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
