import { spawn } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { RULE_PLANTS } from './rule-plants.ts';

/**
 * The linter keeps the floors, so a linter that silently stops looking would take them down. This test says in its own
 * words what is allowed, plants every violation in a scratch tree under the real configuration, and wants each one
 * reported at its line and nothing else.
 */
const ROOT = resolve(import.meta.dirname, '../..');

const FLOOR_1 = ['db', 'chain', 'identity', 'queue', 'client'];
const BELOW_3 = ['core', 'texts', ...FLOOR_1, 'web', 'api', 'worker', 'bot'];
const FOLDERS = [...BELOW_3, 'cli', 'local', 'service', 'scripts', 'test'];

const MAY_IMPORT: Record<string, string[]> = {
  core: [],
  texts: ['core'],
  db: ['core'],
  chain: ['core'],
  identity: ['core'],
  queue: ['core'],
  client: ['core'],
  web: ['core', 'texts'],
  api: ['core', 'texts', 'web', ...FLOOR_1],
  worker: ['core', 'texts', ...FLOOR_1],
  bot: ['core', 'texts', 'web', ...FLOOR_1],
  cli: ['core', 'texts', 'chain', 'client'],
  local: BELOW_3,
  service: [...BELOW_3, 'local'],
  scripts: [...BELOW_3, 'cli', 'local', 'service', 'main.ts'],
  'main.ts': [...BELOW_3, 'local', 'service'],
  test: [...FOLDERS, 'main.ts'],
  'a-new-folder': [],
};

const MAY_USE: Record<string, string[]> = {
  'drizzle-orm': ['db'],
  'drizzle-orm/better-sqlite3': ['db'],
  'better-sqlite3': ['db'],
  pg: ['db'],
  viem: ['chain', 'local'],
  'viem/accounts': ['chain', 'local'],
  '@solana/web3.js': ['chain', 'local'],
  '@solana-program/token': ['chain', 'local'],
  '@x402/evm': ['chain', 'local'],
  secp256k1: ['chain', 'local'],
  '@aws-sdk/client-kms': ['chain'],
  '@scure/bip39': ['chain'],
  '@scure/bip39/wordlists/english': ['chain'],
  undici: ['identity'],
  hono: ['web', 'api', 'bot', 'service', 'main.ts'],
  'hono/html': ['web', 'api', 'bot', 'service', 'main.ts'],
  '@hono/node-server': ['web', 'api', 'bot', 'service', 'main.ts'],
  bullmq: ['queue', 'worker', 'local'],
  ioredis: ['queue', 'worker', 'local'],
  'openid-client': ['identity'],
  '@simplewebauthn/server': ['identity'],
  nodemailer: ['identity'],
  '@farcaster/auth-client': ['identity'],
  'smtp-server': ['local'],
  'discord.js': ['bot'],
  grammy: ['bot'],
  '@grammyjs/runner': ['bot'],
  '@foundry-rs/anvil': ['local'],
  litesvm: ['local'],
  '@resvg/resvg-wasm': ['api'],
  qr: ['core'],
  'prom-client': ['api', 'service'],
  '@opentelemetry/sdk-trace': ['service'],
  '@modelcontextprotocol/server': ['api', 'cli'],
  '@a2a-js/sdk': ['api'],
  'oxc-parser': ['scripts'],
  vitest: [],
  'playwright-core': [],
  'node:process': ['main.ts', 'scripts'],
  zod: Object.keys(MAY_IMPORT),
};

type Plant = { file: string; source: string; reported: { line: number; rule: string }[] };
type Diagnostic = { file: string; line: number; rule: string };

const plants: Plant[] = [...importPlants(), ...rulePlants()];
let scratch = '';
let found: Diagnostic[] = [];

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'pennypost-floors-'));
  for (const file of ['.oxlintrc.json', 'tsconfig.json']) copyFileSync(join(ROOT, file), join(scratch, file));
  symlinkSync(join(ROOT, 'node_modules'), join(scratch, 'node_modules'));
  for (const folder of [...FOLDERS, 'a-new-folder']) plant(`${folder}/marker.ts`, 'export const marker = 1;\n');
  for (const { file, source } of plants) plant(file, source);
  found = await lint(scratch);
});

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

describe('a planted violation is reported at its line, and its clean neighbour is not', () => {
  test.each(plants)('$file', ({ file, reported }) => {
    const rules = found.filter((diagnostic) => diagnostic.file === file);
    expect(rules.map(({ line, rule }) => `${line} ${rule}`).sort()).toEqual(
      reported.map(({ line, rule }) => `${line} ${rule}`).sort(),
    );
  });
});

