import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { compileContracts } from '../../../local/base/compile.ts';

let cacheDir: string;

beforeEach(async () => {
  cacheDir = await mkdtemp(join(tmpdir(), 'pennypost-compile-'));
});
afterEach(() => rm(cacheDir, { recursive: true, force: true }));

test('two at once compile to the same code and leave one whole cache file', async () => {
  const [first, second] = await Promise.all([compileContracts(cacheDir), compileContracts(cacheDir)]);
  expect(second).toEqual(first);
  expect(first.LocalUsdc.length).toBeGreaterThan(10_000);
  const files = await readdir(cacheDir);
  expect(files).toHaveLength(1);
  expect(JSON.parse(await readFile(join(cacheDir, files[0]!), 'utf8'))).toEqual(first);
});

test('what is cached is read without compiling', async () => {
  await compileContracts(cacheDir);
  const [file] = await readdir(cacheDir);
  const planted = { LocalUsdc: '0xaa', SmartWallet: '0xbb' };
  await writeFile(join(cacheDir, file!), JSON.stringify(planted));
  expect(await compileContracts(cacheDir)).toEqual(planted);
});

test.each([
  ['is cut off', '{"LocalUsdc":"0x60'],
  ['holds something else', '{"LocalUsdc":"no code"}'],
])('a cache file that %s is made anew', async (_what, damage) => {
  const whole = await compileContracts(cacheDir);
  const [file] = await readdir(cacheDir);
  await writeFile(join(cacheDir, file!), damage);
  expect(await compileContracts(cacheDir)).toEqual(whole);
  expect(JSON.parse(await readFile(join(cacheDir, file!), 'utf8'))).toEqual(whole);
});
