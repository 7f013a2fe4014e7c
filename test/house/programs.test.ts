import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { plantTree } from './scratch-tree.ts';

const SCRIPTS = resolve(import.meta.dirname, '../../scripts');
/** The real ones, with one program in the place of those of the list. */
const COPIED = [
  'compile/maps.mjs',
  'compile/names.mjs',
  'compile.mjs',
  'environment.mjs',
  'program.mjs',
  'run-command.mjs',
];

const MAIN = `import { readFileSync } from 'node:fs';
import { word } from './word.ts';

type Answer = { word: string; beside: string; args: string[] };

export class Named {}
const folderOf = () => 'a name that others have too';

const beside = readFileSync(new URL('./beside.txt', import.meta.${'url'}), 'utf8');
const answer: Answer = { word, beside, args: process.argv.slice(1) };
console.log(JSON.stringify({ ...answer, name: Named.name, folder: folderOf(), runs: new Error('here').stack }));
`;

let root: string;

beforeEach(() => {
  root = plantTree({
    'package.json': '{ "type": "module" }',
    'main.ts': MAIN,
    'word.ts': `export const word: string = 'old';\n`,
    'beside.txt': 'beside',
  });
  mkdirSync(join(root, 'scripts/compile'), { recursive: true });
  for (const name of COPIED) copyFileSync(join(SCRIPTS, name), join(root, 'scripts', name));
  const list = join(root, 'scripts/compile.mjs');
  const text = readFileSync(list, 'utf8');
  writeFileSync(list, text.replace(/export const PROGRAMS = \[[^\]]*\];/, "export const PROGRAMS = ['main.ts'];"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function start(args: string[], env = process.env) {
  const words = [join(root, 'scripts/program.mjs'), 'main.ts', ...args];
  const { stdout, stderr, status } = spawnSync(process.execPath, words, { encoding: 'utf8', env });
  if (status !== 0) throw new Error(stderr);
  const told = JSON.parse(stdout) as { word: string; beside: string; name: string; args: string[]; runs: string };
  return { told, stderr };
}

const run = (...args: string[]) => start(args).told;

const builds = () => readdirSync(join(root, '.cache/programs')).filter((name) => /-\d+-\d+$/.test(name));

test('a program is compiled once for its libraries, finds its arguments, its names and what lies beside it, and a stack names the line of the source', () => {
  const first = run('--reset', 'api');
  expect(first).toMatchObject({ word: 'old', beside: 'beside', name: 'Named' });
  expect(first.args).toEqual([join(root, 'main.ts'), '--reset', 'api']);
  expect(first.runs).toContain(`${join(root, 'main.ts')}:11:`);
  // As a unit or an image starts it, it says which setting may be misspelt.
  writeFileSync(join(root, '.env.example'), '#TELEGRAM_TOKEN=\n');
  const { told, stderr } = start([], { ...process.env, TELEGRAM_TOKN: 'x' });
  expect(stderr).toContain('TELEGRAM_TOKN in the environment is not a setting, so it does nothing. Did you mean');
  expect(told.word).toBe('old');
  expect(builds()).toHaveLength(1);

  // Naming its functions costs nothing while it runs.
  const folder = join(root, '.cache/programs', builds()[0] ?? '');
  const text = readdirSync(folder)
    .filter((name) => name.endsWith('.mjs'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
  expect(text).toContain('__name(this,"Named")');
  expect(text).toContain('var __name=(target,value)=>target.prototype===undefined?target:');

  const packages = join(root, 'node_modules');
  const tsx = realpathSync(join(packages, 'tsx'));
  rmSync(packages);
  mkdirSync(packages);
  symlinkSync(tsx, join(packages, 'tsx'));
  writeFileSync(join(packages, '.package-lock.json'), '{}');
  run();
  expect(builds()).toHaveLength(2);
});

test('a program may hold the texts of the compiler, as our tests do together', () => {
  writeFileSync(join(root, 'main.ts'), `${MAIN}await import('./scripts/compile/names.mjs');\n`);
  expect(run().word).toBe('old');
});

test('the map of what is compiled leaves the libraries out', () => {
  writeFileSync(join(root, 'main.ts'), `import 'semver';\n${MAIN}`);
  expect(run().runs).toContain(`${join(root, 'main.ts')}:12:`);
  const folder = join(root, '.cache/programs', builds()[0] ?? '');
  expect(readFileSync(join(folder, 'main.mjs'), 'utf8').includes('node_modules/semver/')).toBe(true);
  const { sources } = JSON.parse(readFileSync(join(folder, 'main.mjs.map'), 'utf8')) as { sources: string[] };
  expect(sources.map((source) => source.replace(/.*\//, ''))).toEqual(['main.ts', 'word.ts']);
});

test('what has changed is compiled anew, a build that may still run stays, and builds do not gather', () => {
  const runs = (word: string) => {
    writeFileSync(join(root, 'word.ts'), `export const word: string = '${word}';\n`);
    expect(run().word).toBe(word);
  };
  runs('old');
  runs('new');
  expect(builds()).toHaveLength(2);
  for (const word of ['old', 'newer', 'newest']) runs(word);
  expect(builds()).toHaveLength(3);
});

test('where nothing can be kept the program runs all the same', () => {
  writeFileSync(join(root, '.cache'), 'a file in its place');
  expect(run()).toMatchObject({ word: 'old', beside: 'beside' });
});
