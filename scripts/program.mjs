/**
 * `node scripts/program.mjs PROGRAM [arguments]`: becomes the program, in this very process, so that signals and streams
 * are its own. It runs as JavaScript that is compiled anew where a source has changed.
 */
import { realpathSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { compileProgram } from './compile.mjs';
import { tellStrangeNames } from './environment.mjs';
import { ROOT } from './run-command.mjs';

/** What a folder answers in which nothing can be written. */
const NOT_WRITABLE = ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'ENOTDIR', 'EEXIST'];

/**
 * @param {string} name its source, from the root of the tree
 */
export async function becomeProgram(name) {
  const source = join(ROOT, name);
  process.argv[1] = source;
  const compiled = await findCompiled(name);
  if (compiled === null) {
    const { register } = await import('tsx/esm/api');
    register();
  } else {
    // Where Node can, what it has compiled of the JavaScript is kept too.
    /** @type {{ enableCompileCache?: (folder: string) => unknown }} */ (module).enableCompileCache?.(
      join(ROOT, '.cache/node'),
    );
    process.setSourceMapsEnabled(true);
  }
  await import(pathToFileURL(compiled ?? source).href);
}

/**
 * Null where nothing can be kept, such as for another user than the owner of the tree: tsx compiles it for this start.
 * @param {string} name
 */
async function findCompiled(name) {
  try {
    return await compileProgram(name);
  } catch (error) {
    if (error instanceof Error && 'code' in error && NOT_WRITABLE.includes(String(error.code))) return null;
    throw error;
  }
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [name = ''] = process.argv.splice(2, 1);
  // Commands read `.env`, and tell by themselves.
  if (name === 'main.ts') tellStrangeNames();
  await becomeProgram(name);
}
