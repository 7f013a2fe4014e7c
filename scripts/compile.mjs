/**
 * Our programs as JavaScript in `.cache`. By itself each start would hand some 900 modules to tsx one by one and load the
 * libraries file by file, which takes more of a core than all that follows. The compiler is the same: esbuild, in the version
 * that tsx brings. Spaces go, because Node holds the text of each file in memory.
 *
 * A build belongs to the content of its sources. When one has changed the next start makes another build and leaves the
 * earlier ones for the processes that still run from them.
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { withoutMap } from './compile/maps.mjs';
import { nameFewer } from './compile/names.mjs';
import { ROOT } from './run-command.mjs';

/**
 * What people start, and what that starts. They are compiled together, so that what they share is there once.
 * @type {readonly string[]}
 */
export const PROGRAMS = [
  'main.ts',
  'scripts/operate/setup.ts',
  'scripts/operate/doctor.ts',
  'scripts/operator.ts',
  'scripts/pennypost.ts',
  'local/solana/server/main.ts',
];

/** Native code, what finds its own files or is not installed, and CommonJS loaded late: a bundle exports its default alone. */
const EXTERNAL = [
  '@aws-sdk/client-kms',
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
  'smtp-server',
  'solc',
  'tsx',
  'utf-8-validate',
  'zlib-sync',
];

/** CommonJS libraries ask for these, and a module has none. No source may have these names of its own. */
export const COMMONJS = `import { createRequire as commonjsRequire } from 'node:module';
import { dirname as commonjsFolder } from 'node:path';
import { fileURLToPath as commonjsPath } from 'node:url';
const require = commonjsRequire(import.meta.url), __filename = commonjsPath(import.meta.url);
const __dirname = commonjsFolder(__filename);`;

/** How many builds of the same programs stay, those that were started from last. */
const KEPT = 3;
/** Others, such as those of another version of Node, go when nothing was started from them for so long. */
const UNUSED_MS = 7 * 24 * 3_600_000;
/** A build takes seconds: who seems to be at it for longer was ended. */
const BUILT_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 50;

/**
 * @typedef {{ root: string, programs: readonly string[], external: readonly string[] }} ProgramSet with libraries that stay
 *   as they are
 * @typedef {{ folder: string, sources: Record<string, string> }} Build with a hash for each source
 */

/**
 * Where the compiled program is.
 * @param {string} name its source, from the root of the tree
 * @param {Partial<ProgramSet>} [set] the tree, and all programs that are compiled together
 * @returns {Promise<string>}
 */
export async function compileProgram(name, { root = ROOT, programs = PROGRAMS, external = [] } = {}) {
  if (!programs.includes(name)) throw new Error(`${name} is no program that is compiled; they are listed`);
  const set = { root, programs, external };
  const { folder } = findBuild(set) ?? (await makeBuild(set));
  noteUse(folder);
  return compiledFile(folder, name);
}

/** @param {string} folder */
function noteUse(folder) {
  const now = new Date();
  try {
    utimesSync(folder, now, now);
  } catch {
    // The build of another user, who keeps what they start from themselves.
  }
}

/**
 * The text of a module that starts a program of the list as a process: it starts the compiled one.
 * @param {string} text
 * @param {string} path
 * @param {ProgramSet & { folder: string }} build
 */
export function startingCompiled(text, path, { root, programs, folder }) {
  return text.replaceAll(/new URL\('(\.[^']+\.ts)', import\.meta\.url\)/g, (whole, /** @type {string} */ beside) => {
    const name = relative(root, fileURLToPath(new URL(beside, pathToFileURL(path))));
    return programs.includes(name)
      ? `new URL(${JSON.stringify(pathToFileURL(compiledFile(folder, name)).href)})`
      : whole;
  });
}

/**
 * @param {string} folder
 * @param {string} name
 */
const compiledFile = (folder, name) => join(folder, name.replace(/\.ts$/, '.mjs'));

/** @param {string} root */
const buildsOf = (root) => join(root, '.cache/programs');

/**
 * The last build of this set, unless something of it has changed since.
 * @param {ProgramSet} set
 * @returns {Build | null}
 */
function findBuild(set) {
  try {
    const build = /** @type {Build} */ (JSON.parse(readFileSync(recordOf(set), 'utf8')));
    const same = Object.entries(build.sources).every(
      ([path, hash]) => hashOf(readFileSync(join(set.root, path))) === hash,
    );
    return same && existsSync(build.folder) ? build : null;
  } catch {
    // No build yet, or a source that is gone.
    return null;
  }
}

/**
 * Named after everything besides the sources that decides what comes out. The libraries are what npm says it installed.
 * @param {ProgramSet} set
 */
