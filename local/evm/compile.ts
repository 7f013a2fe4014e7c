/** Builds the play-money contracts with solc at first use; afterwards one small file is read, in a few milliseconds. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, readFile, readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { readIfThere, writeWhole } from '../processes/whole-file.ts';

const SOURCE_DIR = fileURLToPath(new URL('./contracts', import.meta.url));
const CACHE_DIR = fileURLToPath(new URL('../../node_modules/.cache/pennypost', import.meta.url));
const COMPILED = { LocalUsdc: 'LocalUsdc.sol', SmartWallet: 'SmartWallet.sol' } as const;
const SETTINGS = {
  optimizer: { enabled: true, runs: 10_000 },
  outputSelection: { '*': { '*': ['evm.bytecode.object'] } },
};

const require = createRequire(import.meta.url);

const hexSchema = z.string().regex(/^0x[0-9a-f]+$/) as unknown as z.ZodType<`0x${string}`>;
const contractsSchema = z.object({ LocalUsdc: hexSchema, SmartWallet: hexSchema });
const packageSchema = z.object({ version: z.string() });
const solcOutputSchema = z.object({
  errors: z.array(z.object({ severity: z.string(), message: z.string() })).default([]),
  contracts: z
    .record(
      z.string(),
      z.record(z.string(), z.object({ evm: z.object({ bytecode: z.object({ object: z.string() }) }) })),
    )
    .default({}),
});

/** Creation code by contract name, constructor arguments still to be appended. */
export type CompiledContracts = z.infer<typeof contractsSchema>;

/**
 * Answers the compiled contracts. The cache file is named after everything that decides its content, and appears whole
 * or not at all, so two processes that compile at once do the same work twice and nothing worse.
 */
export async function compileContracts(cacheDir: string = CACHE_DIR): Promise<CompiledContracts> {
  const sources = await readSources();
  const file = join(cacheDir, `base-contracts-${await fingerprint(sources)}.json`);
  const cached = await readCached(file);
  if (cached) return cached;
  const compiled = await compile(sources);
  await mkdir(cacheDir, { recursive: true });
  await writeWhole(file, JSON.stringify(compiled), 0o644);
  return compiled;
}

type Sources = Record<string, { content: string }>;

async function readSources(): Promise<Sources> {
  const names = (await readdir(SOURCE_DIR)).filter((name) => name.endsWith('.sol')).sort();
  const contents = await Promise.all(names.map((name) => readFile(join(SOURCE_DIR, name), 'utf8')));
  return Object.fromEntries(names.map((name, index) => [name, { content: contents[index] ?? '' }]));
}

async function fingerprint(sources: Sources): Promise<string> {
  const versions = await Promise.all(['solc', '@openzeppelin/contracts'].map(installedVersion));
  const decisive = JSON.stringify({ sources, versions, SETTINGS });
  return createHash('sha256').update(decisive).digest('hex').slice(0, 32);
}

async function installedVersion(name: string): Promise<string> {
  const text = await readFile(require.resolve(`${name}/package.json`), 'utf8');
  return packageSchema.parse(JSON.parse(text)).version;
}

/** A cache file that is missing or unreadable is only a reason to compile. */
export async function readCached(file: string): Promise<CompiledContracts | null> {
  const text = await readIfThere(file);
  if (text === null) return null;
  try {
    return contractsSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Loads solc (a quarter of a second by itself) only here. */
async function compile(sources: Sources): Promise<CompiledContracts> {
  const { default: solc } = await import('solc');
  const run = solc.compile as (input: string, callbacks: { import: typeof readImport }) => string;
  const input = JSON.stringify({ language: 'Solidity', sources, settings: SETTINGS });
  const output = solcOutputSchema.parse(JSON.parse(run(input, { import: readImport })));
  const failures = output.errors.filter((error) => error.severity === 'error').map((error) => error.message);
  if (failures.length > 0) throw new Error(`the local contracts do not compile: ${failures.join('; ')}`);
  const codeOf = (name: keyof typeof COMPILED) => output.contracts[COMPILED[name]]?.[name]?.evm.bytecode.object;
  return contractsSchema.parse({ LocalUsdc: `0x${codeOf('LocalUsdc')}`, SmartWallet: `0x${codeOf('SmartWallet')}` });
}

/** solc asks for what the sources import: files of the installed OpenZeppelin package and nothing else. */
function readImport(path: string): { contents: string } | { error: string } {
  const library = dirname(require.resolve('@openzeppelin/contracts/package.json'));
  const file = resolve(library, path.replace(/^@openzeppelin\/contracts\//, ''));
  if (!file.startsWith(library + sep)) return { error: `only @openzeppelin/contracts may be imported, found ${path}` };
  return { contents: readFileSync(file, 'utf8') };
}
