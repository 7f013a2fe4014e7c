import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CompiledContracts, compileContracts, readCached } from '../../../local/evm/compile.ts';

let cacheDir: string;
let compiled: CompiledContracts;
let file: string;

beforeAll(async () => {
  cacheDir = await mkdtemp(join(tmpdir(), 'pennypost-compile-'));
  compiled = await compileContracts(cacheDir);
  file = join(cacheDir, (await readdir(cacheDir))[0]!);
});
afterAll(() => rm(cacheDir, { recursive: true, force: true }));

const readCacheFile = async (): Promise<unknown> => JSON.parse(await readFile(file, 'utf8'));

test('what another process compiled is the same code, in one whole cache file', async () => {
  expect(compiled).toEqual(await compileContracts());
  expect(compiled.LocalUsdc.length).toBeGreaterThan(10_000);
  expect(await readdir(cacheDir)).toHaveLength(1);
  expect(await readCacheFile()).toEqual(compiled);
});

test('what is cached is read without compiling', async () => {
  const planted = { LocalUsdc: '0xaa', SmartWallet: '0xbb' };
  await writeFile(file, JSON.stringify(planted));
  expect(await compileContracts(cacheDir)).toEqual(planted);
});

test.each([
  ['is cut off', '{"LocalUsdc":"0x60'],
  ['holds something else', '{"LocalUsdc":"no code"}'],
])('a cache file that %s counts for none', async (_what, damage) => {
  await writeFile(file, damage);
  expect(await readCached(file)).toBeNull();
  expect(await readCached(join(cacheDir, 'none'))).toBeNull();
});