function recordOf({ root, programs, external }) {
  const installed = ['node_modules/.package-lock.json', 'package-lock.json'].map((name) => join(root, name));
  const versions = installed.find((path) => existsSync(path));
  const settings = [
    readFileSync(fileURLToPath(import.meta.url), 'utf8'),
    versions === undefined ? '' : readFileSync(versions, 'utf8'),
    process.version,
    root,
    ...programs,
    ...external,
  ];
  return join(buildsOf(root), `${hashOf(settings.join('\n'))}.json`);
}

/** @param {string | Buffer} content */
const hashOf = (content) => createHash('sha256').update(content).digest('hex').slice(0, 24);

/**
 * @param {ProgramSet} set
 * @returns {Promise<Build>}
 */
async function makeBuild(set) {
  const builds = buildsOf(set.root);
  mkdirSync(builds, { recursive: true });
  const record = recordOf(set);
  const key = basename(record, '.json');
  // Saves work, no more: two that build at once do not disturb each other.
  const mine = tryLock(`${record}.lock`);
  try {
    const found = mine ? null : await untilBuilt(set, `${record}.lock`);
    if (found) return found;
    const folder = join(builds, `${key}-${Date.now()}-${process.pid}`);
    const build = { folder, sources: await compileInto(folder, set) };
    // The record appears whole: others may read it this instant.
    writeFileSync(`${folder}.json`, JSON.stringify(build));
    renameSync(`${folder}.json`, record);
    removeOld(builds, key);
    return build;
  } finally {
    if (mine) rmSync(`${record}.lock`, { force: true });
  }
}

/**
 * @param {string} lock
 * @returns {boolean} false where another process builds
 */
function tryLock(lock) {
  try {
    if (Date.now() - statSync(lock).mtimeMs > BUILT_WITHIN_MS) rmSync(lock, { force: true });
  } catch {
    // There is none.
  }
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    return false;
  }
}

/**
 * @param {ProgramSet} set
 * @param {string} lock
 */
async function untilBuilt(set, lock) {
  const deadline = Date.now() + BUILT_WITHIN_MS;
  while (existsSync(lock) && Date.now() < deadline) await sleep(LOOK_EVERY_MS);
  return findBuild(set);
}

/**
 * Answers the hashes of the sources as they were read.
 * @param {string} folder
 * @param {ProgramSet} set
 */
async function compileInto(folder, set) {
  const { root, programs, external } = set;
  // Loaded only now: most starts find a build.
  const tsx = createRequire(import.meta.url).resolve('tsx');
  const { build, stop } = /** @type {typeof import('esbuild')} */ (createRequire(tsx)('esbuild'));
  const sources = /** @type {Record<string, string>} */ ({});
  await build({
    entryPoints: programs.map((name) => join(root, name)),
    outdir: folder,
    outbase: root,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    external: [...EXTERNAL, ...external],
    banner: { js: COMMONJS },
    platform: 'node',
    format: 'esm',
    target: `node${process.versions.node}`,
    keepNames: true,
    minifyWhitespace: true,
    sourcemap: 'linked',
    sourcesContent: false,
    plugins: [readSources({ ...set, folder }, sources)],
    logLevel: 'error',
  });
  await stop(); // Or its process would live as long as ours.
  nameFewer(folder);
  return sources;
}

/**
 * Modules find what lies beside them, such as pages and migrations, where they are written.
 * @param {ProgramSet & { folder: string }} built
 * @param {Record<string, string>} sources
 * @returns {import('esbuild').Plugin}
 */
function readSources(built, sources) {
  return {
    name: 'read sources',
    setup: (building) =>
      building.onLoad({ filter: /\.m?ts$|\.[cm]?js$/ }, async ({ path }) => {
        if (path.includes(`${sep}node_modules${sep}`)) return withoutMap(path);
        const text = await readFile(path, 'utf8');
        sources[relative(built.root, path)] = hashOf(text);
        return {
          loader: path.endsWith('ts') ? 'ts' : 'js',
          contents: startingCompiled(text, path, built)
            .replaceAll(/\bimport\.meta\.url\b/g, JSON.stringify(pathToFileURL(path).href))
            .replaceAll(/\bimport\.meta\.dirname\b/g, JSON.stringify(dirname(path))),
        };
      }),
  };
}

/**
 * @param {string} builds
 * @param {string} key of the programs that were built now
 */
function removeOld(builds, key) {
  const folders = readdirSync(builds, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const byUse = folders
    .map(({ name }) => ({ name, usedMs: statSync(join(builds, name)).mtimeMs }))
    .sort((one, other) => other.usedMs - one.usedMs);
  const same = byUse.filter(({ name }) => name.startsWith(`${key}-`)).slice(KEPT);
  const unused = byUse.filter(({ usedMs }) => Date.now() - usedMs > UNUSED_MS);
  for (const { name } of [...same, ...unused]) rmSync(join(builds, name), { recursive: true, force: true });
}