test('nothing is reported in the neutral files that the planted ones import', () => {
  expect(found.filter(({ file }) => file.endsWith('/marker.ts'))).toEqual([]);
});

/** What another tree's sources were built into: no one writes it. */
const BUILT = 'test/db/schema-1/built.mjs';

test('the linter reads every source file of the project', async () => {
  const { stdout } = await run(['--debug=files', '.'], ROOT);
  const read = new Set(stdout.split('\n').map((line) => line.trim()));
  const sources = sourceFiles(ROOT);
  expect(sources).toContain('test/house/floors.test.ts');
  expect(sources.filter((file) => !read.has(file))).toEqual([BUILT]);
});

/** From every folder, at two depths: every other folder and every library, one import a line. */
function importPlants(): Plant[] {
  const froms = Object.keys(MAY_IMPORT).filter((from) => from !== 'test');
  return froms.flatMap((from) => {
    if (from === 'main.ts') return [importPlant(from, 'main.ts', './')];
    return [importPlant(from, `${from}/floors.ts`, '../'), importPlant(from, `${from}/inner/floors.ts`, '../../')];
  });
}

function importPlant(from: string, file: string, up: string): Plant {
  const folders = [...FOLDERS, 'main.ts'].filter((to) => to !== from);
  const imports = [
    ...folders.map((to) => ({
      specifier: `${up}${to === 'main.ts' ? to : `${to}/marker.ts`}`,
      allowed: MAY_IMPORT[from]!.includes(to),
    })),
    ...Object.entries(MAY_USE).map(([specifier, users]) => ({ specifier, allowed: users.includes(from) })),
  ];
  return {
    file,
    source: imports.map(({ specifier }) => `import '${specifier}';\n`).join(''),
    reported: imports.flatMap(({ allowed }, index) =>
      allowed ? [] : [{ line: index + 1, rule: 'no-restricted-imports' }],
    ),
  };
}

/** Every other rule family: a line that ends with `// ✗ rule` must be reported by that rule, all others by none. */
function rulePlants(): Plant[] {
  return Object.entries(RULE_PLANTS).map(([file, source]) => {
    const reported = source.split('\n').flatMap((text, index) => {
      const rules = /\/\/ ✗ (.*)$/.exec(text)?.[1]?.split(', ') ?? [];
      return rules.map((rule) => ({ line: index + 1, rule }));
    });
    return { file, source, reported };
  });
}

function plant(file: string, source: string): void {
  mkdirSync(dirname(join(scratch, file)), { recursive: true });
  writeFileSync(join(scratch, file), source);
}

const packageSchema = z.object({ scripts: z.object({ 'check:lint': z.string() }) });
const reportSchema = z.object({
  diagnostics: z.array(
    z.object({
      filename: z.string(),
      code: z.string(),
      labels: z.array(z.object({ span: z.object({ line: z.number() }) })),
    }),
  ),
});

/** Runs the linter exactly as `npm run check:lint` does, in another tree. */
async function lint(cwd: string): Promise<Diagnostic[]> {
  const manifest = packageSchema.parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));
  const [command, ...args] = manifest.scripts['check:lint'].split(' ');
  expect(command).toBe('oxlint');
  const { code, stdout } = await run([...args, '--format=json'], cwd);
  expect(code, 'planted violations must fail the check').toBe(1);
  return reportSchema.parse(JSON.parse(stdout)).diagnostics.map(({ filename, code: rule, labels }) => ({
    file: filename,
    line: labels[0]?.span.line ?? 0,
    rule: /\((.*)\)$/.exec(rule)?.[1] ?? rule,
  }));
}

function run(args: string[], cwd: string): Promise<{ code: number | null; stdout: string }> {
  const child = spawn(process.execPath, [join(ROOT, 'node_modules/oxlint/bin/oxlint'), ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let stdout = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  return new Promise((done, failed) => {
    child.on('error', failed);
    child.on('close', (code) => done({ code, stdout }));
  });
}

function sourceFiles(root: string): string[] {
  const top = readdirSync(root, { withFileTypes: true });
  const folders = top.filter((entry) => entry.isDirectory() && FOLDERS.includes(entry.name)).map(({ name }) => name);
  const inside = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  );
  const files = top.filter((entry) => entry.isFile()).map(({ name }) => name);
  return [...files, ...inside].filter((file) => /\.(ts|mjs)$/.test(file) && !file.startsWith('test/.tmp/'));
}
